"""What a placeholder stands for in a path: `convert-<model>.sh` says it of convert-small.sh."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from reviewbot.core.globs import CAPTURED, exact_glob, glob_regex
from reviewbot.core.patterns import pattern

_IN_BRACES = pattern(rf"\{{[^{{}}]*{CAPTURED[0]}[^{{}}]*\}}")


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
        return CAPTURED

    glob = exact_glob(written, mark)
    if _IN_BRACES.search(glob):  # one of several spellings: a match need not have it
        return (), re.compile(glob_regex(exact_glob(written)), re.DOTALL)
    return tuple(found), re.compile(glob_regex(glob), re.DOTALL)
