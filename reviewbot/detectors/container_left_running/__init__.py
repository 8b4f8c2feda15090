"""A container that outlives the script which started it, and keeps the GPU.

`--rm` removes a container when its client ends in good order. A script that is killed leaves the
container running, with the memory of the cards, unless somebody removes it by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.core.types import Claim
from reviewbot.detectors.container_left_running.containers import Containers, Left
from reviewbot.detectors.container_left_running.examples import BAD, GOOD
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node

_COST = "The next run starts on a card that is half full, fails on the name, or talks to the old server."


def find(file: ShellFile) -> Iterator[Hit]:
    sourced = next((c for c in file.commands if c.name in ("source", ".")), None)
    containers = Containers(file)
    for left in containers.left():
        command = left.container.command
        yield Hit(
            command.line,
            command.last_line,
            failure=_failure(left),
            cost=_COST,
            fix=_fix(left, sourced),
            grade=left.grade,
            claims=tuple(_claims(file, left, containers.ends)),
        )


def _failure(left: Left) -> str:
    container, name = left.container, f"`{left.container.name}`"
    keeps = " and keeps the GPU" if container.gpu else ""
    if left.ended and left.leaves:
        return (
            f"Only line {left.ended.line} ends the container {name}, and no trap does: a script that is "
            f"killed, or leaves at line {left.leaves.line}, leaves it running{keeps}."
        )
    if container.detached:
        why = f"The container {name} runs detached"
    elif container.removes:
        why = f"`--rm` removes {name} when its client ends well; if this script is killed, it runs on"
    else:
        why = f"If this script is killed, the container {name} runs on"
    handler = left.handler
    forgets = f" `{handler.name}` at line {handler.line} does not remove it either." if handler else ""
    return f"{why}{keeps}: nothing in this file stops or removes a container.{forgets}"


def _fix(left: Left, sourced: Node | None) -> str:
    container = left.container
    trap = f"`{left.handler.name}`" if left.handler else "a trap (`trap … EXIT INT TERM`)"
    keeps = waits = ""
    if sourced and not left.handler:
        keeps = f" Keep in it what line {sourced.line} sources may have set: `trap -p EXIT` shows that."
    if not container.detached:
        waits = " Start the client with `&` and `wait` for it: bash holds a trap back while a command runs."
    engine = container.engine
    return (
        f"`{engine} rm -f {container.name}` before the start, and as the first command of {trap}, "
        f"before anything else is started.{keeps}{waits} Prove it with `{engine} ps` after a `kill`."
    )


def _claims(file: ShellFile, left: Left, ends: str) -> Iterator[Claim]:
    if not left.ended:
        yield Claim("absent", "No line of this script stops or removes a container.", file.path, ends)
    else:
        quote = file.text.lines[left.ended.line - 1].strip()
        yield Claim("quote", f"Line {left.ended.line} ends a container.", file.path, quote, left.ended.line)


DETECTOR = Detector(
    id="container-left-running",
    summary="a killed script leaves its named container running, with the memory of the GPU",
    finders={"shell": find},
    words=(
        Word(
            r"\bcontainers?\b[^.]{0,40}\b(?:left|leak\w*|behind|alive|outliv\w*|surviv\w*|orphan\w*|goes on)",
            2,
        ),
        Word(
            r"\b(?:left[- ]?over|leak\w*|orphan\w*|stale|lingering|zombie|dangling) (?:\w+ )?containers?\b", 2
        ),
        Word(
            r"\b(?:leav|keep|spar|hold|occup)\w*\b[^.]{0,30}\b(?:GPUs?|accelerators?|cards?)\b",
            2,
        ),
        Word(r"\bGPUs? holders?\b|\b(?:server|process|job|container)s? (?:that|which) outliv", 2),
        Word(r"\b(?:docker|podman|nerdctl)\W+(?:rm -f|stop|kill)\b", 1),
        Word(r"--rm\b|\bconmon\b", 1),
        Word(r"\btraps?\b|\brestore\b|\bclean-?up\b|\btear-?down\b", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"shell": ("--name",)},
)
