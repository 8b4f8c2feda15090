"""Shell that stands in a workflow: as a text that shell detectors read, and the way of a hit back.

A block becomes a Text of the file's path in which every other line is blank, so that line numbers
hold. Its first line, where no workflow has a script, is a `#!` line with the options of the step's
own shell, and LIMITED where the step or its job has a limit. An expression `${{ … }}` is masked by
a word of the same length.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.language import SHELLS, interpreter
from reviewbot.core.types import Claim, Edit, Text
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.facts import option_of
from reviewbot.detectors.workflow import Run, Scalar, normal, runs

# Of all texts of one file, each of them as long as the way to its block, and of what stands in them:
# twice as much as in the largest of 130 public workflows, and about a second each.
MAX_LINES = 150_000
MAX_CHARACTERS = 100_000
FOLDED = "its lines are not those of the file"
TOO_MUCH = "from there on this file holds more shell than is read of one workflow"
LIMITED = " # timeout-minutes"  # behind the shell of a step that has a limit, or whose job has one
_JOINT = " \\"  # behind a line that YAML joins with the next: the shell does the same
# A comment ends with its line, and so does the start of a heredoc: no joint can stand behind them.
_UNJOINABLE = re.compile(r"(?:^|\s)#|<<")

_NAME = re.compile(r"[\w.+-]{1,20}(?!\S)")
_EXPRESSION = re.compile(r"\$\{\{(?>(?:[^'}]|'[^']*'|\}(?!\}))*)\}\}")
_MASK = re.compile(r"Zq(\d{4})z*")
_NUMBERED = 6  # characters of the shortest mask that says which expression it stands for
_MANY = 10_000  # expressions that four digits can tell apart


class Blocks(NamedTuple):
    """The `run:` blocks of a file. Where all three are empty, it has none."""

    read: tuple[Block, ...]
    unread: Mapping[str, Sequence[int]]  # why -> lines of the shell that could not be read
    foreign: Mapping[str, int]  # what runs them, if no shell does -> how many


def blocks(file: Text) -> Blocks:
    """The shell in a workflow. Raises SyntaxError, with the line, where it is no YAML or hostile."""
    content = normal(file.content)
    lines = Text(file.path, content).lines
    read: list[Block] = []
    unread: dict[str, list[int]] = defaultdict(list)
    foreign: dict[str, int] = defaultdict(int)
    total = size = 0
    for run in runs(content):
        line = run.script.start[0]
        placed = _placed(run.script, lines)
        if interpreter(f"#!{run.shell}") not in SHELLS:
            named = _NAME.match(run.shell)
            foreign[named[0] if named else "another shell"] += 1
        elif placed is None:
            unread[FOLDED].append(line)
        elif placed.rows:
            total += placed.start + len(placed.rows)
            size += len(run.script.value)
            if total > MAX_LINES or size > MAX_CHARACTERS:
                unread[TOO_MUCH].append(line)
                break
            read.append(Block(file, run, placed))
    return Blocks(tuple(read), unread, foreign)


class Placed(NamedTuple):
    """The rows of a script, the first of them at line `start` of its file."""

    start: int
    rows: tuple[str, ...]
    indent: str | None = None  # what stands before each row; None where more than that is changed


class Block:
    """One script of a workflow: `text` is what the detectors read, `found` leads a hit back."""

    def __init__(self, file: Text, run: Run, placed: Placed) -> None:
        self._file = file
        self._run = run
        self._start, self._rows, self._indent = placed
        self._expressions: list[str] = []
        self._counts: dict[str, int] = {}
        script = "\n".join(self._rows)
        masked = self._masked(script)
        limit = LIMITED if run.limited else ""
        self.text = Text(file.path, f"#!{run.shell}{limit}{chr(10) * (self._start - 1)}{masked}\n")
        self.within = (self._start, self._start + len(self._rows) - 1)
        self._writable = self.shown(masked) == script and self._is_written_so()

    def _is_written_so(self) -> bool:
        """Whether the file has these very rows behind their indentation."""
        lines = self._file.lines[self._start - 1 : self.within[1]]
        return self._indent is not None and all(
            line == self._indent + row or not row for line, row in zip(lines, self._rows, strict=True)
        )

    def found(self, hit: Hit) -> Hit:
        """The same hit in the words of the file: expressions unmasked, claims kept to this block."""
        claims = (own for claim in hit.claims for own in self._claims(claim))
        return hit._replace(
            failure=self.shown(hit.failure),
            cost=self.shown(hit.cost),
            fix=self.shown(hit.fix),
            edit=self._edit(hit.edit) if hit.edit else None,
            claims=tuple(dict.fromkeys(claims)),
        )

    def _edit(self, edit: Edit) -> Edit | None:
        first, last = self.within
        if not self._writable or not first <= edit.start_line <= edit.line <= last:
            return None
        rows = (f"{self._indent}{self.shown(row)}" if row else "" for row in edit.replacement.split("\n"))
        replacement = "\n".join(rows)
        return edit._replace(replacement=replacement)

    def _claims(self, claim: Claim) -> Iterator[Claim]:
        """The claim of the file's own lines; nothing where those do not show it one by one."""
        claim = claim._replace(text=self.shown(claim.text))
        if claim.kind == "quote" and claim.line is not None:
            if quote := self._quote(claim, claim.line):
                yield quote
        elif claim.kind == "count" and claim.expected is not None:
            expected = claim.expected - bool(re.search(claim.pattern, self.text.first_line))
            if expected > 0 and self._count(claim.pattern) == expected:
                yield claim._replace(expected=expected, within=self.within)
        elif option := option_of(claim):
            yield from self._unset(claim, option)
        else:
            yield claim._replace(within=self.within)

    def _unset(self, claim: Claim, option: str) -> Iterator[Claim]:
        """That an option is not set: neither by what starts the shell, nor by a line of this block."""
        text = f"No line of this block sets {option}."
        if self._run.shell_line:
            yield self._of_shell(self._run.shell_line, f": without {option}")
        else:
            text = f"GitHub's default shell, `{self._run.shell}`, sets errexit, not {option}. {text}"
        yield claim._replace(text=text, within=self.within)

    def _quote(self, claim: Claim, line: int) -> Claim | None:
        if line < self._start:  # the `#!` line: said by the line that names the shell, if one does
            return self._of_shell(self._run.shell_line) if self._run.shell_line else None
        at = self.text.lines[line - 1].find(claim.pattern)
        row = self._rows[line - self._start][at : at + len(claim.pattern)]
        written = self._file.lines[line - 1]
        quotes = (quote for quote in (row, row.removesuffix(_JOINT)) if quote and quote in written)
        return next((claim._replace(pattern=quote) for quote in quotes), None)

    def _of_shell(self, line: int, lacks: str = "") -> Claim:
        text = f"Line {line} has this block run by `{self._run.shell}`{lacks}."
        return Claim("quote", text, self._file.path, self._file.lines[line - 1].strip(), line)

    def _count(self, pattern: str) -> int:
        if pattern not in self._counts:
            first, last = self.within
            search = re.compile(pattern).search
            self._counts[pattern] = sum(bool(search(row)) for row in self._file.lines[first - 1 : last])
        return self._counts[pattern]

    def _masked(self, script: str) -> str:
        """Every expression as a word, the same word for the same expression."""
        known: dict[str, int] = {}
        parts: list[str] = []
        at = 0
        while (start := script.find("${{", at)) >= 0 and (found := _EXPRESSION.match(script, start)):
            rows = found.group().split("\n")
            words = [_word(row, known.setdefault(row, len(known))) for row in rows]
            # Of several lines each but the last continues: the shell sees one command.
            parts += script[at:start], "".join(f"{word[:-1]}\\\n" for word in words[:-1]), words[-1]
            at = found.end()
        self._expressions = list(known)
        return "".join((*parts, script[at:]))

    def shown(self, text: str) -> str:
        """A text with the expressions back in it; one that was cut short stays as short."""
        return _MASK.sub(self._expression, text)

    def _expression(self, mask: re.Match[str]) -> str:
        number = int(mask[1])
        known = number < len(self._expressions)
        return self._expressions[number][: len(mask[0])] if known else mask[0]


