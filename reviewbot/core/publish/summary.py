"""What the one summary comment says, while the review runs and at its end: short first, the detail folded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.ask.redact import redacted
from reviewbot.core.publish import comment, ran
from reviewbot.core.publish.cap import capped, inert
from reviewbot.core.publish.headline import headline
from reviewbot.core.publish.manual import pointer
from reviewbot.core.publish.table import Row, defects, is_plain, link, linked
from reviewbot.core.report import words
from reviewbot.core.report.markup import code, details, fence, language
from reviewbot.core.scope import UNCLAIMED
from reviewbot.core.types import ClassResult, Pull, Rejection, Review
from reviewbot.core.visible import name

LISTED = 30  # lines of a list that is not folded
NAMED = 5  # files that are named without unfolding anything
UNKNOWN = "Nothing is known about this head: it has not been found clean."

STAGES = (
    ("change", "Read the change"),
    ("detectors", "Run the detectors"),
    ("gates", "Run the gates"),
    ("model", "Ask the model, and have its claims refuted"),
    ("suggestions", "Try each suggestion"),
    ("posting", "Post what was found"),
)
_RUNNING, _ABANDONED, _BEFORE = "**Reviewing**", "**Not reviewed**", "The last review"
_PAUSED = "**Paused**"
_REASONS = {UNCLAIMED: "no skill for it"}


class Closing(NamedTuple):
    """A thread whose finding is gone."""

    title: str
    path: str
    url: str
    what: str  # "fixed in 1a2b3c4"


class Page(NamedTuple):
    """What the final summary shows beside the review."""

    pull: Pull
    rows: tuple[Row, ...]  # a finding of the review that has none here is shown without a link
    closed: tuple[Closing, ...] = ()
    notes: tuple[str, ...] = ()  # one sentence each
    dismissed: tuple[tuple[str, int], ...] = ()  # class, and how many of its findings people declined
    run_url: str = ""
    seconds: float = 0.0  # that the review took
    name: str = "reviewbot"  # by which it is mentioned, without the @
    paused: str = ""  # a block in front of everything, as `paused` makes it


class Tick(NamedTuple):
    """How far a stage is. `total` is 0 where it is not known."""

    stage: str
    done: int = 0
    total: int = 0


def final(review: Review, page: Page, marker: str) -> str:
    """The body of the summary of a review that has ended; `marker` is its last line."""
    rows = _rows(review, page)
    body = "\n\n".join([*_open(review, page, rows), *_folded(review, page, rows), _footer(review, page)])
    return capped(redacted(body), marker, whereabouts(page.pull, page.run_url))


def running(
    pull: Pull,
    ticks: Sequence[Tick],
    seconds: float,
    run_url: str,
    before: str,
    marker: str,
    skills: Sequence[str] = (),
    model: bool = False,
) -> str:
    """The body of the summary while a review runs.

    ticks: the latest of each stage, in the order in which they began.
    before: the earlier summary as people see it; it stays, folded.
    model: whether a model takes part.
    """
    job = f" {link('View job', run_url)}" if run_url else ""
    head = f"{_RUNNING} {pull.head_sha[:7]} for {code(pull.base_ref)}: {duration(seconds)} so far.{job}"
    stages = [row for row in STAGES if model or row[0] != "model"]
    body = [head, "\n".join(_item(stage, does, ticks) for stage, does in stages)]
    if skills:
        body.append(f"By the skills {', '.join(map(inert, skills))}.")
    return _with_before(body, before, marker, whereabouts(pull, run_url))


def abandoned(pull: Pull, why: str, before: str, marker: str) -> str:
    """The body of the summary of a review that did not end. `why`: a clause."""
    said = f"{_ABANDONED}: the review of {pull.head_sha[:7]} did not end: {inert(why)}."
    return _with_before([f"{said} {UNKNOWN}"], before, marker, whereabouts(pull, ""))


def _item(stage: str, does: str, ticks: Sequence[Tick]) -> str:
    """One line of the checklist. A stage without a total has ended when a later one has begun."""
    at = next((n for n, tick in enumerate(ticks) if tick.stage == stage), None)
    if at is None:
        return f"- [ ] {does}"
    tick = ticks[at]
    ended = tick.done >= tick.total if tick.total else at + 1 < len(ticks)
    amount = f": {tick.done:,} of {tick.total:,}" if tick.total else "" if ended else ": under way"
    return f"- [{'x' if ended else ' '}] {does}{amount}"


def _with_before(body: list[str], before: str, marker: str, where: str) -> str:
    if kept := _innermost(before.strip()):
        body = [*body, details(_BEFORE, kept)]
    return capped(redacted("\n\n".join(body)), marker, where)


def _innermost(before: str) -> str:
    """The last review that ended: of a summary that only keeps one, what it keeps."""
    if not before.startswith((_RUNNING, _ABANDONED)):
        return before
    _, _, kept = before.partition(f"<details><summary>{_BEFORE}</summary>")
    return kept.removesuffix("</details>").strip()


def paused(by: str, head: str, name: str) -> str:
    """The block that says that nothing is reviewed for now. `by`: who paused it; "" where nobody knows."""
    who = f" by {inert(f'@{by}')}" if by else ""
    go_on = code(f"@{name} resume")
    return f"{_PAUSED}{who}: commits since {head[:7]} are not reviewed. {go_on} takes them up again."


def unpaused(body: str) -> str:
    """A summary without that block."""
    return body.partition("\n\n")[2] if body.startswith(_PAUSED) else body


def whereabouts(pull: Pull, run_url: str) -> str:
    """A sentence: where all of a review is to be found."""
    local = f"{code(f'reviewbot pr {pull.repo}#{pull.number}')} prints it."
    return f"The {link('run page', run_url)} has it, and {local}" if is_plain(run_url) else local


def duration(seconds: float) -> str:
    """`45 s`, `1 min 20 s`, `1 h 5 min`. A clock that was set back gives `0 s`."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60:,} h {minutes % 60} min"


