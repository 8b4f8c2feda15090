"""Gates: which run on which texts, what they said, and whose fault a failure is."""

from reviewbot.core.gates.commands import INTERPRETER, laid_out, parses, recognise, started
from reviewbot.core.gates.config import config_paths
from reviewbot.core.gates.findings import read_gates, suppressed
from reviewbot.core.gates.newness import apart, blame, both, recheck, untold
from reviewbot.core.gates.output import excuse_newer_syntax, faults, in_tree
from reviewbot.core.gates.placeholders import EACH, PLACEHOLDER, bound, literal, placeholders, unresolved
from reviewbot.core.gates.places import said
from reviewbot.core.gates.plan import plan_gates, rehearse_gates
from reviewbot.core.gates.unplaced import failure, telling

__all__ = [
    "EACH",
    "INTERPRETER",
    "PLACEHOLDER",
    "apart",
    "blame",
    "both",
    "bound",
    "config_paths",
    "excuse_newer_syntax",
    "failure",
    "faults",
    "in_tree",
    "laid_out",
    "literal",
    "parses",
    "placeholders",
    "plan_gates",
    "read_gates",
    "recheck",
    "recognise",
    "rehearse_gates",
    "said",
    "started",
    "suppressed",
    "telling",
    "unresolved",
    "untold",
]
