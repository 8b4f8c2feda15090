"""The model as a Reader: asked, checked, merged with what is certain, and argued against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce

from reviewbot.core.ask import find as finder
from reviewbot.core.ask import lookups, refute
from reviewbot.core.ask.anchor import Sources
from reviewbot.core.ask.answers import Reading, read_answer
from reviewbot.core.ask.case import case_parts
from reviewbot.core.ask.chunks import LeftOut
from reviewbot.core.ask.evidence import Weighed, weigh
from reviewbot.core.ask.find import Frame, Hunt
from reviewbot.core.ask.legible import legible
from reviewbot.core.ask.merge import join, merge_passes
from reviewbot.core.ask.prompts import Prompts, prompts_hash
from reviewbot.core.ask.talk import added, converse
from reviewbot.core.errors import UsageError
from reviewbot.core.ports import Library, Model, Progress
from reviewbot.core.reader import ClassKey, Ground, Read
from reviewbot.core.types import Answer, Incomplete, ModelTerms, Question, Rejection, Usage
from reviewbot.core.verify import Checked

# What several readings say of one class and file: the least of it.
_MODEST = ("nothing-found", "found", "held", "not-applicable")

_Read = tuple[Hunt, Reading, Weighed]


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
        try:
            return self._find(ground)
        except UsageError as error:  # the tree around the change cannot be read
            why = Incomplete("model", "the finder", str(error))
            return Read(ground.checked, problems=(why,), notes=self._notes)

    def argue(self, ground: Ground, read: Read) -> Read:
        sources = self._sources(ground)
        render = partial(case_parts, prompts=self._prompts, nonce=self._nonce)
        try:
            questions = refute.questions(read.checked, sources, self._terms, render, self._tools)
            few = self._terms._replace(
                rounds=min(self._terms.rounds, refute.ROUNDS),
                lookup_bytes=min(self._terms.lookup_bytes, refute.LOOKUP_BYTES),
            )
            answers = self._converse(questions, few)
            verdicts = refute.apply(read.checked, answers, sources)
        except UsageError as error:
            why = Incomplete("model", "the second reading", str(error))
            return read._replace(problems=(*read.problems, why))
        return read._replace(
            checked=verdicts.checked,
            rejections=(*read.rejections, *verdicts.rejections),
            problems=(*read.problems, *verdicts.problems),
            usage=reduce(added, (a.usage for a in answers), read.usage),
        )

    def _find(self, ground: Ground) -> Read:
        frame = Frame(
            self._prompts,
            self._terms,
            self._nonce,
            self._tools,
            tuple(ground.checked),
            tuple(ground.guidance),
        )
        asked = finder.questions(ground.change, ground.scope, ground.head, frame)
        answers = self._converse([hunt.question for hunt in asked.hunts], self._terms)
        read = [self._read(*pair, self._sources(ground)) for pair in zip(asked.hunts, answers, strict=True)]
        merged = [merge_passes(passes, self._terms) for passes in _passes(read)]
        joined = join(ground.checked, [c for m in merged for c in m.checked])
        return Read(
            joined.checked,
            (*_rejections(read), *(r for m in merged for r in m.rejections), *joined.rejections),
            (*_problems(read), *map(_left_out, asked.left_out)),
            _looked(read),
            reduce(added, (a.usage for a in answers), Usage()),
            self._notes,
            self._terms.inline,
        )

    def _read(self, hunt: Hunt, answer: Answer, sources: Sources) -> _Read:
        reading = read_answer(hunt.question, answer, hunt.skill, self._terms)
        return hunt, reading, weigh(reading.drafts, sources)

    def _converse(self, questions: Sequence[Question], terms: ModelTerms) -> tuple[Answer, ...]:
        serve = partial(lookups.serve, library=self._library, redact=legible, nonce=self._nonce)
        return converse(questions, self._model, serve, terms, self._progress)

    @property
    def _tools(self) -> str:
        return lookups.TOOLS if self._terms.rounds else ""

    def _sources(self, ground: Ground) -> Sources:
        return Sources(ground.change, ground.head, ground.base, self._library)

    @property
    def _notes(self) -> str:
        models = dict.fromkeys((self._terms.find, self._terms.refute))
        return f"{' and '.join(models)}, prompts {prompts_hash(self._prompts)}"


def _passes(read: Iterable[_Read]) -> Iterator[Sequence[Sequence[Checked]]]:
    """The readings of one skill and chunk by the lenses through which a class was looked at: not seen
    counts against a finding only where somebody looked for it."""
    chunks: dict[tuple[str, tuple[str, ...]], list[_Read]] = defaultdict(list)
    for row in read:
        if not row[1].problems:
            chunks[row[0].skill.name, row[0].paths].append(row)
    for rows in chunks.values():
        lenses: dict[str, set[int]] = defaultdict(set)
        for hunt, _, _ in rows:
            for slug in hunt.slugs:
                lenses[slug].add(hunt.lens)
        found: dict[frozenset[int], dict[int, list[Checked]]] = defaultdict(lambda: defaultdict(list))
        for hunt, _, weighed in rows:
            for c in weighed.checked:
                asked = frozenset(lenses[c.candidate.slug] or {hunt.lens})
                found[asked | {hunt.lens}][hunt.lens].append(c)
        for asked, own in found.items():
            yield [own[lens] for lens in sorted(asked)]


def _rejections(read: Iterable[_Read]) -> Iterator[Rejection]:
    for _, reading, weighed in read:
        yield from (*reading.rejections, *weighed.rejections)


def _problems(read: Iterable[_Read]) -> Iterator[Incomplete]:
    for _, reading, _ in read:
        yield from reading.problems


def _looked(read: Iterable[_Read]) -> Mapping[ClassKey, Mapping[str, str]]:
    """An answer that passes a class over has read its files all the same, and says nothing of them."""
    looked: dict[ClassKey, dict[str, str]] = defaultdict(dict)
    for hunt, reading, _ in read:
        if reading.problems:
            continue
        said = {row.slug: row.result for row in reading.looked}
        for slug in hunt.slugs:
            own = looked[hunt.skill.name, slug]
            for path in hunt.paths:
                own[path] = min(said.get(slug, _MODEST[0]), own.get(path, _MODEST[-1]), key=_MODEST.index)
    return looked


def _left_out(left: LeftOut) -> Incomplete:
    return Incomplete("model", " ".join(filter(None, (left.path, left.lines))), left.why)
