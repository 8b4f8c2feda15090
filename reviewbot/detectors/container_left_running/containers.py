"""The named containers that a script starts, and whether it ends them on every way out."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.shell.dataflow import Dataflow
from reviewbot.detectors.shell.expensive import is_expensive
from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node

_ENGINES = ("docker", "podman", "nerdctl", "nvidia-docker")
_ENGINE_VARIABLE = pattern(r"\$\{?[\w:=-]*(?:docker|podman|nerdctl|engine|runtime|container)", re.IGNORECASE)
_NAMES_ENGINE = pattern(r"\b(?:docker|podman|nerdctl)\b[^/.]{0,20}$")
# Searched line by line, here and again by whoever checks the claim. A comment, or what an `echo` says
# of it, ends nothing: they are stepped over in one piece.
_BEFORE = (
    r"^(?>(?<!\S)#.*|\b(?:echo|printf|log\w*|info|warn|die|usage)\s+(?:-\w+\s+)?(?:\"[^\"]*\"|'[^']*')|.)*?"
)
_VERB = r"[\w}\]\[@*\"']{0,20}\s{1,8}(?:container\s)?(?:rm|kill|stop)\b"
ENDS = (
    rf"{_BEFORE}(?:(?i:docker|podman|nerdctl|engine|runtime|container){_VERB}"
    r"|\bcompose\b.{0,80}\b(?:down|stop|kill|rm)\b)"
)
_GPU = pattern(r"--gpus\b|--runtime[= ](?:nvidia|habana|amd|ascend)|NVIDIA_VISIBLE_DEVICES")
_GPU_DEVICE = pattern(r"--device[= ]\S*(?:nvidia|/dri|kfd|neuron|davinci|accel|habana|amd\.com|npu)")
_FLAG = pattern(
    r"-[itdPq]+|--(?:init|privileged|rm|detach|interactive|tty|publish-all|read-only|replace|quiet)(?:=.*)?"
)
_SHORT_FLAGS = pattern(r"-[itdPq]+")
_HANDLER = pattern(r"clean|restore|tear|shut|finish|bring_back|on_exit|exit_trap", re.IGNORECASE)
_AT_EXIT = pattern(r"\b(?:EXIT|INT|TERM|HUP|0)\b")
_MANY = 50  # commands that end a container
_SOME = 2000  # characters of a command, or of the value of a variable, that are read


class Container(NamedTuple):
    command: Node
    engine: str
    name: str  # as written, unquoted
    gpu: bool
    removes: bool  # --rm
    detached: bool


class Left(NamedTuple):
    """A container that a way out of the script leaves running."""

    container: Container
    grade: Grade
    handler: Node | None = None  # what runs at the end, and does not remove it
    ended: Node | None = None  # the command that ends it where all goes well
    leaves: Node | None = None  # where the script leaves before that


class Containers:
    def __init__(self, file: ShellFile) -> None:
        self._file = file
        self._dataflow = Dataflow(file)

    def left(self) -> Iterator[Left]:
        for command in self._file.commands:
            container = self._container(command)
            if container and (found := self._judged(container)):
                yield found

    # --- which containers are started --------------------------------------------------

    def _container(self, command: Node) -> Container | None:
        if "--name" not in command.text[:_SOME] and "$" not in command.text[:_SOME]:
            return None
        words = self._dataflow.bare(command)
        if words[1:2] == ("container",):
            words = (words[0], *words[2:])
        if words[1:2] != ("run",) or not (words[0] in _ENGINES or _ENGINE_VARIABLE.match(words[0])):
            return None
        options = list(self._options(words[2:]))
        text = " ".join(options)
        name = next((v for o, v in zip(options, [*options[1:], ""], strict=True) if o == "--name"), "")
        name = name or next((o.partition("=")[2] for o in options if o.startswith("--name=")), "")
        short = {letter for o in options if _SHORT_FLAGS.fullmatch(o) for letter in o[1:]}
        # Somebody sits in front of `-t`; `--restart` makes a service; `exec` hands the signals on.
        if (
            not name
            or short & {"t"}
            or "--tty" in options
            or "--restart" in text
            or command.words[0] == "exec"
        ):
            return None
        detached = "d" in short or any(o in ("--detach", "--detach=true") for o in options)
        gpu = bool(_GPU.search(text) or _GPU_DEVICE.search(text))
        return Container(command, words[0], unquoted(name), gpu, "--rm" in options, detached)

    def _options(self, words: Sequence[str]) -> Iterator[str]:
        """The words in front of the image, variables of this script expanded."""
        rest = iter(list(chain.from_iterable(map(self._expanded, words))))
        for word in rest:
            if not word.startswith("-"):
                if "$" in word:
                    continue  # options from elsewhere, or the image
                return
            yield word
            if not _FLAG.fullmatch(word) and "=" not in word and (value := next(rest, "")):
                yield unquoted(value)

    def _expanded(self, word: str) -> Sequence[str]:
        found = re.fullmatch(r"\"?\$\{?(\w+)(?:\[[@*]\])?\}?\"?", word)
        value = self._dataflow.values.get(found[1], "")[:_SOME] if found else ""
        inner = value.strip("()\"' \n\t").split()
        return inner if inner and inner[0].startswith("-") else (word,)

    # --- what ends them ----------------------------------------------------------------

    def _judged(self, container: Container) -> Left | None:
        return self._ended_at_best(container) if self._speaks_of_an_end else self._never_ended(container)

    @cached_property
    def _speaks_of_an_end(self) -> bool:
        ends = re.compile(self.ends)
        return any(ends.search(line) for line in self._file.text.lines)

    @cached_property
    def ends(self) -> str:
        """The pattern of a line that ends a container, by a variable that names the engine too."""
        values = self._dataflow.values.items()
        named = [n for n, v in values if _NAMES_ENGINE.search(unquoted(v[:_SOME]).strip("${}"))]
        if not named:
            return ENDS
        return rf"{ENDS}|{_BEFORE}\$\{{?(?:{'|'.join(named[:_MANY])})\b{_VERB}"

    def _never_ended(self, container: Container) -> Left | None:
        handler = self._handler
        more = self._file.tree.last_statement is not container.command.statement
        if container.detached and not handler:
            # Without work behind it: a service that is started, and meant to stay.
            used = container.gpu and self._last_work > container.command.end
            return Left(container, Grade.HINT) if used else None
        if not container.gpu and not handler:
            return None
        sure = container.gpu and (handler or more) and not self._sources
        return Left(container, Grade.STRONG if sure else Grade.HINT, handler)

    @cached_property
    def _last_work(self) -> int:
        """Where the last of what a server is started for begins: a benchmark, an evaluation; -1 without."""
        expensive = (c.start for c in self._file.commands if is_expensive(c, self._dataflow.bare(c)))
        return max(expensive, default=-1)

    def _ended_at_best(self, container: Container) -> Left | None:
        """Ended by a later command of the sequence, behind a place where the script may leave."""
        if not (container.gpu and container.detached) or self._traps:
            return None
        start = container.command
        own = [c for c in self._ends if container.name in " ".join(map(unquoted, c.words))][:1]
        if not own or own[0].start < start.start or any(map(self._file.options.function_of, (start, *own))):
            return None
        leave = self._leaving_between(start, own[0])
        return Left(container, Grade.HINT, ended=own[0], leaves=leave) if leave else None

    def _leaving_between(self, start: Node, end: Node) -> Node | None:
        """The first `exit` between two commands."""
        behind = bisect_left(self._exits, start.statement.end, key=lambda command: command.start)
        if behind < len(self._exits) and self._exits[behind].start < end.start:
            return self._exits[behind]
        return None

    @cached_property
    def _exits(self) -> list[Node]:
        return [c for c in self._file.commands if c.name == "exit"]

    @cached_property
    def _ends(self) -> list[Node]:
        """The commands that end a container; nobody has more than a few."""
        ends = (c for c in self._file.commands if re.search(self.ends, " ".join(c.words[:3])))
        return list(islice(ends, _MANY))

    @cached_property
    def _traps(self) -> tuple[Node, ...]:
        return tuple(c for c in self._file.commands if c.name == "trap" and _AT_EXIT.search(c.text[:_SOME]))

    @cached_property
    def _handler(self) -> Node | None:
        """The function that a trap runs at the end, the trap itself, or one that is named like it."""
        if not self._traps:
            return next((f for name, f in self._file.functions.items() if _HANDLER.search(name)), None)
        action = re.findall(r"[\w-]+", " ".join(self._traps[0].words[1:2]))
        return next((self._file.functions[n] for n in action if n in self._file.functions), self._traps[0])

    @cached_property
    def _sources(self) -> bool:
        return any(c.name in ("source", ".") for c in self._file.commands)
