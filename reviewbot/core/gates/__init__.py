"""Gates that only parse: which run on which texts, what they said, and whose fault a failure is."""

from reviewbot.core.gates.commands import laid_out, recognise
from reviewbot.core.gates.config import config_paths
from reviewbot.core.gates.findings import read_gates, suppressed
from reviewbot.core.gates.newness import blame, on_base
from reviewbot.core.gates.output import excuse_newer_syntax, faults
from reviewbot.core.gates.plan import plan_gates, rehearse_gates

__all__ = [
    "blame",
    "config_paths",
    "excuse_newer_syntax",
    "faults",
    "laid_out",
    "on_base",
    "plan_gates",
    "read_gates",
    "recognise",
    "rehearse_gates",
    "suppressed",
]
