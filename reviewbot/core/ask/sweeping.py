"""Words that speak of all, or none, of something, and the numbers of lines, in what a model says."""

from __future__ import annotations

from collections.abc import Mapping

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Claim

_QUOTED = pattern(r"`[^`]*`|\"[^\"]*\"")
_IDIOM = pattern(
    r"\b(?:at|after|above|first of) all\b|\ball the same\b|\b[Oo]nly (?:if|when|after|once|because)\b"
)
# Lower case or the first word: `None` and `ALL` are values.
_ALL = pattern(r"\b(?:[Ee]very(?:one|thing|where|body)?|[Aa]ll|[Aa]lways)\b")
_NONE = pattern(r"\b(?:[Nn]ever|none|None of|[Nn]owhere|[Nn]o other|[Nn]o [^.;]{1,80}? anywhere)\b")
_ONLY = pattern(r"\b(?:[Tt]he only|Only|only (?:one|two|three|\d+))\b")
_LINE = pattern(r"(\b[Ll]ines? |[A-Za-z]:|#L)(\d{1,8})\b")
_END = pattern(r"(?<=[.!?]) +")


def word(sentence: str) -> str:
    """The first such word outside of quotes and idioms, or ""."""
    plain = _IDIOM.sub(" ", _QUOTED.sub(" ", sentence))
    found = [m for m in (p.search(plain) for p in (_ALL, _NONE, _ONLY)) if m]
    return min(found, key=lambda m: m.start())[0] if found else ""


def bears(word: str, claim: Claim) -> bool:
    """Whether a check that holds can bear such a word. "Every" wants a count of those that are guarded too,
    and most of them are: all but the finding itself."""
    if claim.kind != "count":
        return claim.kind == "absent"
    if _ALL.search(word):
        return claim.guarded is not None and claim.guarded >= (claim.expected or 0) - 1
    if _NONE.search(word):
        return 0 in (claim.guarded, claim.expected)
    return True


def sentences(text: str) -> list[str]:
    return _END.split(text)


def corrected(text: str, moves: Mapping[int, int]) -> str:
    """`text` with the numbers of lines that were stated wrongly put right."""
    return _LINE.sub(lambda m: f"{m[1]}{moves.get(int(m[2]), m[2])}", text) if moves else text
