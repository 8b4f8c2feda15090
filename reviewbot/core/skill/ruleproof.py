"""The `proof` of a rule: a command that shows the defect where the rule has found it."""

from __future__ import annotations

from reviewbot.core.gates import placeholders, started
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.plainyaml import Place
from reviewbot.core.skill.parts.gateline import parse_gate

PATH, LINE = "<path>", "<line>"
MAX_CHARS = 1000
FORM = f"write `./tools/show.sh {PATH} {LINE}`: one command, no shell"


def read_proof(command: str, place: Place, notes: Diagnostics) -> tuple[str, ...]:
    """The argv, `<path>` and `<line>` still in it; empty with an error in `notes`."""
    spec = parse_gate(command, place[0], (frozenset([PATH, LINE]),))
    unknown = [name for name in placeholders(spec.argv) if name not in (PATH, LINE)]
    if len(command) > MAX_CHARS or "\n" in command.strip():
        why = f"it is more than one line, or than {MAX_CHARS} characters"
    elif unknown:
        why = f"{unknown[0]} means nothing there, `{PATH}` and `{LINE}` do"
    elif spec.kind == "refused":
        why = spec.reason
    elif spec.kind == "parse-only":
        why = "it only parses, and a proof runs something"
    elif spec.patterns:
        why = "it holds a glob; name the files, or put quotes around a text"
    elif PATH in started(spec.argv):
        why = "the file that is reviewed cannot speak for itself; start a tool that looks at it"
    else:
        return spec.argv
    notes.error("R010", *place, f"the proof cannot be run: {why}; {FORM}")
    return ()
