"""Values for tests: a whole Review from as few words as the test needs."""

from __future__ import annotations

from typing import Any

from reviewbot.core.types import (
    Assignment,
    Candidate,
    Change,
    ClassResult,
    DefectClass,
    Edit,
    FileChange,
    Finding,
    GateResult,
    GateRun,
    GateSpec,
    GateStatus,
    Grade,
    Incomplete,
    Origin,
    Receipt,
    Review,
    Scope,
    Severity,
    Site,
    Skill,
    SkillOrigin,
    Skills,
    Status,
    Suggestion,
    Uncovered,
)

INJECT = 'python3 "$ROOT/runners/inject_acceptance.py" "$CONFIG_PATH" "$FRAMEWORK"'


def candidate(**changes: Any) -> Candidate:
    """A swallowed failure at runners/launch_h200.sh:41; `path`, `line` and `quote` move its site."""
    path = changes.pop("path", "runners/launch_h200.sh")
    line = changes.pop("line", 41)
    quote = changes.pop("quote", INJECT)
    end = line + quote.count("\n")
    whole = Candidate(
        skill="launcher-adversarial-review",
        slug="a-failed-step-does-not-stop-the-launch",
        rank=1,
        title="A failed step does not stop the launch",
        severity=Severity.WARNING,
        origin=Origin.DETECTOR,
        detector="swallowed-failure",
        grade=Grade.STRONG,
        site=Site(path, line, end, quote),
        failure="`python3` can fail and the script goes on to `sbatch` with the configuration as it was.",
        cost="The allocation is spent on a run that measures the old configuration under the new name.",
        fix="Stop the launch when the step fails: append `|| exit 1`, as six other lines of this script do.",
    )
    return whole._replace(**changes)


def finding(**changes: Any) -> Finding:
    """A new finding made of `candidate(**changes)`; fields of Finding may be given too."""
    names = {
        "fingerprint",
        "preexisting",
        "placement",
        "suggestion",
        "receipts",
        "unsuggested",
        "unproven",
        "refutation",
    }
    own = {name: changes.pop(name) for name in names & changes.keys()}
    whole = Finding(
        candidate=candidate(**changes),
        fingerprint="0123456789abcdef",
        preexisting=False,
        placement="inline",
        suggestion=None,
        receipts=(),
    )
    return whole._replace(**own)


def suggested(**changes: Any) -> Finding:
    """The same with a suggestion that appends `|| exit 1`, and with receipts."""
    plain = finding(**changes)
    site = plain.candidate.site
    edit = Edit(site.start_line, site.line, f"{site.quote} || exit 1")
    receipts = (
        Receipt("quote", f"`{site.quote}` stands at {site.path}:{site.line}", site.path, site.line, True, ""),
        Receipt("absent", "no line sets errexit", site.path, None, True, "no line"),
        Receipt("count", "6 lines stop the script by `|| exit 1`", site.path, None, True, "6 lines: 7, 9"),
    )
    checked = ("applies", "parses", "gates", "fixes")
    return plain._replace(
        suggestion=Suggestion(edit, tuple(site.quote.split("\n")), checked), receipts=receipts
    )


def skill(**changes: Any) -> Skill:
    whole = Skill(
        name="launcher-adversarial-review",
        description="Launchers.",
        path="skills/launcher-adversarial-review/SKILL.md",
        origin=SkillOrigin.BUILTIN,
        hash="0123456789ab",
        classes=(DefectClass(1, "a-class", "A class", "Its text."),),
    )
    return whole._replace(**changes)


def gate(
    status: GateStatus = GateStatus.PASSED, line: str = "bash -n <each>.sh", **changes: Any
) -> GateResult:
    argv = changes.pop("argv", tuple(line.split()))
    spec = GateSpec(line, tuple(line.split()), "parse-only")
    run = GateRun(skill="launcher-adversarial-review", spec=spec, tool="bash-n", argv=argv)
    return GateResult(run, status, exit=0 if status is GateStatus.PASSED else None)._replace(**changes)


def review(
    *findings: Finding,
    paths: tuple[str, ...] = ("runners/launch_h200.sh",),
    uncovered: tuple[tuple[str, str], ...] = (),
    incomplete: tuple[tuple[str, str, str], ...] = (),
    **changes: Any,
) -> Review:
    """A Review of the files `paths` (looked at) and `uncovered` (path, reason)."""
    own = skill()
    left = tuple(Uncovered(path, reason) for path, reason in uncovered)
    files = tuple(FileChange(path, Status.MODIFIED) for path in (*paths, *(u.path for u in left)))
    whole = Review(
        change=Change("a" * 40, "b" * 40, files, "main...HEAD"),
        skills=Skills(active=(own,)),
        scope=Scope((Assignment(own, paths),), paths, left),
        incomplete=tuple(Incomplete(*row) for row in incomplete),
        gates=(),
        findings=findings,
        rejections=(),
        checked=(),
        uncovered=left,
    )
    return whole._replace(**changes)


def checked(result: str, title: str = "A class", files: int = 1) -> ClassResult:
    return ClassResult("launcher-adversarial-review", title.lower().replace(" ", "-"), title, files, result)
