"""Which places the output of a gate that executes names: tracebacks, failed tests, `path:line: message`,
and results in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from reviewbot.core.gates.sarif import Said, document
from reviewbot.core.patterns import pattern

MOST = 50  # failures of one run; the rest of its output is for people
LONGEST = 1000  # characters of a line that names a place

_FRAME = pattern(r'[ |+]*File "([^"]+)", line (\d+)(?:, in .*)?')
_RAISED = pattern(r"((?:\w+\.)*[A-Z]\w*)(?:: (.*))?")
_COLUMNS = pattern(r"([^\s:][^:]*):(\d+):(?:(\d+):)? *(\S.*)")
_SHELL = pattern(r"([^\s:][^:]*): (?:line )?(\d+): (\S.*)")  # bash; dash without "line"
_BATS = pattern(r"# +\(?.*in test file ([^,]+), line (\d+)\)")
_WHY = pattern(r"E {2,}(\S.*)")  # pytest's, above the place
_LEVEL = pattern(r"(?:fatal )?error:? ", re.IGNORECASE)
_CODE = pattern(r"([A-Z]{1,5}\d{3,4}):? ")
# No failures: the frames of a short traceback, and what is only a warning.
_HARMLESS = pattern(r"in \S+$|(?:\w+\.)*\w*Warning\b|(?:warning|note|info|hint|help)\b", re.IGNORECASE)


def said(output: str, most: int = MOST) -> tuple[Said, ...]:
    """The first failures that an output places, in its order. The places of a traceback are its frames,
    of which the last can lie outside the tree."""
    return tuple(islice(dict.fromkeys(_read(output)), most))


def _read(output: str) -> Iterator[Said]:
    if not (found := document(output)):
        yield from _rows(output)
        return
    results, rest = found
    yield from results
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