def _rows(review: Review, page: Page) -> tuple[Row, ...]:
    """A row of each finding: those of the page, and what it has left out."""
    shown = {row.finding.fingerprint for row in page.rows}
    return (*page.rows, *(Row(f) for f in review.findings if f.fingerprint not in shown))


def _open(review: Review, page: Page, rows: Iterable[Row]) -> Iterator[str]:
    """What is read without unfolding anything."""
    new = [row for row in rows if row.finding.decides]
    if page.paused:
        yield page.paused
    yield headline(review, [row.state for row in new]).markdown
    yield from map(inert, review.change.notes)
    yield from not_done(review)
    if new:
        yield "### Defect → cost → fix"
        yield from defects(new)
    if page.closed:
        yield "### Closed since the last review"
        yield from _listing(
            f"{link(inert(c.title), c.url)} ({code(redacted(name(c.path)))}): {inert(c.what)}"
            for c in page.closed
        )
    if held := words.classes(review, "held"):
        yield "**Checked and held** (looked for by something that finds every case):"
        yield from _classes(held)
    yield from ran.gates(review)
    yield from unreviewed(review)
    yield from map(inert, page.notes)
    if page.dismissed:
        said = (f"{inert(title)} ({number:,})" for title, number in page.dismissed)
        yield f"**Declined by people** on this pull request: {'; '.join(said)}."
    yield _cost(review, page)


def not_done(review: Review) -> Iterator[str]:
    """A heading and a list; nothing where the review is whole."""
    if review.incomplete:
        yield "### Not done"
        yield "These were planned and not done:"
        rows = [f"{i.stage}: {code(redacted(i.what))}: {inert(i.why)}" for i in review.incomplete]
        yield from _listing(rows)


def unreviewed(review: Review) -> Iterator[str]:
    """The files that nobody looked at, by name and reason: once, folded where there are many."""
    reasons = {_REASONS.get(why, why): paths for why, paths in words.unlooked(review).items()}
    number = sum(map(len, reasons.values()))
    if number > NAMED:
        rows = (f"{code(redacted(name(path)))}: {inert(why)}" for why in reasons for path in reasons[why])
        yield details(f"Not reviewed: {words.count(number, 'file')}", _list(rows))
    elif reasons:
        said = (
            f"{', '.join(code(redacted(name(path))) for path in paths)} ({inert(why)})"
            for why, paths in reasons.items()
        )
        yield f"Not reviewed: {'; '.join(said)}."


def _cost(review: Review, page: Page) -> str:
    took = [f"Took {duration(page.seconds)}."] if page.seconds else []
    cost = words.cost(review)
    return " ".join([*took, f"Model: {inert(cost)}." if cost else "No model took part."])


