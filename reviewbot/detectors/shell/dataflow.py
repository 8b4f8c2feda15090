"""Whether two commands of a script work on the same thing: a variable, an alias of it, or a path."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.guard import whole_command
from reviewbot.detectors.shell.launches import bare, script_of, unquoted
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.tree import Node

# Names that say where things are, who runs them or where they report to: two commands that
# share one of these share no work.
_EVERYWHERE = pattern(
    r"HOME|PWD|PATH|USER|HOST(?:NAME)?|PORT|TMP(?:DIR)?|HERE|DIR|PY(?:THON\w*)?|(?:\w+_)?WORKSPACE"
    r"|(?:SCRIPTS?|BASE|ROOT|REPO|PROJECT|WORK|THIS)_?(?:DIR|ROOT|PATH)?|(?:\w+_)?(?:LOGS?|RESULTS?)(?:_\w+)?"
    r"|(?:SLURM|CUDA)_\w+|N?GPUS?|JOB_?ID|\w*TIMEOUT\w*",
    re.IGNORECASE,
)
_NAMES_A_FILE = pattern(
    r"(?:^|_)(?:CONF|CONFIGS?|CFG|FILES?|PATHS?|DIRS?|OUT|OUTPUT|YA?ML|JSON|TOML|CKPTS?|CHECKPOINTS?|WEIGHTS?"
    r"|DATA|DATASET|RECIPE|SPEC|ARTIFACTS?|ARCHIVE|DEST|DST|TARGET|MANIFEST|PLAN|TEMPLATE|CORPUS|PROMPTS?"
    r"|SHARDS?)(?:_|\d|$)",
    re.IGNORECASE,
)
_PATH = pattern(
    r"(?:[\w.-]+/)+[\w.-]+|[\w-]+\.(?:ya?ml|jsonl?|toml|conf|cfg|ini|txt|safetensors|bin|pt|gguf|parquet)"
)
_ASSIGNED = pattern(r"([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=(.*)", re.DOTALL)
_ALIAS = pattern(r"\"?\$(?:\{([A-Za-z_]\w*)[^{}]*\}|([A-Za-z_]\w*))\"?")
_VARIABLE = pattern(r"\"?\$\{?(\w+)(?:\[[@*]\])?\}?\"?")
_READ_FROM = pattern(r"(?<![<&])<[ \t]*[\"']?([\w./-]+)")
_WRITTEN_TO = pattern(r"(?<![-=<0-9])1?(?:&?>{1,2}|>\|)[ \t]*[\"']?([\w./-]+)")
_SOME = 2000  # characters of a value, or of redirections, that are read
_STEPS = 3  # assignments from one name to the next that are followed
_MANY = 100  # names that are followed; nobody composes a value of more


class Dataflow:
    def __init__(self, file: ShellFile) -> None:
        self._file = file
        self._made_from: dict[str, set[str]] = defaultdict(set)
        self._alias_of: dict[str, set[str]] = defaultdict(set)
        self.values: dict[str, str] = {}  # name -> the first text assigned to it
        self._reached: dict[Node, frozenset[str]] = {}
        self._seen: dict[tuple[Node, str], frozenset[str]] = {}  # (command, what is asked of it)
        for node in file.nodes:
            if node.kind == "variable_assignment":
                found = _ASSIGNED.match(file.text.content, node.start, node.end)
                if found:
                    self._assigned(found[1], found[2])

    def _assigned(self, name: str, value: str) -> None:
        self.values.setdefault(name, value)
        if len(self._made_from[name]) < _MANY:
            self._made_from[name] |= set(sorted(variables_read(value))[:_MANY])
        if alias := _ALIAS.fullmatch(value.strip()):
            self._alias_of[name].add(alias[1] or alias[2])

    def bare(self, command: Node) -> tuple[str, ...]:
        """The bare words; of `"${CMD[@]}" …` or `$CMD …` with what CMD was set to."""
        words = command.words
        found = _VARIABLE.fullmatch(words[0]) if words else None
        if found and (value := self.values.get(found[1])):
            words = (*value[:_SOME].strip("()\"' \n\t").split(), *words[1:])
        return bare(words)

    def shared(self, prepared: Node, launch: Node, via: Node) -> tuple[str, ...]:
        """Names and paths that `prepared` works on and `launch` reads, those of files first.

        `via` is the call that leads to the launch, or the launch itself.
        """
        theirs = self._read_by(launch, via)
        mine = self.variables(prepared)
        names = mine & theirs or _reachable(mine, self._alias_of) & theirs
        paths = self.made(prepared) & self._taken(launch)
        both = sorted(n for n in names | paths if not _EVERYWHERE.fullmatch(n))
        return tuple(sorted(both, key=lambda n: not names_a_file(n)))

    def variables(self, command: Node) -> frozenset[str]:
        """The names in a command's arguments, redirections and heredoc; not in the path of its script."""
        if (command, "variables") not in self._seen:
            self._seen[command, "variables"] = variables_read(self.operands(command))
        return self._seen[command, "variables"]

    def operands(self, command: Node) -> str:
        """A command's arguments, redirections and heredoc as written, without the path of its script."""
        words = " ".join(_behind_script(command.words))
        return words + self._file.text.content[command.end : whole_command(command).end]

    def made(self, command: Node) -> frozenset[str]:
        """The paths in a command's arguments, and those that its output is redirected to."""
        if (command, "made") not in self._seen:
            self._seen[command, "made"] = _arguments(command) | self._redirected(command, _WRITTEN_TO)
        return self._seen[command, "made"]

    def _taken(self, command: Node) -> frozenset[str]:
        if (command, "taken") not in self._seen:
            self._seen[command, "taken"] = _arguments(command) | self._redirected(command, _READ_FROM)
        return self._seen[command, "taken"]

    def _redirected(self, command: Node, direction: re.Pattern[str]) -> frozenset[str]:
        whole = whole_command(command)
        bodies = [n.start for n in whole.inside() if n.kind == "heredoc_body"] if whole is not command else []
        end = min([whole.end, command.end + _SOME, *bodies])
        return _paths(direction.findall(self._file.text.content, command.end, end))

    def _read_by(self, launch: Node, via: Node) -> frozenset[str]:
        if via not in self._reached:
            direct = self.variables(launch) | self.variables(via)
            self._reached[via] = _reachable(direct, self._made_from)
        return self._reached[via]


def names_a_file(name: str) -> bool:
    return bool(_NAMES_A_FILE.search(name) or _PATH.fullmatch(name))


def _arguments(command: Node) -> frozenset[str]:
    return _paths(w for word in _behind_script(command.words) for w in unquoted(word).split("="))


def _paths(words: Iterable[str]) -> frozenset[str]:
    return frozenset(w.removeprefix("./") for w in words if _PATH.fullmatch(w.removeprefix("./")))


def _behind_script(words: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments that say what is worked on: behind `python3 "$HERE/inject.py"`."""
    script = script_of(bare(words))
    for at, word in enumerate(words):
        if script and unquoted(word).endswith(script):
            return words[at + 1 :]
    return words  # the name too: of `"${CMD[@]}"` it says everything


def _reachable(names: Iterable[str], edges: Mapping[str, set[str]]) -> frozenset[str]:
    found, edge = set(names), set(names)
    for _ in range(_STEPS):
        edge = {n for name in edge for n in edges.get(name, ())} - found
        if not edge or len(found) > _MANY:
            break
        found |= edge
    return frozenset(found)
