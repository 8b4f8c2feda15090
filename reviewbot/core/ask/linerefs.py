"""The numbers of lines in what a model says: put right where they were stated wrongly, and checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reviewbot.core.patterns import pattern

# `shop.py:4`, `shop.py#L4`, `shop.py:4-7`, `line 4`, `Lines 4-7`; a port and a time are none.
_REF = pattern(
    r"(?<![\w./-])(?P<file>[\w./-]{0,200}\w\.(?!(?:com|dev|io|local|net|org)\b)[A-Za-z]\w{0,7}"
    r"|(?:[\w./-]{0,200}/)?(?:Make|Docker)file)(?::|#L)(?P<a>\d{1,8})(?:-L?(?P<b>\d{1,8}))?(?!\w)"
    r"|\b[Ll]ines? (?P<c>\d{1,8})(?:(?:-|–| to | and )(?P<d>\d{1,8}))?(?!\w)"  # noqa: RUF001
)


class Ref(NamedTuple):
    said: str
    file: str  # "": not said
    numbers: tuple[int, ...]


class Lines(NamedTuple):
    """What is known of the lines that a finding speaks of."""

    own: str  # the path of the finding
    moves: Mapping[tuple[str, int], int]  # path and stated line -> the one at which it stands
    known: frozenset[tuple[str, int]]  # of which a receipt speaks


def refs(text: str) -> Iterator[Ref]:
    for m in _REF.finditer(text):
        numbers = (m[group] for group in "abcd")
        yield Ref(m[0], m["file"] or "", tuple(int(n) for n in numbers if n))


def corrected(text: str, lines: Lines) -> str:
    """`text` with the numbers of lines that were stated wrongly put right, each by its own file."""
    return _REF.sub(lambda m: _put_right(m, _path(m["file"], text, lines) or lines.own, lines), text)


def unknown(text: str, lines: Lines) -> str:
    """The first place that `text`, which is corrected, names and no receipt does; or ""."""
    for ref in refs(text):
        path = _path(ref.file, text, lines)
        at = {n for p, n in lines.known if p == path or not (path or ref.file)}
        if not at.issuperset(ref.numbers):
            return ref.said
    return ""


def same_file(said: str, path: str) -> bool:
    """Whether a name, which may lack its folders, is that of `path`."""
    return f"/{path}".endswith(f"/{said.removeprefix('./')}")


def _path(file: str, text: str, lines: Lines) -> str:
    """The file of which a number speaks: the one that stands with it, or else the only one in the text;
    "" for none that is known."""
    paths = dict.fromkeys((lines.own, *(path for path, _ in (*lines.known, *lines.moves))))
    if file:
        return next((path for path in paths if same_file(file, path)), "")
    named = [path for path in paths if path.rpartition("/")[2] in text]
    return named[0] if len(named) == 1 else ""


def _put_right(m: re.Match[str], path: str, lines: Lines) -> str:
    said = m[0]
    for group in "dcba":  # from behind, so that the places before stay
        if m[group]:
            start, end = (at - m.start() for at in m.span(group))
            number = lines.moves.get((path, int(m[group])), m[group])
            said = f"{said[:start]}{number}{said[end:]}"
    return said