def _folded(review: Review, page: Page, rows: Iterable[Row]) -> Iterator[str]:
    """The detail, each part with how much there is of it."""
    rows = tuple(rows)
    second = [row for row in rows if not row.finding.decides and not row.finding.preexisting]
    if second:
        title = f"Worth a second look: {words.count(len(second), 'finding')}, not counted in the verdict"
        yield details(title, "\n\n".join(map(_second_look, second)))
    yield from alone([row for row in rows if row.finding.decides])
    if declined := [r for r in review.rejections if r.reason == "dismissed"]:
        rows_of = (f"{_at(r)}: {inert(r.candidate.title)}. {inert(r.detail)}" for r in declined)
        yield details(f"Dismissed: {words.count(len(declined), 'finding')}", _list(rows_of))
    if refuted := refutations(review):
        yield details(f"Refuted: {words.count(len(refuted), 'claim')}", _list(map(claim, refuted)))
    if old := [row for row in rows if row.finding.preexisting]:
        title = f"Older than this change: {words.count(len(old), 'finding')}"
        yield details(title, _list(f"{linked(row)}: {inert(row.finding.candidate.title)}" for row in old))
    yield from ran.outputs(review)
    if idle := list(ran.skipped(review)):
        yield details(f"Skipped: {words.count(len(idle), 'gate')}", _list(idle))
    if looked := list(_looked_for(review)):
        yield details("What was looked for", "\n\n".join(looked))
    if remarks := words.remarks(review):
        yield details("Notes on the skills", _list(map(inert, remarks)))


def alone(rows: Iterable[Row]) -> Iterator[str]:
    """In full the findings that have no comment."""
    if left := [row for row in rows if not row.url]:
        title = f"Without a comment of their own: {words.count(len(left), 'finding')}"
        yield details(title, "\n\n".join(map(_facts, left)))


def _second_look(row: Row) -> str:
    c = row.finding.candidate
    reading = words.second_reading(row.finding)
    return "\n\n".join(
        [
            f"{comment.heading(row.finding)} {linked(row)}",
            f"{inert(c.failure)} {inert(c.cost)}".rstrip(),
            *([f"**Second reading.** {inert(reading)}"] if reading else []),
            f"**Fix.** {inert(c.fix)}",
        ]
    )


def _facts(row: Row) -> str:
    """All that a comment would say, but for the fix that the table has."""
    finding, c = row.finding, row.finding.candidate
    key = code(finding.fingerprint[: comment.NAMED])
    blocks = [
        f"**{inert(c.title)}**, {linked(row)} ({key})",
        fence(c.site.quote, language(c.site.path)),
        f"{inert(c.failure)} {inert(c.cost)}".rstrip(),
        f"**Fix.** {inert(c.fix)}",
        comment.proof(finding),
        *comment.transcripts(finding),
    ]
    return "\n\n".join(filter(None, blocks))


def refutations(review: Review) -> list[Rejection]:
    """The claims that a check did not let through; what people dismissed is told apart from them."""
    return [r for r in words.rejected(review) if r.reason != "dismissed"]


def claim(rejection: Rejection) -> str:
    """A line on a claim that did not hold: where, what, and why not."""
    c = rejection.candidate
    fate = f"**{rejection.reason}**: {inert(rejection.detail or 'no reason given')}"
    return f"{_at(rejection)}: {inert(c.title)}. {fate}"


def _at(rejection: Rejection) -> str:
    return code(redacted(words.place(rejection.candidate.site)))


def _looked_for(review: Review) -> Iterator[str]:
    sayings = (
        ("nothing-found", "Nothing found", "looked for, which proves no absence"),
        ("not-checked", "Not checked", "nobody looked"),
        ("not-applicable", "Not applicable", "no changed file that it could be in"),
    )
    for result, title, meaning in sayings:
        if skills := words.classes(review, result):
            yield f"**{title}** ({meaning}):"
            yield from _classes(skills)
    if read := words.guidance(review):
        yield f"Guidance of the repository, read at base: {inert(read)}."


def _classes(skills: dict[str, list[ClassResult]]) -> Iterator[str]:
    yield from _listing(
        f"{inert(skill)}: {'; '.join(inert(c.title) for c in classes)}" for skill, classes in skills.items()
    )


def _footer(review: Review, page: Page) -> str:
    head = (review.change.head or page.pull.head_sha)[:7]
    base = (review.change.base or page.pull.base_sha)[:7]
    job = f" {link('View job', page.run_url)}" if page.run_url else ""
    files = words.count(len(review.change.files), "file")
    return f"Reviewed {head} against {base}, {files}.{job} {pointer(page.name)}"


def _listing(rows: Iterable[str]) -> Iterator[str]:
    """A list of which only the start is unfolded."""
    rows = list(rows)
    yield _list(rows[:LISTED])
    if more := rows[LISTED:]:
        yield details(f"{len(more):,} more", _list(more))


def _list(rows: Iterable[str]) -> str:
    return "\n".join(f"- {row}" for row in rows)
