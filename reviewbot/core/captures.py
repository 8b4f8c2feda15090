"""What a placeholder stands for in a path: `convert-<model>.sh` says it of convert-small.sh."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from reviewbot.core.globs import exact_glob, glob_regex
from reviewbot.core.patterns import pattern

# A placeholder is a `?` and a `*` for globs.py. The regular expression puts the text behind a `*` into the
# group of that `*`, so what a placeholder stands for is two groups.
_MARKED = "\x04?\x05*"
_GROUPS = pattern(r"\x04\[\^/\]\x05(\)?(?:\(\?>)?)\[\^/\]\*(\??)")
_IN_BRACES = pattern(r"\{[^{}]*\x04[^{}]*\}")


def names(written: str) -> tuple[str, ...]:
    """The placeholders of a pattern (with their brackets) for which a path that it matches has a value."""
    return _compiled(written)[0]


def values(written: str, path: str) -> Mapping[str, str] | None:
    """By placeholder; None for a path that the pattern does not match. No value holds a `/`."""
    found, regex = _compiled(written)
    match = regex.fullmatch(path) or regex.fullmatch(unicodedata.normalize("NFC", path))
    if match is None:
        return None
    parts = [part for part in match.groups() if part is not None]
    pairs = zip(found, parts[::2], parts[1::2], strict=False)  # none where `found` is empty
    return {name: first + rest for name, first, rest in reversed(list(pairs))}


@lru_cache(maxsize=256)
def _compiled(written: str) -> tuple[tuple[str, ...], re.Pattern[str]]:
    found: list[str] = []

    def mark(placeholder: re.Match[str]) -> str:
        found.append(placeholder[0])
        return _MARKED

    glob = exact_glob(written, mark)
    if _IN_BRACES.search(glob):  # one of several spellings: a match need not have it
        return (), re.compile(glob_regex(exact_glob(written)), re.DOTALL)
    regex = _GROUPS.sub(r"([^/])\1([^/]*\2)", glob_regex(glob))
    return tuple(found), re.compile(regex, re.DOTALL)
