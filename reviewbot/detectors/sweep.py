"""All detectors over one side of a change: each file is parsed once and read by all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from reviewbot.core.language import language
from reviewbot.core.ports import Progress
from reviewbot.core.types import (
    Candidate,
    Incomplete,
    Origin,
    Severity,
    Site,
    SkillOrigin,
    Text,
    Texts,
)
from reviewbot.detectors.bind import Binding, Bindings
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.shell.script import ShellFile

PARSERS: Mapping[str, type[ShellFile] | type[PythonFile]] = {"shell": ShellFile, "python": PythonFile}
_ORDER = tuple(Severity)


class Sweep(NamedTuple):
    """What the detectors say of some texts."""

    candidates: tuple[Candidate, ...]
    failures: tuple[Incomplete, ...]
    unparsed: tuple[Incomplete, ...]  # files that are no valid text of their language
    looked: Mapping[tuple[str, str], int]  # (skill, class slug) -> files that its detectors read
    paths: frozenset[str]  # the files that any detector read

    @property
    def read(self) -> tuple[tuple[Candidate, ...], bool]:
        """The candidates, and whether every detector could read every text."""
        return self.candidates, not (self.failures or self.unparsed)


def sweep(bindings: Bindings, texts: Texts, progress: Progress | None = None) -> Sweep:
    """Run every bound detector over every text. A detector that fails on a file is named in `failures`."""
    candidates: list[Candidate] = []
    failures: list[Incomplete] = []
    unparsed: list[Incomplete] = []
    looked: Counter[tuple[str, str]] = Counter()
    paths: set[str] = set()
    for done, (path, text) in enumerate(texts.files.items()):
        if progress:
            progress("detectors", done, len(texts.files))
        tongue = language(path, text.first_line)
        bound = [b for b in bindings.of.get(path, ()) if tongue in b.detector.finders]
        if text.partial:
            bound = [b for b in bound if not b.detector.whole]
        looked.update({(b.skill.name, b.defect.slug) for b in bound})
        if bound:
            paths.add(path)
        owners: dict[str, Binding] = {}
        for b in sorted(bound, key=_precedence):
            owners.setdefault(b.detector.id, b)
        try:
            _file(path, text, tongue, owners.values(), candidates, failures)
        except SyntaxError as error:
            why = f"line {error.lineno} does not parse as {tongue}: {error.msg}"
            unparsed.append(Incomplete("detect", path, why))
    return Sweep(tuple(candidates), tuple(failures), tuple(unparsed), looked, frozenset(paths))


def _file(
    path: str,
    text: Text,
    tongue: str,
    owners: Iterable[Binding],
    candidates: list[Candidate],
    failures: list[Incomplete],
) -> None:
    parsed = None
    for owner in owners:
        triggers = owner.detector.triggers.get(tongue)
        if triggers and not any(t in text.content for t in triggers):
            continue
        parsed = parsed or PARSERS[tongue](text)
        try:
            hits = list(owner.detector.finders[tongue](parsed))
        except SyntaxError:
            raise
        except BaseException as error:  # one faulty detector must not silence the others; it is named
            # A panic of the parser (Rust) is no Exception: pyo3's PanicException.
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            why = f"{type(error).__name__}: {error}"
            failures.append(Incomplete("detect", f"{owner.detector.id} on {path}", why))
        else:
            candidates += [_candidate(owner, path, text, hit) for hit in hits]


def _precedence(binding: Binding) -> tuple[bool, int]:
    """A finding that two skills claim belongs to the repository's own, then to the dearer class."""
    return binding.skill.origin is SkillOrigin.BUILTIN, binding.defect.rank


def _candidate(owner: Binding, path: str, text: Text, hit: Hit) -> Candidate:
    defect, detector = owner.defect, owner.detector
    return Candidate(
        skill=owner.skill.name,
        slug=defect.slug,
        rank=defect.rank,
        title=defect.title,
        severity=_severity(defect.severity, defect.rank, detector.ceiling),
        origin=Origin.DETECTOR,
        detector=detector.id,
        grade=hit.grade,
        site=_site(path, text, hit.start_line, hit.line),
        also=tuple(_site(path, text, start, end) for start, end in hit.also),
        failure=hit.failure,
        cost=hit.cost,
        fix=hit.fix,
        edit=hit.edit,
        claims=hit.claims,
    )


def _site(path: str, text: Text, start: int, end: int) -> Site:
    return Site(path, start, end, text.quote(start, end))


def _severity(stated: Severity | None, rank: int, ceiling: Severity | None) -> Severity:
    severity = stated or (Severity.WARNING if rank <= 4 else Severity.NOTE)
    return max(severity, ceiling, key=_ORDER.index) if ceiling else severity
