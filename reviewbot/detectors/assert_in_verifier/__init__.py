"""An `assert` that does a verifier's work: `python -O` compiles it away and the check passes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewbot.core.types import Claim, Grade, Severity
from reviewbot.detectors.assert_in_verifier.edit import Source, edit, is_false, shown
from reviewbot.detectors.assert_in_verifier.examples import BAD, GOOD
from reviewbot.detectors.assert_in_verifier.verifiers import Verifier, names_a_verifier, verifiers
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.python import PythonFile

_ASSERT_LINE = r"^\s*assert\b"


def find(file: PythonFile) -> Iterator[Hit]:
    if file.is_test or not names_a_verifier(file):
        return
    found = [(v.grade, v) for v in verifiers(file)]
    if any(grade for grade, _ in found):
        source, claim = Source(file), _claim(file)
        hits = (_hit(source, claim, verifier, grade) for grade, verifier in found if grade)
        yield from sorted(hits, key=lambda hit: hit.start_line)


def _hit(source: Source, claim: Claim, verifier: Verifier, grade: Grade) -> Hit:
    first = verifier.first or verifier.asserts[0]
    others = [node for node in verifier.asserts if node is not first]
    assertion, guard = shown(source, first)
    many = f" and {len(others)} more check{'s' if others[1:] else ''}" if others else ""
    instead = "`raise AssertionError(…)`"
    instead = f"{instead} in its place" if is_false(first.test) else f"`{guard}` with {instead} below it"
    return Hit(
        first.lineno,
        first.end_lineno or first.lineno,
        failure=f"`python -O` (or PYTHONOPTIMIZE=1) deletes `{assertion}`{many}: `{verifier.name}` then lets "
        "through what it is there to stop.",
        cost="A wrong value passes as checked and no log line tells; it shows later, or as a wrong number.",
        fix=f"{instead}: no flag deletes that, and callers see the same exception.",
        grade=grade,
        also=tuple((a.lineno, a.end_lineno or a.lineno) for a in others),
        edit=edit(source, verifier.asserts),
        claims=(claim,),
    )


def _claim(file: PythonFile) -> Claim:
    starts = re.compile(_ASSERT_LINE)
    count = sum(bool(starts.search(line)) for line in file.text.lines)
    return Claim("count", "Lines of this file start with `assert`", file.path, _ASSERT_LINE, expected=count)


DETECTOR = Detector(
    id="assert-in-verifier",
    summary="an `assert` decides in a function whose name promises a check; `python -O` deletes it",
    finders={"python": find},
    words=(
        Word(r"`?\bassert`?s? (?:statements? )?in (?:an? |the )?(?:verif|validat|check|gate|audit)", 2),
        Word(r"\bassert`?s?(?: statements?)? (?:used )?(?:as|for) (?:an? )?(?:validat|check|verif)", 2),
        Word(r"python3? -O\b|PYTHONOPTIMIZE", 2),
        Word(r"`assert`", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"python": ("assert",)},
    ceiling=Severity.NOTE,
)
