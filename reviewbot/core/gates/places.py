"""Which places the output of a gate that executes names: tracebacks, failed tests, `path:line: message`,
and results in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from reviewbot.core.gates.sarif import Said, document
from reviewbot.core.patterns import pattern

MOST = 50  # failures of one run; the rest of its output is for people
LONGEST = 1000  # characters of a line that names a place

_FRAME = pattern(r'[ |+]*File "([^"]+)", line (\d+)(?:, in .*)?')
_INDENT = pattern(r"[ |+]*")
_RAISED = pattern(r"((?:\w+\.)*[A-Z]\w*)(?:: (.*))?")
_COLUMNS = pattern(r"([^\s:][^:]*):(\d+):(?:(\d+):)? *(\S.*)")
_SHELL = pattern(r"([^\s:][^:]*): (?:line )?(\d+): (\S.*)")  # bash; dash without "line"
_BATS = pattern(r"# +\(?.*in test file ([^,]+), line (\d+)\)")
_WHY = pattern(r"E {2,}(\S.*)")  # pytest's, above the place
_TEST = pattern(r"_{3,} (\S(?:.{0,200}\S)?) _{3,}")  # pytest's, above the block of a failure
_LEVEL = pattern(r"(?:fatal )?error:? ", re.IGNORECASE)
_CODE = pattern(r"([A-Z]{1,5}\d{3,4}):? ")
_SHORT = pattern(r"in \S+")  # a frame of pytest's short traceback: its source is indented below
_REMARK = pattern(
    r"(?:(?:\w+\.)*\w*Warning|warning|note|info|hint|help)(?:\[[\w-]*\])?(?::|$)", re.IGNORECASE
)


class Passage(NamedTuple):
    """The rows of an output, by number from 0, that say one failure, or, without one, that only look so: a
    frame, a warning. One of a document has none."""

    said: Said | None
    rows: tuple[int, ...] = ()


class _Frame(NamedTuple):
    path: str
    line: int
    quote: str  # what the program says that stands there; ""


def said(output: str, most: int = MOST) -> tuple[Said, ...]:
    """The first failures that an output places, in its order. The places of a traceback are its frames,
    of which the last can lie outside the tree."""
    found = (one.said for one in passages(output)[1] if one.said and one.said.where)
    seen: dict[Said, Said] = {}
    for one in found:
        if len(seen) < most:
            seen.setdefault(one._replace(test=""), one)
    return tuple(seen.values())


@lru_cache(maxsize=8)  # it is asked some ten times for each of two outputs: 500,000 rows took 17 s
def passages(output: str) -> tuple[tuple[str, ...], tuple[Passage, ...]]:
    """The rows behind the document that an output starts with, and what it says in both."""
    results: Iterator[Said] = iter(())
    if found := document(output):
        results, output = found
    rows = tuple(row.rstrip("\r") for row in output.split("\n"))
    read = _read([row if len(row) <= LONGEST else "" for row in rows])
    return rows, (*map(Passage, results), *read)


def _read(rows: Sequence[str]) -> Iterator[Passage]:
    frames: list[_Frame] = []
    trace: list[int] = []
    why = test = ""
    above: list[int] = []
    for i, (row, after) in enumerate(zip(rows, [*rows[1:], ""], strict=True)):
        if not row:
            continue
        if header := _TEST.fullmatch(row):
            test = header[1]
        elif reason := _WHY.fullmatch(row):
            why = why or reason[1]
            above.append(i)
        elif frame := _FRAME.fullmatch(row):
            frames.append(_Frame(frame[1], _number(frame[2]), _below(row, after)))
            trace += [i, *_source(rows, i)]
        elif frames and (raised := _RAISED.fullmatch(row)):
            yield Passage(_raised(frames, raised[1], raised[2] or raised[1]), (*trace, i))
            frames, trace = [], []
        elif row.startswith("Traceback "):
            frames, trace = [], [i]
        elif bats := _BATS.fullmatch(row):
            words = after.lstrip("# ") or "a test fails"
            yield Passage(Said(_where(bats[1], bats[2]), "", words), (i,))
        elif place := _COLUMNS.fullmatch(row):
            harmless = _SHORT.fullmatch(place[4]) and after[:1].isspace()
            one = None if harmless else _message(place[1], place[2], place[4], why)
            yield Passage(one and one._replace(test=test if above else ""), (*above, i))
            why, above = ("", []) if not harmless else (why, above)
        elif place := _SHELL.fullmatch(row):
            yield Passage(_message(place[1], place[2], place[3]), (i,))


def _source(rows: Sequence[str], frame: int) -> Iterator[int]:
    """The numbers of the rows below a frame that show its line: the text of it, and marks."""
    for i in range(frame + 1, min(frame + 3, len(rows))):
        if rows[i][:1] not in (" ", "|", "+") or _FRAME.fullmatch(rows[i]):
            return
        yield i


def _number(digits: str) -> int:
    """A line; 0 where no file can have so many."""
    return int(digits) if len(digits) <= 7 else 0


def _where(path: str, line: str) -> tuple[tuple[str, int], ...]:
    return ((path, number),) if (number := _number(line)) else ()


def _below(row: str, after: str) -> str:
    """What a traceback quotes of the line of a frame: it stands below, further to the right."""
    start, own = (_INDENT.match(text) for text in (after, row))
    deeper = start and own and start.end() > own.end()
    return after[start.end() :].strip() if start and deeper and not _FRAME.fullmatch(after) else ""


def _raised(frames: Sequence[_Frame], code: str, message: str) -> Said:
    last = [frame for frame in frames[:-101:-1] if frame.line]
    return Said(tuple((f.path, f.line) for f in last), code, message, quoted=tuple(f.quote for f in last))


def _message(path: str, line: str, message: str, why: str = "") -> Said | None:
    if _REMARK.match(message):
        return None
    where = _where(path, line)
    if why and _RAISED.fullmatch(message):
        return Said(where, message, why.removeprefix(f"{message}: "))
    message = _LEVEL.sub("", message, count=1) or message
    code = _CODE.match(message)
    return Said(where, code[1] if code else "", message[code.end() :] if code else message)
