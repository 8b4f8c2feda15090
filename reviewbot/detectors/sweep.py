"""All detectors over one side of a change: each file is parsed once and read by all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.language import language
from reviewbot.core.ports import Progress
from reviewbot.core.types import (
    Candidate,
    Incomplete,
    Origin,
    Script,
    Scripts,
    Severity,
    Site,
    SkillOrigin,
    Text,
    Texts,
)
from reviewbot.detectors.bind import Binding, Bindings
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.embedded import Block, Blocks, blocks
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.shell.script import ShellFile

PARSERS: Mapping[str, type[ShellFile] | type[PythonFile]] = {"shell": ShellFile, "python": PythonFile}
INSIDE = {"workflow": "shell"}  # what the scripts in such a file are written in
_ORDER = tuple(Severity)
_SHOWN = 5  # lines that one message names


class Sweep(NamedTuple):
    """What the detectors say of some texts."""

    candidates: tuple[Candidate, ...]
    failures: tuple[Incomplete, ...]
    unparsed: tuple[Incomplete, ...]  # files that are no valid text of their language
    looked: Mapping[tuple[str, str, str], set[str]]  # (skill, class slug, detector) -> files that it read
    paths: frozenset[str]  # the files that any detector read
    foreign: dict[str, Mapping[str, int]]  # path -> program that is no shell -> `run:` blocks for it

    @property
    def faults(self) -> tuple[Incomplete, ...]:
        return (*self.failures, *self.unparsed)


class Part(NamedTuple):
    """What a parser reads of a file at once: all of it, or one script that stands in it."""

    language: str
    text: Text
    block: Block | None = None


def sweep(bindings: Bindings, texts: Texts, progress: Progress | None = None) -> Sweep:
    """Run every bound detector over every text. A detector that fails on a file is named in `failures`."""
    log = _Log()
    for done, (path, text) in enumerate(texts.files.items()):
        if progress:
            progress("detectors", done, len(texts.files))
        log.read(text, bindings.of.get(path, ()))
    return log.sweep()


def resweep(bindings: Bindings, texts: Texts) -> tuple[tuple[Candidate, ...], bool]:
    """The candidates in edited texts, and whether every detector could read all of them."""
    swept = sweep(bindings, texts)
    return swept.candidates, not swept.faults


def scripts(file: Text) -> Scripts:
    """The shell in a workflow, for the rules of skills."""
    try:
        found = blocks(file)
    except SyntaxError as error:
        return Scripts((), (_does_not_parse(file.path, "YAML", error),), {})
    read = (Script(file, block.text, block.within[0], block.shown) for block in found.read)
    return Scripts(tuple(read), tuple(_unread(file.path, found)), found.foreign)


class _Log:
    """A sweep that is going on."""

    def __init__(self) -> None:
        self._candidates: list[Candidate] = []
        self._failures: list[Incomplete] = []
        self._unparsed: list[Incomplete] = []
        self._looked: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        self._paths: set[str] = set()
        self._foreign: dict[str, Mapping[str, int]] = {}

    def sweep(self) -> Sweep:
        return Sweep(
            tuple(self._candidates),
            tuple(self._failures),
            tuple(self._unparsed),
            self._looked,
            frozenset(self._paths),
            self._foreign,
        )

    def read(self, text: Text, bindings: Sequence[Binding]) -> None:
        tongue = language(text.path, text.first_line)
        bound = [b for b in bindings if INSIDE.get(tongue, tongue) in b.detector.finders]
        if text.partial:  # a few lines of YAML do not say what they are
            bound = [b for b in bound if not b.detector.whole and tongue not in INSIDE]
        if not bound:
            return
        try:
            parts = self._parts(text, tongue)
        except SyntaxError as error:
            parts = ()
            self._unparsed.append(_does_not_parse(text.path, "YAML", error))
        if parts is None:
            return
        self._paths.add(text.path)
        for b in bound:
            self._looked[b.skill.name, b.defect.slug, b.detector.id].add(text.path)
        owners: dict[str, Binding] = {}
        for b in sorted(bound, key=_precedence):
            owners.setdefault(b.detector.id, b)
        for part in parts:
            try:
                self._part(part, text, owners.values())
            except SyntaxError as error:
                self._unparsed.append(_does_not_parse(text.path, part.language, error))

    def _parts(self, text: Text, tongue: str) -> tuple[Part, ...] | None:
        """None for a file with nothing but scripts that no detector is for. A file without any script
        has no parts, and has been looked at."""
        if tongue not in INSIDE:
            return (Part(tongue, text),)
        found = blocks(text)
        self._foreign[text.path] = found.foreign
        self._unparsed += _unread(text.path, found)
        if found.foreign and not (found.read or found.unread):
            return None
        return tuple(Part(INSIDE[tongue], block.text, block) for block in found.read)

    def _part(self, part: Part, file: Text, owners: Iterable[Binding]) -> None:
        parsed = None
        for owner in owners:
            triggers = owner.detector.triggers.get(part.language)
            if triggers and not any(t in part.text.content for t in triggers):
                continue
            parsed = parsed or PARSERS[part.language](part.text)
            try:
                found = owner.detector.finders[part.language](parsed)
                hits = [part.block.found(hit) if part.block else hit for hit in found]
            except SyntaxError:
                raise
            except BaseException as error:  # one faulty detector must not silence the others; it is named
                # A panic of the parser (Rust) is no Exception: pyo3's PanicException.
                if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                    raise
                why = f"{type(error).__name__}: {error}"
                self._failures.append(Incomplete("detect", f"{owner.detector.id} on {file.path}", why))
            else:
                self._candidates += [_candidate(owner, file.path, file, hit) for hit in hits]


def _does_not_parse(path: str, tongue: str, error: SyntaxError) -> Incomplete:
    return Incomplete("detect", path, f"line {error.lineno} does not parse as {tongue}: {error.msg}")


def _unread(path: str, found: Blocks) -> Iterator[Incomplete]:
    for why, lines in found.unread.items():
        shown = ", ".join(map(str, lines[:_SHOWN]))
        more = f" and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
        yield Incomplete("detect", path, f"the `run:` of line {shown}{more} was not read: {why}")


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
        severity=_severity(defect.weight, detector.ceiling),
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
        proof=hit.proof,
    )


def _site(path: str, text: Text, start: int, end: int) -> Site:
    return Site(path, start, end, text.quote(start, end))


def _severity(severity: Severity, ceiling: Severity | None) -> Severity:
    return max(severity, ceiling, key=_ORDER.index) if ceiling else severity
