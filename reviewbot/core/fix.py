"""Which of the suggestions of a review are applied, and whether what comes of them is better.

Each suggestion was tried alone. Together they are tried once more: those of one pass do not overlap, the
result is reviewed, and what makes anything worse is taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.rehearse import splice
from reviewbot.core.types import Finding, Origin, Review, Text

WHOLE = ""  # in place of a path: nobody knows which file is at fault
Kind = tuple[str, str]  # path, and who says what


class Fix(NamedTuple):
    """A finding with a suggestion that was tried."""

    finding: Finding
    start_line: int
    line: int
    replacement: str

    @property
    def path(self) -> str:
        return self.finding.candidate.site.path

    @property
    def by_model(self) -> bool:
        return _by_model(self.finding)

    @property
    def identity(self) -> tuple[str, str]:
        """The same fix in a later review."""
        return self.finding.fingerprint, self.replacement


class Kept(NamedTuple):
    """Something that was left as it is, and why."""

    what: str  # "a.sh:13", or a path
    why: str


def fixes(review: Review) -> list[Fix]:
    """One for each new finding that counts and has a suggestion, dearest first. A hint wants a second
    reading before anything is done about it."""
    return [
        Fix(f, *f.suggestion.edit)
        for f in review.findings
        if f.suggestion
        and f.decides
        and any(file.path == f.candidate.site.path for file in review.change.files)
    ]


def batch(offered: Iterable[Fix], apart: Container[str]) -> list[Fix]:
    """Those of one pass: of two that overlap the first. Of a file in `apart` only one; with WHOLE in it
    only one at all."""
    taken: list[Fix] = []
    for fix in offered:
        others = taken if WHOLE in apart else [other for other in taken if other.path == fix.path]
        alone = WHOLE in apart or fix.path in apart
        if not any(alone or _overlap(fix, other) for other in others):
            taken.append(fix)
    return taken


def _overlap(one: Fix, other: Fix) -> bool:
    return one.start_line <= other.line and other.start_line <= one.line


def applied(chosen: Iterable[Fix], texts: Mapping[str, Text]) -> dict[str, Text]:
    """The new text of each file. Raises ValueError where a fix does not fit its text, KeyError where there
    is no text."""
    new: dict[str, Text] = {}
    for fix in sorted(chosen, key=lambda fix: -fix.start_line):  # from below: lines above keep their numbers
        text = new.get(fix.path) or texts[fix.path]
        new[fix.path] = splice(text, fix.finding.suggestion.edit) if fix.finding.suggestion else text
    return new


def worse(before: Review, after: Review, tried: Sequence[Fix]) -> dict[str, str]:
    """What `tried` has made worse: by path, or WHOLE, the reason. Empty where nothing is.

    Counted are the new findings by file and by who says them: each fix has to take one away, and nothing
    may come. What a model says is not counted, since it can say another thing each time.
    """
    had = _kinds(before.findings)
    had.subtract(_kind(fix.finding) for fix in tried if not fix.by_model)
    paths = {fix.path for fix in tried}
    found: dict[str, str] = {}
    for finding in after.findings:
        kind = _kind(finding)
        if finding.preexisting or _by_model(finding):
            continue
        had[kind] -= 1
        if had[kind] < 0:
            found.setdefault(kind[0] if kind[0] in paths else WHOLE, f"it would leave: {_said(finding)}")
    known = {(i.stage, i.what) for i in before.incomplete}
    for entry in after.incomplete:
        if (entry.stage, entry.what) not in known and entry.stage != "model":
            where = entry.what if entry.what in paths else WHOLE
            found.setdefault(where, f"{entry.stage}: {entry.what}: {entry.why}")
    return found


def touched(before: Review, after: Review, tried: Collection[Fix]) -> dict[str, str]:
    """What a model newly finds in the very words of a fix, by path."""
    known = {f.fingerprint for f in before.findings}
    words = {path: _words(fix for fix in tried if fix.path == path) for path in {fix.path for fix in tried}}
    return {
        f.candidate.site.path: f"a model finds: {_said(f)}"
        for f in after.findings
        if _by_model(f) and f.decides and f.fingerprint not in known
        if any(
            line.strip() in words.get(f.candidate.site.path, ())
            for line in f.candidate.site.quote.split("\n")
        )
    }


def _words(tried: Iterable[Fix]) -> set[str]:
    return {line.strip() for fix in tried for line in fix.replacement.split("\n")} - {""}


def _said(finding: Finding) -> str:
    return f"{finding.candidate.title} (line {finding.candidate.site.start_line})"


def _kinds(findings: Iterable[Finding]) -> Counter[Kind]:
    return Counter(_kind(f) for f in findings if not f.preexisting and not _by_model(f))


def _kind(finding: Finding) -> Kind:
    c = finding.candidate
    return c.site.path, c.detector or f"{c.slug} {c.title}"


def _by_model(finding: Finding) -> bool:
    return finding.candidate.origin is Origin.MODEL


def message(done: Sequence[Fix], onto: str, commit: str) -> str:
    """The commit message of fixes on a branch of their own: what is fixed, and which merges first."""
    from textwrap import wrap

    noun = "1 defect" if len(done) == 1 else f"{len(done)} defects"
    first = f"{onto} ({commit[:12]})" if onto else f"commit {commit[:12]}"
    rows = [f"Fix {noun} that reviewbot found", ""]
    rows += wrap(f"Stacked on {first}: that merges first, then this commit.", 72)
    for fix in done:
        c = fix.finding.candidate
        said = f"{_shown(fix.path)}: {c.title} → {c.cost or c.failure}"
        rows += ["", *wrap(said, 72, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)]
    return "\n".join(rows) + "\n"


def _shown(path: str) -> str:
    from reviewbot.core.visible import name

    return name(path)
