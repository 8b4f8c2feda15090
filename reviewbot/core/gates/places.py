"""Which places the output of a gate that executes names: tracebacks, failed tests, `path:line: message`,
and results in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from reviewbot.core.gates.sarif import document

MOST = 50  # that one run names; the rest of its output is for people
LONGEST = 1000  # characters of a line that names a place

_FRAME = re.compile(r'[ |+]*File "([^"]+)", line (\d+)(?:, in .*)?')
_RAISED = re.compile(r"((?:\w+\.)*[A-Z]\w*)(?:: (.*))?")
_COLUMNS = re.compile(r"([^\s:][^:]*):(\d+):(?:(\d+):)? *(\S.*)")
_SHELL = re.compile(r"([^\s:][^:]*): (?:line )?(\d+): (\S.*)")  # bash; dash without "line"
_BATS = re.compile(r"# +\(?.*in test file ([^,]+), line (\d+)\)")
_WHY = re.compile(r"E {2,}(\S.*)")  # pytest's, above the place
_LEVEL = re.compile(r"(?:fatal )?error:? ", re.IGNORECASE)
_CODE = re.compile(r"([A-Z]{1,5}\d{3,4}):? ")
# No failures: the frames of a short traceback, and what is only a warning.
_HARMLESS = re.compile(r"in \S+$|(?:\w+\.)*\w*Warning\b|(?:warning|note|info|hint|help)\b", re.IGNORECASE)


class Said(NamedTuple):
    """One failure. `where` are the places that may be meant, the likeliest first: of a traceback its
    frames, of which the last can lie outside the tree."""

    where: tuple[tuple[str, int], ...]  # path as it was printed, line
    code: str  # "AssertionError", "E501"; ""
    message: str
    level: str = "error"  # "error" | "warning" | "note"


def said(output: str) -> tuple[Said, ...]:
    """The failures that an output places, in its order, at most MOST."""
    return tuple(islice(dict.fromkeys(_read(output)), MOST))


def _read(output: str) -> Iterator[Said]:
    if not (found := document(output)):
        yield from _rows(output)
        return
    results, rest = found
    yield from (Said(told.where, told.code, told.message, told.level) for told in results)
    yield from _rows(rest)


def _rows(output: str) -> Iterator[Said]:
    frames: list[tuple[str, int]] = []
    why = ""
    rows = [row.rstrip("\r") if len(row) <= LONGEST else "" for row in output.split("\n")]
    for row, after in zip(rows, [*rows[1:], ""], strict=True):
        if reason := _WHY.fullmatch(row):
            why = why or reason[1]
        elif frame := _FRAME.fullmatch(row):
            frames.append((frame[1], int(frame[2])))
        elif frames and (raised := _RAISED.fullmatch(row)):
            yield Said(tuple(reversed(frames[-100:])), raised[1], raised[2] or raised[1])
            frames = []
        elif row.startswith("Traceback "):
            frames = []
        elif bats := _BATS.fullmatch(row):
            yield Said(((bats[1], int(bats[2])),), "", after.lstrip("# ") or "a test fails")
        elif place := _COLUMNS.fullmatch(row):
            yield from _message(place[1], place[2], place[4], why)
            why = ""
        elif place := _SHELL.fullmatch(row):
            yield from _message(place[1], place[2], place[3])


def _message(path: str, line: str, message: str, why: str = "") -> Iterator[Said]:
    if _HARMLESS.match(message) or len(line) > 7:
        return
    if why and _RAISED.fullmatch(message):
        yield Said(((path, int(line)),), message, why.removeprefix(f"{message}: "))
        return
    message = _LEVEL.sub("", message, count=1) or message
    code = _CODE.match(message)
    yield Said(((path, int(line)),), code[1] if code else "", message[code.end() :] if code else message)
