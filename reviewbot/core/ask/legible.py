"""What a model is shown of a text that strangers wrote: without secrets, without what cannot be seen, and
inside a fence that it cannot close."""

from __future__ import annotations

from functools import lru_cache

from reviewbot.core import visible
from reviewbot.core.ask.redact import PLACEHOLDER, redacted
from reviewbot.core.patterns import pattern

WIDTH = 2_000  # characters of a line that are shown
CUT = "[… {:,} more characters of this line are not shown]"
BOM = "\ufeff"
_CUT = pattern(r"\[… [\d,]{1,20} more characters of this line are not shown\]")
_MARKS = str.maketrans({'"': "\\x22", "<": "\\x3c", ">": "\\x3e"})


class ForgedFence(ValueError):
    """A text holds the nonce of the fence that was to stand around it."""


@lru_cache(maxsize=64)
def legible(text: str) -> str:
    """`text` as it is shown, line for line. Quotes of a model are looked for in this. A byte order mark is
    no part of the first line."""
    shown = visible.visible(redacted(text.removeprefix(BOM).replace("\r\n", "\n").removesuffix("\r")))
    if len(shown) <= WIDTH:
        return shown
    return "\n".join(map(_cut, shown.split("\n")))


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else line[:WIDTH] + CUT.format(len(line) - WIDTH)


def is_cut(line: str) -> bool:
    """Whether a legible line is the beginning of a longer one."""
    return len(line) > WIDTH


def is_verbatim(text: str) -> bool:
    """Whether a text holds none of the marks that stand for what is not shown."""
    return not (PLACEHOLDER.search(text) or _CUT.search(text))


def escapes(text: str) -> frozenset[str]:
    """What is written in place of the characters of `text` that cannot be seen."""
    hidden = (c for c in set(text.replace("\r\n", "\n")) if visible.visible(c) != c)
    return frozenset(map(visible.visible, hidden))


def shown_path(path: str) -> str:
    """A file's name in one line, as it stands in the attribute of a fence."""
    return visible.name(redacted(path)).translate(_MARKS)


def fenced(kind: str, text: str, nonce: str, path: str = "") -> str:
    """A block of data, for `text` that is legible. `kind` is our own word.

    Raises ForgedFence for a text or a path that holds the nonce, in any case of its letters.
    """
    if nonce.lower() in f"{text}\n{path}".lower():
        raise ForgedFence("it holds the mark that tells data from instructions")
    named = f' path="{shown_path(path)}"' if path else ""
    return f'<data-{nonce} kind="{kind}"{named}>\n{text}\n</data-{nonce}>'
