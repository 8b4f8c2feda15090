"""Who relies on the status of a pipeline: whoever reads it, errexit, the caller of the script."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.masked_exit_code.pipes import Pipe
from reviewbot.detectors.masked_exit_code.readers import Readers, Reading
from reviewbot.detectors.masked_exit_code.work import Work
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import Node, Role, Status

_OTHER_STATUS = pattern(r"(?:PIPESTATUS|pipestatus)(?:\[([^\]]*)\])?")
_COMMENT = pattern(r"(?:^|(?<=[\s;]))#[^\n]*", re.MULTILINE)
_RUNS = ("command", "declaration_command", "unset_command", "variable_assignment", "test_command")
_OTHER_BRANCHES = ("else_clause", "elif_clause", "case_item")
_TRUE = ("true", ":")
_JUDGES = pattern(r"\b(?:exit|return)\b(?!\s+0)|\b(?:die|fail\w*|abort|false)\b|=[1-9]\b")
_STOPS = pattern(r"(?:e|f|z)?grep\b|rg\b|diff\b|cmp\b|(?:test|\[\[?)[ \t]+(?:![ \t]+)?-[efsrx][ \t]")
_CI = pattern(r"(?:^|/)(?:\.github|\.gitlab[^/]*|\.buildkite|\.circleci|ci|jenkins\w*)(?:/|$)", re.IGNORECASE)
_CARES = pattern(r"\|\|\s*(?:\{[^}]{0,80}\b)?(?:exit|return|die)\b|\$\?")
_NEAR = 3  # statements behind the pipe that may judge by its log
_SOON = 20  # nodes behind a pipe among which the next command is looked for
_SHORT = 4  # characters of a file name that tells one file from others
_SOME = 2000  # characters of a statement that are read


class Masked(NamedTuple):
    """A pipe whose status somebody relies on. `reading` is None where errexit or a caller does."""

    pipe: Pipe
    reading: Reading | None
    grade: Grade
    stops: bool = False  # errexit is on, and was to stop the script here
    ends: bool = False  # the status of the script is that of the filter
    used: Node | None = None  # a later statement works on what was written


class Reliance:
    def __init__(self, file: ShellFile, readers: Readers) -> None:
        self._file = file
        self._readers = readers

    def masked(self, pipe: Pipe) -> Masked | None:
        pipefail = self._file.options.pipefail_at(pipe.node)
        if pipefail is Setting.ON or pipe.node.background:
            return None
        if self._is_kept(pipe):
            return None
        if reading := self._reading(pipe):
            if reading.unread:
                return None  # whoever keeps a status expects to go on, and judges by something else
            sure = pipefail is Setting.OFF and not reading.said
            sure &= pipe.work >= Work.MAYBE or reading.how == "if"
            return Masked(pipe, reading, Grade.STRONG if sure else Grade.HINT)
        if pipe.work is not Work.SURE or pipefail is not Setting.OFF or pipe.product:
            return None
        if pipe.node.status in (Status.READ, Status.MASKED) or self._is_judged_by_log(pipe):
            return None
        if self._file.options.errexit_at(pipe.node) is Setting.ON:
            return Masked(pipe, None, Grade.STRONG, stops=True)
        if self._ends_script(pipe.node):
            in_ci = _CI.search(self._file.path)
            return Masked(pipe, None, Grade.STRONG if in_ci else Grade.HINT, ends=True)
        used = self._used(pipe) if self._cares else None
        return Masked(pipe, None, Grade.HINT, used=used) if used else None

    def _is_kept(self, pipe: Pipe) -> bool:
        """Whether the next command reads PIPESTATUS of a stage that works: the one after is too late."""
        content, start = self._file.text.content, pipe.node.end
        following = self._next(start)
        end = min(following.end if following else len(content), start + _SOME)
        read = _OTHER_STATUS.finditer(_COMMENT.sub("", content[start:end]))
        return any(self._is_stage(found[1], pipe) for found in read)

    @staticmethod
    def _is_stage(index: str | None, pipe: Pipe) -> bool:
        """Whether an index means a stage that works; a variable may, and none at all is the first stage."""
        index = (index or "0").strip()
        return not index.isdecimal() or int(index[:4]) in pipe.lost

    def _next(self, place: int) -> Node | None:
        """What runs first behind a place: not `|| true`, and not the branch that is not taken."""
        at = bisect_left(self._starts, place)
        for node in self._file.nodes[at : at + _SOON]:
            if node.start < place:
                continue
            if node.kind in _OTHER_BRANCHES:
                place = node.end
            elif node.kind in _RUNS and not (node.role is Role.RIGHT and node.name in _TRUE):
                return node
        return None

    @cached_property
    def _starts(self) -> list[int]:
        return [node.start for node in self._file.nodes]

    @cached_property
    def _cares(self) -> bool:
        """Whether this script reads any status at all."""
        return bool(_CARES.search(self._file.text.content))

    def _reading(self, pipe: Pipe) -> Reading | None:
        readings = list(self._readers.of(pipe.node))
        if pipe.work is Work.LOOKS:
            readings = [r for r in readings if r.how in ("if", "||", "$?") and not r.said]
        return min(readings, key=lambda r: r.said, default=None)

    def _is_judged_by_log(self, pipe: Pipe) -> bool:
        """Whether one of the next statements looks into what `tee` wrote, and fails by that.

        Under errexit a bare `grep -q PASSED log` does, and so does `test -f …` on the very next line.
        """
        statement: Node | None = pipe.node.statement
        for at in range(_NEAR):
            statement = self._readers.following(statement) if statement else None
            if statement is None:
                return False
            text = self._text(statement)
            named = not pipe.written or any(f in text for f in pipe.written)
            if named and _JUDGES.search(text):
                return True
            if _STOPS.match(text) and (named or at == 0) and self._stops(statement):
                return True
        return False

    def _stops(self, statement: Node) -> bool:
        """Whether errexit ends the script when a bare command fails."""
        bare = innermost(statement).kind in ("command", "test_command") and not statement.background
        return bare and self._file.options.errexit_at(statement) is Setting.ON

    def _ends_script(self, node: Node) -> bool:
        while node.parent is not None and node.parent.kind == "redirected_statement":
            node = node.parent
        return node.parent is self._file.tree and self._file.tree.last_statement is node

    def _used(self, pipe: Pipe) -> Node | None:
        """A later statement of the same sequence that works on a file that `tee` wrote."""
        names = [f for f in pipe.written if len(f) > _SHORT]
        statement: Node | None = pipe.node.statement
        for _ in range(_NEAR):
            statement = self._readers.following(statement) if statement else None
            if statement is None or not names:
                return None
            if any(name in self._text(statement) for name in names):
                return statement
        return None

    def _text(self, node: Node) -> str:
        return self._file.text.content[node.start : min(node.end, node.start + _SOME)]
