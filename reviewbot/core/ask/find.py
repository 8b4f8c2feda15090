"""The finder's questions: each skill's classes, in groups, over each chunk of its files, in passes.

All questions on one chunk begin with the same bytes: rules, skill, chunk. Only the last part, the task,
tells them apart, so that a provider need not read the rest again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from reviewbot.core.ask import schema
from reviewbot.core.ask.answers import CANDIDATES
from reviewbot.core.ask.chunks import Chunk, LeftOut, chunked
from reviewbot.core.ask.legible import ForgedFence, fenced, legible
from reviewbot.core.ask.prompts import Prompts
from reviewbot.core.types import (
    Assignment,
    Change,
    DefectClass,
    Guidance,
    ModelTerms,
    Part,
    Question,
    Scope,
    Skill,
    Texts,
)
from reviewbot.core.verify import Checked

CHUNK_TOKENS = 24_000  # of the change that one question shows
GROUP = 6  # classes of one question
LENSES = ("lens-assumptions.md.j2", "lens-contract.md.j2", "lens-maintainer.md.j2")  # of the passes
TOP = 2  # ranks that are worth every lens where thoroughness is asked for
FACTS = 20  # of one chunk


class Frame(NamedTuple):
    """What all questions of one review share."""

    prompts: Prompts
    terms: ModelTerms
    nonce: str  # of the fences; who wrote the change cannot have known it
    tools: str = ""  # JSON list of look-ups
    checked: tuple[Checked, ...] = ()  # what detectors and gates counted
    guidance: tuple[Guidance, ...] = ()  # of the repository, at base


class Hunt(NamedTuple):
    """A question, and what it is about."""

    question: Question
    skill: Skill
    slugs: tuple[str, ...]  # of the classes that are hunted
    paths: tuple[str, ...]  # of the files that are shown
    lens: int  # the pass, from 0


class Hunts(NamedTuple):
    hunts: tuple[Hunt, ...]
    left_out: tuple[LeftOut, ...]  # what no question shows


def questions(change: Change, scope: Scope, head: Texts, frame: Frame) -> Hunts:
    """What to ask about the files in `scope`, skill by skill and chunk by chunk, dearest classes first."""
    hunts: list[Hunt] = []
    left: list[LeftOut] = []
    for assignment in scope.assignments:
        if not (assignment.paths and _groups(assignment.skill)):
            continue
        system = _system(assignment.skill, frame)
        shown = chunked(change, assignment.paths, head, CHUNK_TOKENS, frame.nonce)
        left += shown.left_out
        for chunk in shown.chunks:
            facts, unshown = _facts(frame, chunk)
            left += unshown
            data = Part(frame.prompts.render("change.md.j2", change=chunk.text, facts=facts), True)
            hunts += _hunts(assignment, chunk, (system, data), frame)
    return Hunts(tuple(hunts), tuple(dict.fromkeys(left)))


def _hunts(
    assignment: Assignment, chunk: Chunk, prefix: tuple[tuple[Part, ...], Part], frame: Frame
) -> Iterator[Hunt]:
    skill, terms = assignment.skill, frame.terms
    system, data = prefix
    for classes, lens, lenses in _passes(skill, terms):
        task = frame.prompts.render("task.md.j2", lens=LENSES[lens], classes=classes, nonce=frame.nonce)
        files = f"{len(chunk.paths)} file{'s' if len(chunk.paths) > 1 else ''}"
        ranks = f"classes {classes[0].rank}-{classes[-1].rank}"
        question = Question(
            purpose="find",
            about=f"{skill.name}: {ranks}, {files} from {chunk.paths[0]} on, pass {lens + 1} of {lenses}",
            model=terms.find,
            effort=terms.find_effort,
            system=system,
            data=(data, Part(legible(task))),  # the titles of classes are a stranger's
            schema=schema.FIND,
            tools=frame.tools,
        )
        yield Hunt(question, skill, tuple(c.slug for c in classes), chunk.paths, lens)


def _passes(skill: Skill, terms: ModelTerms) -> Iterator[tuple[tuple[DefectClass, ...], int, int]]:
    """Each group of classes with each of its lenses, and how many those are. With `thorough` the classes
    of the top ranks are looked at through all lenses, the others through as many as there are passes."""
    everywhere = min(max(terms.passes, 1), len(LENSES))
    groups = _groups(skill)
    for lens in range(everywhere):
        yield from ((group, lens, everywhere) for group in groups)
    top = sorted({c.rank for group in groups for c in group})[:TOP]
    dearest = tuple(c for group in groups for c in group if c.rank in top)
    if terms.thorough:
        yield from ((dearest, lens, len(LENSES)) for lens in range(everywhere, len(LENSES)))


def _groups(skill: Skill) -> list[tuple[DefectClass, ...]]:
    """The defect classes in cost order, in groups of nearly one size."""
    classes = sorted((c for c in skill.classes if c.kind == "defect"), key=lambda c: c.rank)
    count = -(-len(classes) // GROUP)
    size = -(-len(classes) // count) if count else 1
    return [tuple(classes[at : at + size]) for at in range(0, len(classes), size)]


def _system(skill: Skill, frame: Frame) -> tuple[Part, ...]:
    """The rules, which are the same for everybody, and the skill. Both were there before the change."""
    told = frame.prompts.render(
        "skill.md.j2",
        skill=skill,
        defects=[c for group in _groups(skill) for c in group],
        suppressed=[c for c in skill.classes if c.kind == "suppress"],
        guidance=frame.guidance,
    )
    rules = frame.prompts.render(
        "find-system.md.j2", candidates=CANDIDATES, table_confidence=frame.terms.table_confidence
    )
    return Part(rules), Part(legible(told), True)


def _facts(frame: Frame, chunk: Chunk) -> tuple[str, list[LeftOut]]:
    """What was counted in the files of a chunk, fenced: the findings of detectors and gates, with their
    receipts. "" for none, and for what forges a fence."""
    own = [c for c in frame.checked if c.candidate.site.path in chunk.paths]
    lines = [line for c in own[:FACTS] for line in _fact(c)]
    if len(own) > FACTS:
        lines.append(f"- and {len(own) - FACTS} more")
    if not lines:
        return "", []
    try:
        return fenced("facts", legible("\n".join(lines)), frame.nonce), []
    except ForgedFence as forged:
        return "", [LeftOut("the facts", "", str(forged))]


def _fact(checked: Checked) -> Iterator[str]:
    c = checked.candidate
    age = "there before" if checked.preexisting else "new"
    yield f"- {c.site.path}:{c.site.start_line} ({c.origin}, {c.grade}, {age}) {c.title}: {c.failure}"
    for receipt in checked.receipts:
        if receipt.ok and receipt.kind in ("count", "absent"):
            yield f"  - {receipt.claim}: {receipt.detail}"
