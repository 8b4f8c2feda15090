"""Which lines a change made what they are: those that it adds or takes away, if they say something, and
were not only re-indented, converted or moved (law 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Change, FileChange, Hunk, Side, Status, Text

_WORD = pattern(r"\w")  # a lone `#` or brace says nothing
_INDENTED = (".py", ".pyi", ".yml", ".yaml", ".nim", ".haml", ".slim", ".coffee", ".fs", ".hs")

Read = Callable[[Side, str], Text | None]


def fresh(file: FileChange, side: Side, change: Change, read: Read, perhaps: Read) -> set[int]:
    """The numbers of such lines of one file. Where its hunks were not read, its texts are
    compared. `perhaps` reads what was deleted: None where it cannot."""
    if not file.hunks:
        return _compared(file, side, read)
    lines = {n for hunk in file.hunks for n in _of_hunk(hunk, side, file.path)}
    return lines - _moved(file, change, perhaps) if side is Side.RIGHT and lines else lines


def _compared(file: FileChange, side: Side, read: Read) -> set[int]:
    """The lines of a side of which the other has fewer."""
    text, other = read(side, file.path), read(_other(side), file.path)
    lines = [" ".join(line.split()) for line in text.lines] if text else []
    more = Counter(lines) - Counter(" ".join(line.split()) for line in (other.lines if other else ()))
    return {n for n, line in enumerate(lines, 1) if more[line] and _WORD.search(line)}


def _of_hunk(hunk: Hunk, side: Side, path: str) -> Iterator[int]:
    """The changed lines of one side that the other side has not in other white space."""
    added, removed = (
        {line.text: line.text.strip() for line in hunk.lines() if line.mark == mark} for mark in "+-"
    )
    other = removed if side is Side.RIGHT else added
    words, ended = set(other.values()), {text.rstrip() for text in other}
    # What is indented otherwise because a guard around it went is new. So it is where white space is
    # syntax, and no line came that it now stands under.
    came, went = (not set(a.values()) <= set(b.values()) for a, b in ((added, removed), (removed, added)))
    only_indented = not went and (came or not path.endswith(_INDENTED))
    for line in hunk.lines():
        number = line.new if side is Side.RIGHT else line.old
        if line.mark != ("+" if side is Side.RIGHT else "-") or not number or not _WORD.search(line.text):
            continue
        text = line.text.rstrip()
        converted = line.text not in other and text in ended
        indented = only_indented and text not in ended and text.strip() in words
        if not (converted or indented):
            yield number


def _moved(file: FileChange, change: Change, read: Read) -> set[int]:
    """The added lines that another file lost together with a line beside them."""
    lost = set(chain.from_iterable(_lost(f, read) for f in change.files if f.path != file.path))
    moved: set[int] = set()
    for hunk in file.hunks if lost else ():
        added = [line for line in hunk.lines() if line.mark == "+" and line.text.strip()]
        known = [line.text.strip() in lost for line in added]
        for line, own, *near in zip(added, known, [False, *known], [*known[1:], False], strict=False):
            if own and any(near) and line.new:
                moved.add(line.new)
    return moved


def _lost(file: FileChange, read: Read) -> Iterator[str]:
    if file.status is Status.DELETED and not file.hunks:
        text = read(Side.LEFT, file.path)
        yield from (line.strip() for line in text.lines) if text else ()
    yield from (line.text.strip() for hunk in file.hunks for line in hunk.lines() if line.mark == "-")


def _other(side: Side) -> Side:
    return Side.LEFT if side is Side.RIGHT else Side.RIGHT
