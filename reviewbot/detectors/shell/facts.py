"""Counted facts about a place in a script, as claims that `verify` checks again in its text.

A claim that does not hold rejects its finding, so nothing is said here that its own pattern would
not find: where the tree and a search of the lines disagree, the fact is left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from reviewbot.core.types import Claim
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.script import ShellFile, innermost, variables_read
from reviewbot.detectors.shell.tree import Node, Role, Status
from reviewbot.detectors.shell.wayout import leaving

# A line that sets an option or may do so: `set "$FLAGS"` is none of which it can be said that it does not.
_SET = r"\bset\s+(?:[\"']?[-+]\w+[\"']?\s+){{0,4}}[\"']?-\w*{0}|\bset\s+[\"']?[-+]?\w*\$|{1}|^#!.*\s-\w*{0}"
_SPEAKS = {
    "errexit": _SET.format("e", "errexit"),
    "nounset": _SET.format("u", "nounset"),
    "pipefail": r"pipefail|\bset\s+[\"']?[-+]?\w*\$",
}
# A `#` behind white space begins a comment; that of `$#` does not.
_GUARDED = r"^[^#]*(?:(?<=\S)#[^#]*)*\|\|\s*(?:\{[^}]{0,80}\b)?(?:exit|return|die)\b(?!\s+0\b)"
_VERBS = {Setting.ON: "sets", Setting.OFF: "switches off", Setting.UNKNOWN: "may set"}
_HERE = {Setting.ON: "is on", Setting.OFF: "is off", Setting.UNKNOWN: "may be on or off"}
_IGNORED = {
    Role.CONDITION: "in a condition",
    Role.LEFT: "left of `&&` or `||`",
    Role.NEGATED: "behind `!`",
}
_LOOKS = ("test", "command", "which", "type", "hash")
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=")
_LONG = 20  # lines of a launch or an assignment that are searched for a variable
_SOME = 2000  # characters of a value that are read


class Facts:
    """The facts of one script; of the hunks of a bare patch nothing can be counted, and none is given."""

    def __init__(self, file: ShellFile) -> None:
        self._file = file
        self._found: dict[str, set[int]] = {}

    def options(self, node: Node, *options: str) -> Iterator[Claim]:
        """What "errexit", "nounset", "pipefail" are at a node, and which line has decided it."""
        if self._file.partial:
            return
        for option in options:
            yield from self._option(node, option)

    def guards(self, command: Node) -> Iterator[Claim]:
        """The commands that stop the script when they fail, and those of this command's name that do not."""
        if self._file.partial or not command.words or not self.guarded:
            return
        path = self._file.path
        if self.counted_guards:
            text = "Other commands of this file stop it when they fail (`|| exit`, `|| return`, `|| die`)."
            yield Claim("count", text, path, _GUARDED, expected=self.counted_guards)
        name = command.words[0]
        pattern = rf"^[ \t]*{re.escape(name)}[ \t](?!.*(?:\|\||&&))"
        bare = self._bare[name]
        if len(bare) > 1 and command.line in bare and self._matching(pattern) == bare:
            text = f"Lines that start with `{label([name])}` and hold no `||` or `&&`."
            yield Claim("count", text, path, pattern, expected=len(bare))

    def launch(self, launch: Node, via: Node, names: Iterable[str], noun: str = "launch") -> Iterator[Claim]:
        """Where a launch stands, and where it reads these variables or paths, or something made of them.

        `via` is the call that leads to the launch, or the launch itself; `noun` is what it is called.
        """
        yield self.quote(f"Line {launch.line} is the {noun}: `{label(launch.words)}`.", launch.line)
        for name in names:
            if place := self._find(name, launch):
                yield self._read(f"The {noun} reads `{name}` at line {place[0]}.", place)
            elif made := self._made_of(name, launch, noun):
                yield made
            elif place := self._find(name, via):
                yield self._read(f"Line {place[0]} calls it with `{name}`.", place)

    def quote(self, text: str, line: int) -> Claim:
        """What a line says, for a sentence that the whole line proves."""
        return Claim("quote", text, self._file.path, self._file.text.lines[line - 1].strip(), line)

    @cached_property
    def guarded(self) -> tuple[Node, ...]:
        """What stands behind the `||` of each command whose failure leaves the script or the function."""
        right = (node for node in self._file.nodes if node.role is Role.RIGHT)
        return tuple(n for n in right if n.parent and n.parent.operator == "||" and self._fails(n))

    @cached_property
    def counted_guards(self) -> int:
        """The lines with a guard; 0 where a search of the text does not find the same ones."""
        lines = {node.line for node in self.guarded}
        return len(lines) if not self._file.partial and self._matching(_GUARDED) == lines else 0

    @cached_property
    def guarded_work(self) -> int:
        """How many guards stand behind what does something: not behind a test of an argument."""
        left = (node.parent.children[0] for node in self.guarded if node.parent and node.parent.children)
        inner = map(innermost, left)
        return sum(n.kind not in ("test_command", "list") and n.name not in _LOOKS for n in inner)

    def _fails(self, right: Node) -> bool:
        """Whether it leaves with a failure: `[ -n "$TAG" ] || exit 0` has nothing to do."""
        leave = leaving(self._file, right)
        return leave is not None and leave.words[1:2] != ("0",)

    def speaks_of(self, option: str) -> bool:
        """Whether a search of the lines finds anything that sets the option, might, or only names it."""
        return bool(self._matching(_SPEAKS[option]))

    def unsure(self, node: Node) -> str:
        """Why it is not known whether errexit is on at a node."""
        decided = self._file.options.decided_at(node, "errexit")
        source = self._sourced.get(decided[0]) if decided else None
        if source is None or self.speaks_of("errexit"):
            return "nothing in this file makes sure that errexit is on"
        before = self._file.options.setting_at(source, "errexit") is Setting.UNKNOWN
        other = ", or a line before it," if before else ""
        return f"errexit is on only if `{label(source.words[1:2])}` at line {source.line}{other} sets it"

    def _option(self, node: Node, option: str) -> Iterator[Claim]:
        setting = self._file.options.setting_at(node, option)
        around = self._file.options.ignored_by(node)
        if setting is Setting.IGNORED and around:
            where = _IGNORED[around.role]
            yield self.quote(
                f"Line {around.line} runs it {where}, where bash disregards errexit.", around.line
            )
        spoken = self._matching(_SPEAKS[option])
        if not spoken and setting is not Setting.ON:
            yield Claim("absent", f"No line of this script sets {option}.", self._file.path, _SPEAKS[option])
        if decided := self._file.options.decided_at(node, option):
            line, value = decided
            yield self.quote(f"Line {line} {_VERBS[value]} {option}.", line)
        elif spoken and setting in _HERE:
            text = f"Lines that speak of {option}; at line {node.line} it {_HERE[setting]}."
            yield Claim("count", text, self._file.path, _SPEAKS[option], expected=len(spoken))

    def _matching(self, pattern: str) -> set[int]:
        """The lines that a pattern is found in, as `verify` counts them."""
        if pattern not in self._found:
            search = re.compile(pattern).search
            self._found[pattern] = {at for at, line in enumerate(self._file.text.lines, 1) if search(line)}
        return self._found[pattern]

    def _find(self, name: str, node: Node) -> tuple[int, str] | None:
        """The line of a node that reads a variable or names a path, and how that is written there."""
        reads = re.compile(rf"\$\{{?[#!]?{name}\b" if name.isidentifier() else re.escape(name))
        for line in range(node.line, min(node.last_line, node.line + _LONG) + 1):
            if found := reads.search(self._file.text.lines[line - 1]):
                return line, found.group()
        return None

    def _read(self, text: str, place: tuple[int, str]) -> Claim:
        return Claim("quote", text, self._file.path, place[1], place[0])

    def _made_of(self, name: str, launch: Node, noun: str) -> Claim | None:
        """The last assignment before a launch that makes, out of `name`, a variable that it reads."""
        end = min(launch.end, launch.start + _SOME)
        read = variables_read(self._file.text.content[launch.start : end])
        for to, node in reversed(self._made_from.get(name, ())):
            if to in read and node.start < launch.start and (place := self._find(name, node)):
                text = f"Line {place[0]} makes `{to}`, which the {noun} reads, from `{name}`."
                return self._read(text, place)
        return None

    @cached_property
    def _sourced(self) -> Mapping[int, Node]:
        """Line -> the command on it that reads another file into the script."""
        return {c.line: c for c in self._file.commands if c.name in ("source", ".") and c.words[1:]}

    @cached_property
    def _bare(self) -> Mapping[str, set[int]]:
        """Name as written -> the lines of the commands that are a statement whose status nothing reads."""
        bare: dict[str, set[int]] = defaultdict(set)
        for c in self._file.commands:
            if c.words and c.statement.role is Role.BODY and c.status in (Status.LOST, Status.RESULT):
                bare[c.words[0]].add(c.line)
        return bare

    @cached_property
    def _made_from(self) -> Mapping[str, Sequence[tuple[str, Node]]]:
        """Variable -> what is assigned from it, and where."""
        made: dict[str, list[tuple[str, Node]]] = defaultdict(list)
        content = self._file.text.content
        for node in self._file.nodes:
            if node.kind == "variable_assignment" and (to := _ASSIGNED.match(content, node.start, node.end)):
                for name in variables_read(content[to.end() : min(node.end, to.end() + _SOME)]):
                    made[name].append((to[1], node))
        return made


def option_of(claim: Claim) -> str:
    """The option of which a claim says that no line sets it; "" of any other claim."""
    known = (option for option, pattern in _SPEAKS.items() if pattern == claim.pattern)
    return next(known, "") if claim.kind == "absent" else ""


def label(words: Sequence[str]) -> str:
    """A command for a sentence: long paths cut to their last part, the whole to about 60 characters."""
    short = [
        f"…/{unquoted(w).rstrip('/').rsplit('/', 1)[-1]}" if len(w) > 30 and "/" in w else w for w in words
    ]
    text = " ".join(" ".join(short).replace("`", "'").split())
    return text if len(text) <= 60 else text[:59].rstrip() + "…"
