"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
from typing import Any, cast


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Like re.compile. Write `(?>(?:…)*)` and not `(?:…)*+`: Python 3.11.2, Debian 12's, does not match a
    possessive group where it should (`[…]*+` it does).

    A start compiled 480 expressions, which took a quarter of a small review; most
    are for a file, or a fault, that it does not have."""
    return cast("re.Pattern[str]", _Lazy(text, flags))


class _Lazy:
    def __init__(self, text: str, flags: int) -> None:
        self._given = text, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._given)
        for method in ("match", "fullmatch", "search", "findall", "finditer", "sub", "split", "pattern"):
            self.__dict__[method] = getattr(compiled, method)
        return getattr(compiled, name)