def _word(expression: str, number: int) -> str:
    indent, length = len(expression) - len(expression.lstrip()), len(expression)
    named = f"Zq{number:04d}" if length - indent >= _NUMBERED and number < _MANY else ""
    return " " * indent + named.ljust(length - indent, "z")


def _placed(script: Scalar, lines: Sequence[str]) -> Placed | None:
    """None where a row of the script is not surely one line of the file, and not its first."""
    line, last = script.start[0], script.end[0]
    if not script.value.strip():
        return Placed(line, ())
    if script.style == "|":
        return _literal(script.value.rstrip("\n").split("\n"), line + 1, lines)
    if script.style == ">":
        return _joined(script.value, line + 1, _unindented(lines[line:last]))
    if line == 1 or (line == last and "\n" in script.value):
        return None
    if line == last:
        return Placed(line, (script.value,))
    return _joined(script.value, line, _flowing(script, lines[line - 1 : last]))


def _literal(rows: list[str], start: int, lines: Sequence[str]) -> Placed | None:
    blank = next(at for at, row in enumerate(rows) if row)
    start, rows = start + blank, rows[blank:]
    written = lines[start - 1 : start - 1 + len(rows)]
    if len(written) < len(rows):
        return None
    indent = written[0].removesuffix(rows[0])
    same = (w == indent + row or not (w.strip() or row) for w, row in zip(written, rows, strict=True))
    return Placed(start, tuple(rows), indent) if not indent.strip() and all(same) else None


def _unindented(lines: Sequence[str]) -> list[str]:
    """The rows of a block: they end before the first line that is indented less."""
    indents = [len(line) - len(line.lstrip(" ")) if line.strip() else None for line in lines]
    own = next((indent for indent in indents if indent is not None), 0)
    end = next((at for at, indent in enumerate(indents) if indent is not None and indent < own), len(lines))
    return [line[own:] for line in lines[:end]]


def _flowing(script: Scalar, lines: Sequence[str]) -> list[str]:
    """The rows of a plain or quoted text of several lines."""
    mark = len(script.style)
    first = lines[0][script.start[1] + mark :]
    last = lines[-1][: script.end[1] - mark]
    return [row.strip() for row in (first, *lines[1:-1], last)]


def _joined(value: str, start: int, rows: list[str]) -> Placed | None:
    """Rows that YAML folds into one are joined by the shell instead, if that comes to the same."""
    folded: list[str] = []
    result, last = list(rows), None
    for at, row in enumerate(rows):
        if not row:
            continue
        gap = at - last - 1 if last is not None else at
        if last is None or rows[last][0] in " \t" or row[0] in " \t":
            folded.append("\n" * (gap + (last is not None)))
        elif gap:
            folded.append("\n" * gap)
        elif _UNJOINABLE.search(rows[last]) or rows[last].count("'") % 2:
            return None
        else:
            folded.append(" ")
            result[last] += _JOINT
        folded.append(row)
        last = at
    same = "".join(folded) == value.rstrip("\n")
    return Placed(start, tuple(result)) if same else None
