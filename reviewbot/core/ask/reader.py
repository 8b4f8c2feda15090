"""The model as a Reader: asked, checked, merged with what is certain, and argued against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from typing import NamedTuple

from reviewbot.core.ask import find as finder
from reviewbot.core.ask import lookups, refute
from reviewbot.core.ask.anchor import Sources
from reviewbot.core.ask.answers import Reading, read_answer
from reviewbot.core.ask.chunks import LeftOut
from reviewbot.core.ask.evidence import Weighed, weigh
from reviewbot.core.ask.find import Frame, Hunt
from reviewbot.core.ask.merge import Merged, join, merge_passes
from reviewbot.core.ask.prompts import Prompts, prompts_hash
from reviewbot.core.ask.talk import converse
from reviewbot.core.ports import Library, Model, Progress
from reviewbot.core.reader import ClassKey, Ground, Read
from reviewbot.core.scope import UNCLAIMED
from reviewbot.core.types import Answer, Incomplete, ModelTerms, Part, Question, Rejection, Usage
from reviewbot.core.verify import Checked

# What several readings say of one class and file: the least of it.
_MODEST = ("nothing-found", "found", "held", "not-applicable")


class _Heard(NamedTuple):
    """A question, what was answered, and what of it holds."""

    hunt: Hunt
    reading: Reading
    weighed: Weighed


class ModelReader:
    """`nonce` marks the data of one review; who wrote the change cannot have known it."""

    def __init__(
        self,
        model: Model,
        library: Library,
        prompts: Prompts,
        terms: ModelTerms,
        nonce: str,
        progress: Progress,
    ) -> None:
        self._model = model
        self._library = library
        self._prompts = prompts
        self._terms = terms
        self._nonce = nonce
        self._progress = progress

    def find(self, ground: Ground) -> Read:
        asked = finder.questions(ground.change, ground.scope, ground.head, self._frame(ground))
        answers = self._converse([hunt.question for hunt in asked.hunts], self._terms)
        sources = self._sources(ground)
        hidden = {u.path: u.reason for u in ground.scope.uncovered if u.reason != UNCLAIMED}
        heard = [self._heard(*pair, sources, hidden) for pair in zip(asked.hunts, answers, strict=True)]
        merged = list(_merged(heard, self._terms))
        joined = join(ground.checked, [c for m in merged for c in m.checked])
        return Read(
            joined.checked,
            (*_rejections(heard), *(r for m in merged for r in m.rejections), *joined.rejections),
            (*_problems(heard), *map(_left_out, asked.left_out), *_unread("what was claimed", sources)),
            _looked(heard, {left.path for left in asked.left_out}),
            reduce(Usage.plus, (a.usage for a in answers), Usage()),
            self._notes,
            self._terms.inline,
        )

    def argue(self, ground: Ground, read: Read) -> Read:
        sources = self._sources(ground)
        claims = refute.due(read.checked)
        questions = refute.questions(claims, sources, self._frame(ground))
        few = self._terms._replace(
            rounds=min(self._terms.rounds, refute.ROUNDS),
            lookup_bytes=min(self._terms.lookup_bytes, refute.LOOKUP_BYTES),
        )
        answers = self._converse(questions, few)
        verdicts = refute.apply(read.checked, zip(claims, answers, strict=True), sources)
        return read._replace(
            checked=verdicts.checked,
            rejections=(*read.rejections, *verdicts.rejections),
            problems=(*read.problems, *verdicts.problems, *_unread("the second reading", sources)),
            usage=reduce(Usage.plus, (a.usage for a in answers), read.usage),
        )

    def _heard(self, hunt: Hunt, answer: Answer, sources: Sources, hidden: Mapping[str, str]) -> _Heard:
        reading = read_answer(hunt.question, answer, hunt.skill)
        return _Heard(hunt, reading, _in_scope(weigh(reading.drafts, sources), hidden, sources))

    def _converse(self, questions: Sequence[Question], terms: ModelTerms) -> tuple[Answer, ...]:
        serve = partial(lookups.serve, library=self._library, nonce=self._nonce)
        return converse(questions, self._model, serve, terms, self._progress)

    def _frame(self, ground: Ground) -> Frame:
        return Frame(
            self._prompts,
            self._terms,
            self._nonce,
            self._tools,
            tuple(ground.checked),
            tuple(ground.guidance),
        )

    @property
    def _tools(self) -> str:
        return lookups.TOOLS if self._terms.rounds else ""

    def _sources(self, ground: Ground) -> Sources:
        return Sources(ground.change, ground.head, ground.base, self._library, {})

    @property
    def _notes(self) -> str:
        models = dict.fromkeys((self._terms.find, self._terms.refute))
        return f"{' and '.join(models)}, prompts {prompts_hash(self._prompts)}"


def _in_scope(weighed: Weighed, hidden: Mapping[str, str], sources: Sources) -> Weighed:
    """Nothing is said of a file that nobody is to look at, unless what is new stands in another one; and
    no comment stands in it."""
    kept: list[Checked] = []
    rejections: list[Rejection] = []
    for c in weighed.checked:
        path = c.candidate.site.path
        elsewhere = any(site.path not in hidden and sources.changes(site) for site in c.candidate.also)
        if path not in hidden:
            kept.append(c)
        elif elsewhere:
            kept.append(c._replace(aside=c.aside or f"{path} is out of scope: {hidden[path]}"))
        else:
            rejections.append(Rejection(c.candidate, "out-of-scope", f"{path}: {hidden[path]}"))
    return Weighed(tuple(kept), (*weighed.rejections, *rejections))


def _merged(heard: Iterable[_Heard], terms: ModelTerms) -> Iterator[Merged]:
    """Of each skill and chunk what its lenses saw. Not seen counts against a finding only where somebody
    answered who looked for it."""
    chunks: dict[tuple[str, Part], list[_Heard]] = defaultdict(list)
    for row in heard:
        if not row.reading.problems:
            chunks[row.hunt.skill.name, row.hunt.question.data[0]].append(row)
    for rows in chunks.values():
        lenses: dict[str, set[int]] = defaultdict(set)
        for row in rows:
            for slug in row.hunt.slugs:
                lenses[slug].add(row.hunt.lens)
        found = [(row.hunt.lens, c) for row in rows for c in row.weighed.checked]
        yield merge_passes(found, {slug: len(own) for slug, own in lenses.items()}, terms)


def _rejections(heard: Iterable[_Heard]) -> Iterator[Rejection]:
    for row in heard:
        yield from (*row.reading.rejections, *row.weighed.rejections)


def _problems(heard: Iterable[_Heard]) -> Iterator[Incomplete]:
    for row in heard:
        yield from row.reading.problems


def _looked(heard: Iterable[_Heard], left_out: Collection[str]) -> Mapping[ClassKey, Mapping[str, str]]:
    """An answer that passes a class over has read its files all the same, and says nothing of them. Of a
    file that was not shown whole, or not answered about each time, nothing is known for a class."""
    looked: dict[ClassKey, dict[str, str]] = defaultdict(dict)
    failed: set[tuple[ClassKey, str]] = set()
    for hunt, reading, _ in heard:
        said = {row.slug: row.result for row in reading.looked}
        for slug in hunt.slugs:
            key = hunt.skill.name, slug
            for path in hunt.paths:
                if reading.problems or path in left_out:
                    failed.add((key, path))
                own = looked[key]
                own[path] = min(said.get(slug, _MODEST[0]), own.get(path, _MODEST[-1]), key=_MODEST.index)
    whole = {
        key: {p: word for p, word in own.items() if (key, p) not in failed} for key, own in looked.items()
    }
    return {key: own for key, own in whole.items() if own}


def _left_out(left: LeftOut) -> Incomplete:
    return Incomplete("model", " ".join(filter(None, (left.path, left.lines))), left.why)


def _unread(what: str, sources: Sources) -> Iterator[Incomplete]:
    return (Incomplete("model", what, f"not all of it could be checked: {why}") for why in sources.failed)
