"""A finder's answer, read field by field: what is wrong in one finding costs that finding alone.

The schema's bounds are hints to a provider, so each value is clamped or refused here. Nothing that
is read is known to be true: core/ask/evidence.py checks it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from reviewbot.core.ask.redact import redacted
from reviewbot.core.skill.parts.classes import slug
from reviewbot.core.types import (
    Answer,
    Candidate,
    Claim,
    DefectClass,
    Edit,
    Grade,
    Incomplete,
    Origin,
    Question,
    Rejection,
    Severity,
    Side,
    Site,
    Skill,
)

CANDIDATES = 8  # of one answer; what comes behind them is capped
MAX_EVIDENCE = 12  # of one finding; a sentence that rests on more is struck
MAX_SENTENCES = 12
MAX_ALSO = 10
MAX_QUOTE = 4_000  # characters
MAX_PATH = 4_096  # no file has a longer one
MAX_LINE = 10_000_000
LIMITS = {"title": 160, "text": 600, "cost": 600, "fix": 1_000}  # characters
MALFORMED = "malformed"  # the kind of an evidence item that cannot be run
RESULTS = ("found", "held", "nothing-found", "not-applicable")
_KINDS = ("quote", "count", "absent", "defined", "called")


class Sentence(NamedTuple):
    text: str
    evidence: tuple[int, ...]  # indices into the claims of its candidate, which may not have them


class Draft(NamedTuple):
    """What a model claims, before anything of it is checked: `candidate.claims` is its evidence, and
    all lines are those that it stated."""

    candidate: Candidate
    sentences: tuple[Sentence, ...]
    cause: Site | None = None  # the line that makes it new


class Looked(NamedTuple):
    """What a model says that it did about one class."""

    slug: str
    result: str  # of RESULTS


class Reading(NamedTuple):
    """Each finding of the answer is in `drafts` or in `rejections`."""

    drafts: tuple[Draft, ...] = ()  # surest first
    rejections: tuple[Rejection, ...] = ()
    looked: tuple[Looked, ...] = ()
    problems: tuple[Incomplete, ...] = ()  # why this is no whole answer


def read_answer(question: Question, answer: Answer, skill: Skill) -> Reading:
    """What a finder said of the classes of `skill`. Never raises for what is in an answer."""
    if answer.reason:
        return _failed(question, f"{answer.reason}: {answer.detail}" if answer.detail else answer.reason)
    payload = answer.payload
    if not isinstance(payload, dict):
        return _failed(question, "not-json: the answer is no object")
    found = payload.get("findings")
    if not isinstance(found, list):
        return _failed(question, "not-json: the answer has no list of findings")
    read = [_read(item, skill) for item in found]
    drafts = sorted((d for d in read if isinstance(d, Draft)), key=lambda d: -d.candidate.confidence)
    why = f"an answer may hold {CANDIDATES} candidates, and these were surer"
    return Reading(
        tuple(drafts[:CANDIDATES]),
        (
            *(r for r in read if isinstance(r, Rejection)),
            *(Rejection(d.candidate, "capped", why) for d in drafts[CANDIDATES:]),
        ),
        tuple(_looked(payload.get("looked"), skill)),
    )


def site(value: object) -> Site | None:
    """The place that an object with `path`, `line` and `quote` states; None where it quotes nothing."""
    if not isinstance(value, dict):
        return None
    path, quote = value.get("path"), _quote(value.get("quote"))
    if not isinstance(path, str) or not 0 < len(path) <= MAX_PATH or not quote:
        return None
    line = number(value.get("line"), 0, MAX_LINE)
    side = Side.LEFT if value.get("side") == Side.LEFT.value else Side.RIGHT
    return Site(path, line, line + quote.count("\n"), quote, side)


def number(value: object, low: int, high: int) -> int:
    """The whole number within the bounds that is nearest; the low bound for what is none."""
    try:
        given = float(value) if isinstance(value, int | float | str) else math.nan
    except (ValueError, OverflowError):
        return low
    return low if math.isnan(given) else round(min(max(given, low), high))


def prose(value: object, limit: int) -> str:
    """A text as one line without secrets and lone surrogates, cut to `limit` characters; "" for none."""
    if not isinstance(value, str):
        return ""
    line = redacted(" ".join(value[: 4 * limit].encode("utf-8", "replace").decode().split()))
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _failed(question: Question, why: str) -> Reading:
    return Reading(problems=(Incomplete("model", question.about, why),))


def _text(value: object, field: str) -> str:
    return prose(value, LIMITS[field])


def _quote(value: object) -> str:
    quote = value.replace("\r\n", "\n").strip("\n") if isinstance(value, str) else ""
    return quote if quote.strip() else ""


def _read(item: object, skill: Skill) -> Draft | Rejection:
    fields: dict[str, Any] = item if isinstance(item, dict) else {}
    named, place = fields.get("class"), site(fields)
    defect = _defect(named, skill)
    sentences = tuple(_sentences(fields.get("failure")))
    candidate = _candidate(fields, skill, defect, place, sentences)
    if not isinstance(item, dict):
        return Rejection(candidate, "unquoted", "the finding is no object")
    if defect is None:
        return Rejection(candidate, "out-of-scope", f"`{prose(named, 80)}` is no class of {skill.name}")
    if defect.kind == "suppress":
        return Rejection(candidate, "suppressed", f"{skill.name} forbids to report it")
    if place is None:
        return Rejection(candidate, "unquoted", "it quotes no line of a file")
    if len(place.quote) > MAX_QUOTE:
        return Rejection(candidate, "unquoted", f"its quote has {len(place.quote):,} characters")
    if not sentences:
        return Rejection(candidate, "unquoted", "it does not say what goes wrong")
    return Draft(candidate, sentences, site(fields.get("cause")))


def _candidate(
    fields: dict[str, Any],
    skill: Skill,
    defect: DefectClass | None,
    place: Site | None,
    sentences: Sequence[Sentence],
) -> Candidate:
    """What is known of a finding, also of one that is refused for what is not."""
    also = (site(other) for other in _list(fields.get("also"), MAX_ALSO))
    return Candidate(
        skill=skill.name,
        slug=defect.slug if defect else prose(fields.get("class"), 80),
        rank=defect.rank if defect else 0,
        title=_text(fields.get("title"), "title")
        or (defect.title if defect else "A finding without a title"),
        severity=defect.weight if defect else Severity.NOTE,
        origin=Origin.MODEL,
        grade=Grade.STRONG,
        site=place or Site(prose(fields.get("path"), 300), 0, 0, ""),
        failure=" ".join(sentence.text for sentence in sentences),
        cost=_text(fields.get("cost"), "cost"),
        fix=_text(fields.get("fix"), "fix"),
        confidence=_confidence(fields.get("confidence")),
        also=tuple(filter(None, also)),
        edit=_edit(fields.get("replacement")),
        claims=tuple(_claim(item) for item in _list(fields.get("evidence"), MAX_EVIDENCE)),
    )


def _defect(value: object, skill: Skill) -> DefectClass | None:
    """The class that a model means: by its slug, its title, or what is nearly one of them."""
    name = slug(prose(value, 120))
    by_slug = {key: c for c in skill.classes for key in (slug(c.title), c.slug)}
    near = get_close_matches(name, by_slug, n=1, cutoff=0.85)
    return by_slug[near[0]] if near else None


def _confidence(value: object) -> int:
    """In percent. What has a point in it, and no sign behind it, is a fraction up to 1.0."""
    given = value.strip() if isinstance(value, str) else value
    if isinstance(given, str) and given.endswith("%"):
        return number(given[:-1], 0, 100)
    try:
        share = float(given) if isinstance(given, float | str) and "." in str(given) else 0.0
    except ValueError:
        share = 0.0
    return number(share * 100 if 0 < share <= 1 else given, 0, 100)


def _sentences(value: object) -> Iterator[Sentence]:
    for item in [value] if isinstance(value, str) else _list(value, MAX_SENTENCES):
        fields = item if isinstance(item, dict) else {"text": item}
        if text := _text(fields.get("text"), "text"):
            cited = dict.fromkeys(number(i, -1, 1_000) for i in _list(fields.get("evidence")))
            # One more than there can be: a sentence that rests on so many rests on one that is not given.
            yield Sentence(text, tuple(cited)[: MAX_EVIDENCE + 1])


def _claim(item: object) -> Claim:
    if not isinstance(item, dict) or item.get("kind") not in _KINDS:
        return Claim(MALFORMED, "a check that cannot be run", "", "")
    kind, given = item["kind"], item.get("path")
    path = given if isinstance(given, str) else ""
    if len(path) > MAX_PATH:
        return Claim(MALFORMED, "a check of a path that no file has", "", "")
    counts = kind in ("count", "absent")
    sought = item.get("pattern" if counts else "text")
    pattern = _quote(sought)[:MAX_QUOTE]
    line = None if counts else number(item.get("line"), 0, MAX_LINE)
    claim = Claim(kind, "", path, pattern, line, number(item.get("expected"), 0, MAX_LINE))
    if kind == "count" and (guard := _quote(item.get("guard"))):
        claim = claim._replace(guard=guard, guarded=number(item.get("guarded"), 0, MAX_LINE))
    return claim


def _edit(value: object) -> Edit | None:
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        return None
    last = number(value.get("line"), 0, MAX_LINE)
    first = number(value.get("start_line"), 0, MAX_LINE) or last
    new = value["text"].replace("\r\n", "\n").removesuffix("\n")
    return Edit(first, last, new) if 0 < first <= last and len(new) <= MAX_QUOTE else None


def _looked(value: object, skill: Skill) -> Iterator[Looked]:
    for item in _list(value, 200):
        fields = item if isinstance(item, dict) else {}
        defect, result = _defect(fields.get("class"), skill), fields.get("result")
        if defect and defect.kind == "defect" and result in RESULTS:
            yield Looked(defect.slug, result)


def _list(value: object, limit: int | None = None) -> list[Any]:
    return value[:limit] if isinstance(value, list) else []
