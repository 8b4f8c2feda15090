"""The one place that says in words what was done. Every format, and GitHub, says the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reviewbot.core.gates import telling
from reviewbot.core.types import (
    Change,
    ClassResult,
    Finding,
    GateResult,
    GateStatus,
    Origin,
    Receipt,
    Rejection,
    Review,
    Severity,
    Side,
    Site,
    SkillOrigin,
    Suggestion,
)
from reviewbot.core.visible import name

NAMED = 5  # classes of one skill
SAID = 120  # characters of what a gate said
_RAN = (GateStatus.PASSED, GateStatus.FAILED)

CHECKS = {
    "applies": "it applies",
    "parses": "the result parses",
    "gates": "the gates say no more than before",
    "fixes": "the finding is gone",
}


@dataclass(frozen=True, slots=True)
class Sorted:
    """The findings of a review by what they mean. Each is in exactly one of the three."""

    new: tuple[Finding, ...]  # they decide the verdict
    second_look: tuple[Finding, ...]  # hints, and what a second reading was unsure of
    preexisting: tuple[Finding, ...]


def by_meaning(findings: Iterable[Finding]) -> Sorted:
    findings = tuple(findings)
    return Sorted(
        new=tuple(f for f in findings if f.decides),
        second_look=tuple(f for f in findings if not f.decides and not f.preexisting),
        preexisting=tuple(f for f in findings if f.preexisting),
    )


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 file`, `2,450 files`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def verdict(review: Review) -> str:
    """One line: the verdict, what was found, and all that was not looked at."""
    return f"{review.verdict}: {'; '.join(_facts(review))}"


def _facts(review: Review) -> Iterator[str]:
    kinds = by_meaning(review.findings)
    files = len(review.change.files)
    left = {u.path for u in review.uncovered}
    covered = sum(f.path not in left for f in review.change.files)
    if review.incomplete:
        yield f"{count(len(review.incomplete), 'planned step')} not done"
    if kinds.new:
        noun = "" if review.verdict == "findings" else " finding" if len(kinds.new) == 1 else " findings"
        yield f"{len(kinds.new):,} new{noun} ({severities(kinds.new)})"
    elif in_scope(review):
        yield "nothing new found"
    elif files and not review.incomplete:
        yield "nothing in scope"
    if files:
        noun = "file" if review.change.whole else "changed file"
        yield f"{covered:,} of {count(files, noun)} reviewed"
    elif review.change.whole:
        yield "the tree is empty"
    else:
        yield "the change is empty"
    if kinds.second_look:
        yield f"{len(kinds.second_look):,} worth a second look"
    if kinds.preexisting:
        yield f"{len(kinds.preexisting):,} {old(review.change)}"
    yield from review.change.notes
    skipped_classes = sum(c.result == "not-checked" for c in review.checked)
    if skipped_classes:
        who = "" if review.reader else "detectors only, "
        classes = count(len(review.checked), "class", "classes")
        yield f"{who}{skipped_classes:,} of {classes} not checked"
    skipped = {line for line, _ in gates(review)} - {
        line for (line, _), results in gates(review).items() if results[0].status is not GateStatus.SKIPPED
    }
    if skipped:
        yield f"{count(len(skipped), 'gate')} skipped"


def old(change: Change) -> str:
    """What a finding is called that decides nothing because it is not new."""
    return "known" if change.whole else "preexisting"


def in_scope(review: Review) -> bool:
    """Whether anything was looked at: a changed file, or the whole tree by a gate."""
    left = {u.path for u in review.uncovered}
    covered = any(f.path not in left for f in review.change.files)
    return covered or any(g.run.executes and g.status in _RAN for g in review.gates)


def severities(findings: Iterable[Finding]) -> str:
    """`1 blocker, 3 warnings`."""
    found = [f.candidate.severity for f in findings]
    return ", ".join(count(found.count(s), s.value) for s in Severity if s in found)


def compared(change: Change) -> str:
    """What was compared with what: `main...HEAD, base 1a2b3c4d5e6f, head 0f9e8d7c6b5a`."""
    parts = [change.label] if change.label else []
    parts += [f"base {change.base[:12]}"] if change.base else []
    parts += [f"head {change.head[:12]}"] if change.head else []
    return ", ".join(parts)


def place(site: Site) -> str:
    """`path:41`, `path:41-43`; a place in the old text says so."""
    lines = f"{site.start_line}" if site.line == site.start_line else f"{site.start_line}-{site.line}"
    return f"{name(site.path)}:{lines}" + (" (at base)" if site.side is Side.LEFT else "")


def also(finding: Finding) -> str:
    """The other places of the same root cause: `lines 10, 11`, and `b.sh:9` in another file."""
    path = finding.candidate.site.path
    here = [str(s.start_line) for s in finding.candidate.also if s.path == path]
    there = [f"{name(s.path)}:{s.start_line}" for s in finding.candidate.also if s.path != path]
    lines = [f"{'line' if len(here) == 1 else 'lines'} {', '.join(here)}"] if here else []
    return ", ".join([*lines, *there])


def checks(suggestion: Suggestion) -> str:
    """What was tried before the edit was offered."""
    return ", ".join(CHECKS.get(check, check) for check in suggestion.checked)


def unsuggested(finding: Finding) -> str:
    """Why a finding has no suggestion; empty where it has one."""
    if finding.suggestion:
        return ""
    return finding.unsuggested or "none is known to be safe"


def receipt(receipt: Receipt) -> str:
    """One step of the proof."""
    telling = receipt.detail and (not receipt.ok or receipt.kind in ("count", "run"))
    seen = f" ({receipt.detail})" if telling and not transcript(receipt) else ""
    claim = receipt.claim[:1].upper() + receipt.claim[1:].rstrip(".")
    return f"{'' if receipt.ok else 'Does not hold: '}{claim}{seen}"


def transcript(receipt: Receipt) -> list[str]:
    """What a proof ran and printed, by lines; empty for every other receipt."""
    return receipt.detail.split("\n") if receipt.kind == "run" and "\n" in receipt.detail else []


def unproven(findings: Iterable[Finding]) -> list[str]:
    """Why findings that have a proof were not run: `2 findings: bubblewrap is not installed`."""
    reasons = Counter(f.unproven for f in findings if f.unproven)
    return [f"{count(number, 'finding')}: {why}" for why, number in reasons.items()]


def cost(review: Review) -> str:
    """`claude-sonnet-5-5, prompts 0123: 3 calls, 12,000 tokens in (8,000 cached), 900 out, $0.04, 12 s`."""
    if not review.reader:
        return ""
    used = review.usage
    cached = f" ({used.cached_tokens:,} cached)" if used.cached_tokens else ""
    tokens = f"{used.input_tokens:,} tokens in{cached}, {used.output_tokens:,} out"
    return f"{review.reader}: {count(used.calls, 'call')}, {tokens}, ${used.usd:.2f}, {used.seconds:.0f} s"


def rejected(review: Review) -> list[Rejection]:
    """The claims of a model, and what a proof contradicted, that are no findings; duplicates aside."""
    return [
        r
        for r in review.rejections
        if r.reason == "disproved" or (r.candidate.origin is Origin.MODEL and r.reason != "duplicate")
    ]


def second_reading(finding: Finding) -> str:
    """What the refuting pass said; empty where there was none."""
    verdict, reason = finding.refutation.verdict, finding.refutation.reason
    if verdict == "not-run":
        return ""
    return f"a second reading says: {verdict}" + (f" ({reason})" if reason else "")


def gate(result: GateResult) -> str:
    """What became of a gate: `failed (exit 1), new`, `refused: it would run code of the change`."""
    words = result.status.value
    if result.status is GateStatus.FAILED:
        words += f" (exit {result.exit})" if result.exit is not None else ""
        words += f", {result.blame}" if result.blame != "unknown" else ", new or old not known"
    elif result.blame == "fixed":
        words += ", failed on base"
    return f"{words}: {result.reason}" if result.reason else words


def command(result: GateResult) -> str:
    return " ".join(result.command) or result.run.spec.line


def gates(review: Review) -> dict[tuple[str, str], list[GateResult]]:
    """The gates by the line of the skill that asks for them and by what became of them.

    A line runs once a file for some checkers, and for each skill that asks for it: those that went
    alike are one row, and a skill without files for it says nothing where another has some.
    """
    ran = {g.run.spec.line for g in review.gates if g.status is not GateStatus.SKIPPED}
    rows: dict[tuple[str, str], list[GateResult]] = {}
    for result in review.gates:
        line = result.run.spec.line or command(result)
        if result.status is not GateStatus.SKIPPED or line not in ran:
            rows.setdefault((line, gate(result)), []).append(result)
    return rows


def told(review: Review) -> Iterator[tuple[str, str, int]]:
    """The gates of which there is something to tell: the line, what became of it, and of how many runs. None
    of a built-in skill that found no file for it; of an old failure also what it says."""
    builtin = {s.name for s in review.skills.active if s.origin is SkillOrigin.BUILTIN}
    for (line, what), results in gates(review).items():
        first = results[0]
        idle = first.status is GateStatus.SKIPPED and first.run.spec.kind == "parse-only"
        if idle and all(result.run.skill in builtin for result in results):
            continue
        old = first.status is GateStatus.FAILED and first.blame == "preexisting"
        last = telling(first.output) if old else ""
        yield line, f"{what}; said last: {last[:SAID]}" if last else what, len(results)


def unlooked(review: Review) -> dict[str, list[str]]:
    """The files that nobody looked at, by reason, most first."""
    rows: dict[str, list[str]] = {}
    for u in review.uncovered:
        rows.setdefault(u.reason, []).append(u.path)
    return dict(sorted(rows.items(), key=lambda row: -len(row[1])))


def classes(review: Review, result: str) -> dict[str, list[ClassResult]]:
    """The classes of which that is known, by the skill and how many files are its own."""
    files = {
        a.skill.name: f"{a.skill.name} ({count(len(a.paths), 'file')})" for a in review.scope.assignments
    }
    rows: dict[str, list[ClassResult]] = {}
    for c in review.checked:
        if c.result == result:
            rows.setdefault(files.get(c.skill, c.skill), []).append(c)
    return rows


def own_unlooked(review: Review) -> Iterator[tuple[str, str]]:
    """The skills that are not built in, each with the classes that nobody looked for: `A colour; A wait`."""
    own = {s.name for s in review.skills.active if s.origin is not SkillOrigin.BUILTIN}
    titles: dict[str, list[str]] = {}
    for c in review.checked:
        if c.result == "not-checked" and c.skill in own:
            titles.setdefault(c.skill, []).append(c.title)
    for skill, found in titles.items():
        more = f" and {len(found) - NAMED:,} more" if len(found) > NAMED else ""
        yield skill, "; ".join(found[:NAMED]) + more


def remarks(review: Review) -> list[str]:
    """What was read differently in the skills that took part than their authors may have meant, and which
    took no part although it looks as if they did."""
    read = (str(d) for s in review.skills.active for d in s.diagnostics if d.level == "warning")
    return [*review.skills.notes, *read]


def guidance(review: Review) -> str:
    """How much of the repository's own guidance was read: `2 files, 4,120 characters; cut: AGENTS.md (…)`."""
    texts = review.guidance
    if not texts:
        return ""
    read = sum(len(g.text) for g in texts)
    cut = [
        f"{name(g.path)} (the first {len(g.text):,} of {g.characters:,} characters)"
        for g in texts
        if len(g.text) < g.characters
    ]
    more = f"; cut: {', '.join(cut)}" if cut else ""
    names = ", ".join(name(g.path) for g in texts)
    return f"{count(len(texts), 'file')}, {read:,} characters ({names}){more}"
