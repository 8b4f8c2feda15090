"""How to show that a failure is taken for a success: the worker as `false`, and its reader kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reviewbot.core.types import Grade, Proof, Sign
from reviewbot.detectors.masked_exit_code.between import Late
from reviewbot.detectors.masked_exit_code.declarations import Declared
from reviewbot.detectors.masked_exit_code.readers import Reading
from reviewbot.detectors.masked_exit_code.reliance import Masked
from reviewbot.detectors.shell.reduced import Unreducible, is_assignable, run_alone
from reviewbot.detectors.shell.script import innermost
from reviewbot.detectors.shell.slicing.layout import indented
from reviewbot.detectors.shell.slicing.options import written_anew
from reviewbot.detectors.shell.slicing.slice import Plan, Slicer
from reviewbot.detectors.shell.tree import Node

_TAKEN = ("printf 'reviewbot: taken for a success\\n' >&2",)
_NOTICED = ("printf 'reviewbot: the failure was noticed\\n' >&2", "exit 1")
_DECLARING = ("local", "declare", "export", "readonly")
_SHOWN = Sign("takes a failure for a success", "^reviewbot: taken for a success$")
_ENDED = Sign("ends with 0 although the command failed", r"\A\Z", (0,))
# Where errexit ends it, or the left side of `&&` is false, nothing is printed.
_DENIED = Sign("notices the failure", r"\A(?:reviewbot: the failure was noticed\n)?\Z", (1,))


def of_pipe(slicer: Slicer, masked: Masked) -> Proof | None:
    """The pipe as `false | cat`. None where it, or its reader, cannot be reduced."""
    pipe, reading = masked.pipe, masked.reading
    if masked.grade is not Grade.STRONG:
        return None
    if pipe.whole is not pipe.node or (reading and pipe.node in reading.node.ancestors()):
        return None  # the grammar has put the reader into the pipe
    if _is_of_the_script(slicer, pipe.node, pipe.worker.end):
        return None
    # The grammar takes the `!` for a word of the pipe.
    negated = slicer.file.text.content.startswith("!", pipe.node.start)
    if negated and (reading is None or reading.how != "if"):
        return None
    stub = f"{'! ' if negated else ''}{'true | ' if pipe.stage else ''}false | cat"
    if reading is not None:
        return _read(slicer, pipe.node, {pipe.node: (stub,)}, reading, negated)
    return _unread(slicer, masked, {pipe.node: (stub,)})


def _unread(slicer: Slicer, masked: Masked, stubs: Mapping[Node, Sequence[str]]) -> Proof | None:
    """The pipe where errexit, or the caller of the script, would have to notice the failure."""
    node = masked.pipe.node
    if masked.stops:
        return _proof(slicer, Plan(stubs, node, node, behind={node.statement: _TAKEN}))
    # The action of a trap may end it with another status.
    trapped = any(command.name == "trap" for command in slicer.file.commands)
    return _proof(slicer, Plan(stubs, node, node), _ENDED) if masked.ends and not trapped else None


def of_declaration(slicer: Slicer, declared: Declared) -> Proof | None:
    """The declaration with `$(false)`. None where it, or its reader, cannot be reduced."""
    if declared.grade is not Grade.STRONG or declared.reading is None:
        return None
    if declared.word not in _DECLARING or not is_assignable(declared.name):
        return None
    stub = f"{declared.word} {declared.name}=$(false)"
    return _read(slicer, declared.node, {declared.node: (stub,)}, declared.reading)


def of_late(slicer: Slicer, late: Late) -> Proof | None:
    """What was meant as `false`, and what stands between it and `$?` as `true`. None for the status of a
    script, and for what cannot be reduced."""
    if late.meant is None or any(_is_of_the_script(slicer, s) for s in (late.meant, *late.between)):
        return None
    try:
        between = {statement: (_as_it_is(statement),) for statement in late.between}
    except Unreducible:
        return None
    meant = "false | cat" if late.array else "false &" if late.background else "false"
    status = "${PIPESTATUS[0]}" if late.array else "$?"
    stubs = {late.meant: (meant,), late.asks: _asking(status)}
    return _proof(slicer, Plan(between | stubs, late.meant, late.asks))


def _is_of_the_script(slicer: Slicer, node: Node, start: int = 0) -> bool:
    """Whether a command in a node, from `start` on, is no program but code of the script."""
    commands = (inner for inner in (node, *node.inside()) if inner.kind == "command" and inner.start >= start)
    return any(map(slicer.disturbances.is_code, commands))


def _as_it_is(statement: Node) -> str:
    """A command that cannot fail: an option as it is set, else `true`."""
    command = innermost(statement)
    return (written_anew(command.words[1:]) if command.name == "set" else "") or "true"


def _read(
    slicer: Slicer, node: Node, stubs: Mapping[Node, Sequence[str]], reading: Reading, negated: bool = False
) -> Proof | None:
    """The status of `node`, and its reader, which says what it took it for. `negated`: its stub is."""
    reader = reading.node
    plan = Plan(stubs, node, reader, reading.via)
    match reading.how:
        case "$?":
            plan = plan._replace(stubs={**stubs, reader: _asking("$?")})
        case "||":
            stop = ("{", *indented(_NOTICED), "}")
            plan = plan._replace(stubs={**stubs, reader: stop}, behind={reader.statement: _TAKEN})
        case "&&":
            plan = plan._replace(stubs={**stubs, reader: _TAKEN})
        case "if" if reader.kind == "if_statement":
            plan = plan._replace(branches={reader: (_NOTICED, _TAKEN) if negated else (_TAKEN, _NOTICED)})
        case _:
            return None
    return _proof(slicer, plan)


def _asking(status: str) -> Sequence[str]:
    head = (f'if [ "{status}" -eq 0 ]', "then", *indented(_TAKEN))
    return (*head, "else", *indented(_NOTICED), "fi")


def _proof(slicer: Slicer, plan: Plan, shows: Sign = _SHOWN) -> Proof | None:
    made = slicer.slice(plan)
    return None if made is None else run_alone(slicer.file, made.lines, shows, _DENIED)
