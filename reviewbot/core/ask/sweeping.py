"""Words that speak of all, or none, of something in what a model says, and what can bear them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Claim

_CODE = pattern(r"`[^`]*`|\"[^\"]*\"")
_PROSE = pattern(r"\"[\w ,.']+\"|`[\w ,.']+ [\w ,.']+`")  # in quotes or not, it is a sentence
_PUNCTUATED = r"(?=\s*(?:[,.;:!?)]|$))"
_IDIOM = pattern(
    rf"(?i)\b(?:after|above|first of) all{_PUNCTUATED}|\ball the same{_PUNCTUATED}"
    rf"|\bat all(?:{_PUNCTUATED}|(?= (?:when|where|if|because|and|or|but|unless|until|before|after|once|in|on"
    rf"|for|to|by|since|while|here|there|with|from|as)\b))"
    r"|\bonly (?:if|when|after|once|because)\b"
    r"|\beach other\b|\b(?:for|on|in|at|of|by) each\b|\beach (?:time|of)\b"
)
_ALL = pattern(
    r"(?i)(?<![\w-])(?:every(?:one|thing|where|body)?|all|always|each|invariably"
    r"|alle[mnrs]?|jede[mnrs]?|immer|tous|toutes|toujours|todos|todas|siempre)(?![\w-])"
)
# What there is none of: of these, `no` speaks of the whole program, not of one place in it.
_NO = (
    r"(?:other|one|(?:\w+ )?(?:callers?|calls?|code|class(?:es)?|clients?|consumers?|files?|functions?"
    r"|handlers?|jobs?|methods?|modules?|places?|readers?|scripts?|steps?|tests?|users?|workflows?))"
)
_NONE = pattern(
    rf"\b(?:[Nn]ever|NEVER|none|None of|[Nn]owhere|[Nn]obody|[Nn]ot (?:one|a single)|[Nn]o {_NO}"
    r"|None (?:calls|catches|checks|closes|guards|handles|reads|sets|tests|uses|validates|verifies)"
    r"|[Nn]othing (?:else|(?!is\b|was\b|has\b|as\b)\w{2,40}s)"
    r"|[Nn]o [^.;]{1,80}? (?:anywhere|in the (?:whole |entire )?(?:code ?base|project|repo(?:sitory)?|tree))"
    r"|(?i:niemals|nie|niemand|nirgends|keine?[mnrs]?|jamais|aucune?|nunca|jamas|ningun[ao]?))\b"
)
_ONLY = pattern(r"\b(?:[Tt]he (?:only|sole)|Only|ONLY|only (?:one|two|three|\d+))\b")
_ORDER = pattern(r"(?i)^(?:always|never|only)$")
_END = pattern(r"(?<=[.!?]) +")
_WORDS = pattern(r"[A-Za-z]{3,}")
_CLASSES = pattern(r"\\[A-Za-z]")  # `\w`, `\b` in an expression are no words

# Letters of other scripts that look like those of ours.
_ALIKE = str.maketrans(
    "аеорсхуіѕјһԁԛԝкмтнвАЕОРСХУІЅЈКМТНВΑΒΕΗΙΚΜΝΟΡΤΧΥΖαοινρτυ",
    "aeopcxyisjhdqwkmthbAEOPCXYISJKMTHBABEHIKMNOPTXYZaoivptu",
)


def word(sentence: str) -> str:
    """The first such word outside of code and idioms, or ""."""
    plain = _IDIOM.sub(" ", _CODE.sub(_bare, _folded(sentence)))
    found = [m for m in (p.search(plain) for p in (_ALL, _NONE, _ONLY)) if m]
    return min(found, key=lambda m: m.start())[0] if found else ""


def unborne(sentence: str, held: Iterable[Claim]) -> str:
    """Its first such word, if no check of those that hold can bear it; else ""."""
    said = word(sentence)
    return said if said and not any(bears(said, claim, sentence) for claim in held) else ""


def claims(sentence: str) -> bool:
    """Whether it begins with such a word, and no order does ("always close it")."""
    said = word(sentence)
    return bool(said) and _folded(sentence).lstrip('`"').startswith(said) and not _ORDER.search(said)


def bears(word: str, claim: Claim, sentence: str) -> bool:
    """Whether a check that holds can bear such a word of a sentence: it counted what the sentence names, and
    found some. "Every" wants as many that are guarded, all but the finding itself, or their number said."""
    if claim.kind not in ("count", "absent") or not _shares(claim, sentence):
        return False
    counted, guarded = claim.expected or 0, claim.guarded
    if _ALL.search(word):
        said = re.search(rf"\b{counted}\b", sentence) if guarded is None else guarded >= counted - 1
        return claim.kind == "count" and counted >= 2 and bool(said)
    if _NONE.search(word):
        return claim.kind == "absent" or (counted == 0 if guarded is None else guarded == 0)
    return claim.kind == "count" and counted > 0


def sentences(text: str) -> list[str]:
    return _END.split(text)


def _shares(claim: Claim, sentence: str) -> bool:
    """Whether a word of what was sought stands in the sentence, its end aside."""
    said = _folded(sentence).lower()
    sought = _CLASSES.sub(" ", f"{claim.pattern} {claim.guard}").lower()
    stems = any(w[:4] in said for w in _WORDS.findall(sought))
    return stems or claim.pattern.lower() in said


def _folded(text: str) -> str:
    """Without accents, without what cannot be seen, and in our letters."""
    parts = unicodedata.normalize("NFKD", text)
    return "".join(c for c in parts if unicodedata.category(c) not in ("Mn", "Cf")).translate(_ALIKE)


def _bare(quoted: re.Match[str]) -> str:
    return quoted[0].strip('`"') if _PROSE.fullmatch(quoted[0]) else " "
