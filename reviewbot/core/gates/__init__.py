"""Gates: which run on which texts, what they said, and whose fault a failure is."""

from reviewbot.core.gates.commands import laid_out, parses, recognise
from reviewbot.core.gates.config import config_paths
from reviewbot.core.gates.findings import read_gates, suppressed
from reviewbot.core.gates.newness import blame, on_base
from reviewbot.core.gates.output import excuse_newer_syntax, faults, in_tree
from reviewbot.core.gates.places import said
from reviewbot.core.gates.plan import plan_gates, rehearse_gates

__all__ = [
    "blame",
    "config_paths",
    "excuse_newer_syntax",
    "faults",
    "in_tree",
    "laid_out",
    "on_base",
    "parses",
    "plan_gates",
    "read_gates",
    "recognise",
    "rehearse_gates",
    "said",
    "suppressed",
]
