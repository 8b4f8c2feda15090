"""Which row of a scope table claims a path."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from reviewbot.core import globs
from reviewbot.core.language import language
from reviewbot.core.types import ScopeRow


@lru_cache(maxsize=64)  # a review asks for the same few tables twice: before and after the diff is read
def matcher(rows: tuple[ScopeRow, ...]) -> Matcher:
    return Matcher(rows)


class Matcher:
    """Rows that start with "!" take paths away, wherever they stand. Of the others the first that
    matches counts, those of an interpreter (`#!sh`) last."""

    def __init__(self, rows: Sequence[ScopeRow]) -> None:
        self._by_first_line = {
            globs.INTERPRETERS[row.pattern]: row for row in rows if row.pattern in globs.INTERPRETERS
        }
        plain = [row for row in rows if row.pattern not in globs.INTERPRETERS]
        self._claims = _Table([row for row in plain if row.pattern[:1] != "!"])
        self._refuses = _Table([row for row in plain if row.pattern[:1] == "!"])

    def match(self, path: str, first_line: str = "") -> ScopeRow | None:
        """`first_line` matters only for a file whose name has no extension."""
        if not path.isascii():
            path = unicodedata.normalize("NFC", path)
        row = self._claims.first(path)
        if row is None and first_line.startswith("#!") and _is_bare(path):
            row = self._by_first_line.get(language(path, first_line))
        return None if row is None or self._refuses.first(path) else row

    def needs_first_line(self, path: str) -> bool:
        """Whether only the first line can tell if this file is claimed."""
        undecided = bool(self._by_first_line) and _is_bare(path) and not self._claims.first(path)
        return undecided and not self._refuses.first(path)


def _is_bare(path: str) -> bool:
    return "." not in path[path.rfind("/") + 1 :]


class _Table:
    """The rows as two regular expressions, one for file names and one for whole paths: three
    times as fast as one of whole paths."""

    def __init__(self, rows: Sequence[ScopeRow]) -> None:
        self._rows = rows
        # Only the token as written knows which of its stars are placeholders.
        exact = [globs.exact_glob(row.written or row.pattern) for row in rows]
        bare = ["/" not in glob and not globs.names_folder(glob) for glob in exact]
        self._names = _groups([f"/{g}" if b else None for g, b in zip(exact, bare, strict=True)])
        self._paths = _groups([None if b else g for g, b in zip(exact, bare, strict=True)])

    def first(self, path: str) -> ScopeRow | None:
        name = path[path.rfind("/") + 1 :]
        hits = [m.lastindex for m in (self._names.fullmatch(name), self._paths.fullmatch(path)) if m]
        return self._rows[min(i for i in hits if i) - 1] if hits else None


def _groups(patterns: Sequence[str | None]) -> re.Pattern[str]:
    """One expression with a group for each glob; one that is None matches nothing."""
    groups = (f"({globs.glob_regex(pattern)})" if pattern else "((?!))" for pattern in patterns)
    return re.compile("|".join(groups) or "(?!)", re.DOTALL)
