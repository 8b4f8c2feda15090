"""Shell: two folders told apart by their spelling, in front of an exit or of something that removes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.decided import decided, refuses
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.tree import Node, Role

_VARIABLE = r"[\"']?\$\{?([A-Za-z_]\w*|\d)(?:%/|:-)?\}?[\"']?"
_COMPARED = pattern(rf"(?<![\w$\"'/}}]){_VARIABLE}[ \t]+(?:==?|!=)[ \t]+{_VARIABLE}(?![\w/.$\"'{{-])")
_PATH = pattern(
    r"(?:^|_)\w*(?:dir|path|folder|root)(?:_?\d)?$|(?:^|_)(?:out|output|src|source|dst|dest)$", re.I
)
# Lists of folders, and what is called a root and is a number: no place that two spellings may name.
_NO_PATH = pattern(
    r"^PATH$|(?:LIBRARY|PYTHON|CLASS|MAN|INFO|GO|CD)_?PATH$|merkle|hash|digest|state_?root", re.I
)
_RESOLVES = pattern(r"\brealpath\b|\breadlink\s+-\w*[fem]|\bpwd\b|\bgit rev-parse\b|\bmktemp\b|\bcygpath\b")
_RESOLVED_NAMES = ("PWD", "OLDPWD", "HOME", "TMPDIR")
_WALKS_UP = pattern(r"\bdirname\b|%/\*")
_REMOVES = pattern(r"\brm\s+-\w*[rR]|\brmdir\b|\bmv\s|\brsync\b.*--delete|\bln\s+-\w*f")
_ASSIGNED = pattern(r"([A-Za-z_]\w*)\+?=(.*)", re.DOTALL)
_SOME = 500  # characters of a value that are read
_MANY = 5  # values of a name, and names in a value, that are looked at
_STEPS = 3  # assignments from one name to the next that are followed


def find_shell(file: ShellFile) -> Iterator[Hit]:
    if not _COMPARED.search(file.text.content):
        return
    spellings = _Spellings(file)
    for node in file.nodes:
        if node.kind == "test_command" or node.name == "test":
            found = _COMPARED.search(node.text[:_SOME])
            if found and spellings.may_differ(found[1], found[2]):
                is_equal = "!=" not in found[0]
                if effect := _effect(file, node, is_equal):
                    yield _hit(node, found[1], found[2], effect)


class _Spellings:
    """What the variables of a script were set to."""

    def __init__(self, file: ShellFile) -> None:
        self._values: dict[str, list[str]] = defaultdict(list)  # the first few of each name
        self._walking: set[str] = set()  # `[ "$parent" = "$dir" ]` ends a walk up to the root
        self._varying: set[str] = set()  # set to more than texts without a variable
        for node in file.nodes:
            if node.kind == "variable_assignment":
                found = _ASSIGNED.match(file.text.content, node.start, min(node.end, node.start + _SOME))
                if found:
                    self._note(found[1], found[2])

    def _note(self, name: str, value: str) -> None:
        if len(self._values[name]) < _MANY:
            self._values[name].append(value)
        if _WALKS_UP.search(value):
            self._walking.add(name)
        if "$" in value or "`" in value:
            self._varying.add(name)

    def may_differ(self, left: str, right: str) -> bool:
        """Whether two names of paths may hold two spellings of one place."""
        if not (_PATH.search(left) and _PATH.search(right)) or left == right:
            return False
        if any(_NO_PATH.search(name) or name in self._walking for name in (left, right)):
            return False
        one, other = self._is_raw(left), self._is_raw(right)
        return (one and not self._is_fixed(right)) or (other and not self._is_fixed(left))

    def _is_raw(self, name: str, steps: int = _STEPS) -> bool:
        """Whether a name holds what somebody typed: an argument, or the environment."""
        values = self._values.get(name, [])
        if name in _RESOLVED_NAMES or any(_RESOLVES.search(value) for value in values):
            return False
        return not values or any(self._is_given(value, steps) for value in values)

    def _is_given(self, value: str, steps: int) -> bool:
        if re.fullmatch(r"\"?\$\{?\d[^\s/]*", value.strip()):
            return True
        return steps > 0 and any(
            self._is_raw(name, steps - 1) for name in sorted(variables_read(value))[:_MANY]
        )

    def _is_fixed(self, name: str) -> bool:
        """Whether a name only ever holds texts without a variable: a mode, not a path."""
        return name in self._values and name not in self._varying


def _effect(file: ShellFile, test: Node, is_equal: bool) -> str:
    """What two spellings of one folder come to, in words; "" for what costs nothing."""
    if refuses(file, test):
        return "the guard lets it pass" if _runs_where(test, is_equal) else ""
    texts = (file.text.content[s.start : min(s.end, s.start + _SOME)] for s in decided(test))
    return "files are removed or moved by the answer" if any(map(_REMOVES.search, texts)) else ""


def _runs_where(test: Node, is_equal: bool) -> bool:
    """Whether what a test decides about runs where the two are equal; else it refuses too much, aloud."""
    node = test
    for _ in range(_STEPS):
        parent = node.parent
        if node.role is Role.NEGATED:
            is_equal = not is_equal
        elif node.role is Role.LEFT and parent is not None:
            return is_equal is (parent.operator != "||")
        elif node.role is Role.CONDITION or parent is None:
            break
        node = parent or node
    return is_equal


def _hit(test: Node, left: str, right: str, effect: str) -> Hit:
    return Hit(
        test.line,
        test.last_line,
        failure=f"`${left}` and `${right}` are compared as text: `runs/../out`, a trailing slash or a link "
        f"spells the same folder differently, and {effect}.",
        cost="The folder that the guard protects is written over or removed, with what is in it.",
        fix=f'Compare `$(realpath -m "${left}")` with `$(realpath -m "${right}")`.',
        grade=Grade.STRONG,
    )
