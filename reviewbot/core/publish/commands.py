"""Commands obeyed: who is heard, what is answered, and what of it is remembered.

First `received`, on which the reaction is sent at once, then `obey`. What is to be remembered stands in
the marker of the answer: a review that runs meanwhile writes the summary anew, and knows nothing of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from reviewbot.core.ask.redact import redacted
from reviewbot.core.publish import marker
from reviewbot.core.publish.cap import capped, clipped, inert, plain
from reviewbot.core.publish.comment import NAMED
from reviewbot.core.publish.headline import headline
from reviewbot.core.publish.manual import help_text
from reviewbot.core.publish.marker import Dismissal, Marker
from reviewbot.core.publish.naming import Known, began, known, meant
from reviewbot.core.publish.standing import ours, remembered
from reviewbot.core.publish.summary import paused as paused_words
from reviewbot.core.publish.summary import unpaused
from reviewbot.core.publish.telling import Effective, config_text, explained
from reviewbot.core.report.markup import code
from reviewbot.core.types import Asked, Command, Pull, PullTerms, Remark, Review, Said, Thread

EYES, CONFUSED = "eyes", "confused"  # reactions
HOUR = 3600  # seconds
HOURLY = 10  # answers to commands on one pull request
REASON = 200  # characters
SHOWN = 40  # characters of what is no command

UNBRAKED = ("pause", "resume")  # verbs that are obeyed all the same

_NOT_UNDERSTOOD = "is no command."


class Received(NamedTuple):
    """`reaction` EYES: obey it. CONFUSED: refused, and nothing is said. "": not even that."""

    reaction: str
    why: str = ""  # for the log, where it is not obeyed


class Obeyed(NamedTuple):
    reply: str  # Markdown; `key` is its last line. "": nothing is said
    key: str = ""
    thread: Thread | None = None  # in which it is said; None: below the description
    review: bool = False  # whether the pull request is to be reviewed next, the answer having been given
    summary: str = ""  # the new body of our summary; "": it stays as it is


class Votes(NamedTuple):
    """What became of the findings of one class on a pull request."""

    found: int = 0  # that have a comment
    dismissed: int = 0
    down: int = 0  # thumbs


class _Said(NamedTuple):
    """An answer without what all answers have."""

    text: str
    review: bool = False
    verb: str = ""  # what is remembered of it: pause, resume
    dismissed: tuple[Dismissal, ...] = ()
    summary: str = ""


def received(verb: str, asked: Asked, said: Said, *, permitted: bool, terms: PullTerms) -> Received:
    """`permitted`: whether GitHub says that the author may write to the repository; without an answer of
    GitHub's it is False."""
    if answered(said, asked.comment_id):
        return Received("", "the comment is answered already")
    if verb not in UNBRAKED and too_many(said, asked.created):
        return Received("", f"{HOURLY} commands were answered within an hour")
    if permitted or (verb == "review" and asked.is_author_of_pull and terms.authors):
        return Received(EYES)
    return Received(CONFUSED, f"{asked.author.login} may not write to the repository")


def answered(said: Said, comment_id: int) -> bool:
    """Whether the command of this comment has its reply: GitHub delivers an event again."""
    return any(own.answers == comment_id for _, own in _answers(said))


def too_many(said: Said, now: str) -> bool:
    """Whether the last hour has as many answers as it may. `now` (ISO 8601) is best GitHub's own time,
    that of the command: a clock that jumps changes nothing then."""
    at = _time(now)
    return at is None or len(_lately(said, at)) >= HOURLY


def _lately(said: Said, at: datetime) -> list[datetime]:
    """When the answers of that hour were given; one that tells no time counts as given now."""
    times = (_time(remark.created) or at for remark, _ in _answers(said))
    return sorted(t for t in times if abs((at - t).total_seconds()) < HOUR)


def obey(
    command: Command,
    asked: Asked,
    pull: Pull,
    said: Said,
    *,
    name: str,
    review: Review | None,
    effective: Effective | None,
) -> Obeyed:
    """The answer to a command that was received well.

    name: what commands are addressed to.
    review: the last one, what was dismissed still among its findings; None: there is none at hand.
    effective: needed by `config` alone; None: it could not be read.
    """
    done = _answer(command, asked, pull, said, name, review, effective)
    if done is None:
        return Obeyed("")
    return _replied(done, asked, pull, said)


def reviewed(asked: Asked, pull: Pull, said: Said, review: Review, note: str = "") -> Obeyed:
    """The answer to `review` when it is done: an event that is delivered again finds the command open until
    then. note: a sentence more; "": none."""
    known = remembered(said).marker
    new = [f.fingerprint for f in review.findings if f.decides]
    states = ["still there" if name in known.fingerprints else "new" for name in new] if known.verdict else []
    text = f"Reviewed {pull.head_sha[:7]}: {headline(review, states).markdown} The summary has all of it."
    return replied(f"{text} {note}".rstrip(), asked, pull, said)


def unchanged(asked: Asked, pull: Pull, said: Said, name: str) -> Obeyed:
    """The answer to `review` where there is nothing new to review: what the summary says."""
    remark = remembered(said).remark
    line, _, _ = unpaused(remark.body if remark else "").partition("\n")
    found = f": {line}" if line else "."
    text = f"Nothing has changed since {pull.head_sha[:7]} was reviewed{found} The summary has all of it."
    again = code(f"@{name} review full")
    return replied(f"{text} {again} reviews it once more.", asked, pull, said)


def replied(text: str, asked: Asked, pull: Pull, said: Said) -> Obeyed:
    """An answer of which nothing is remembered but that it was given."""
    return _replied(_Said(text), asked, pull, said)


def _replied(done: _Said, asked: Asked, pull: Pull, said: Said) -> Obeyed:
    text = done.text
    if asked.more:
        text += "\n\nOnly the first command of a comment is obeyed."
    text += _brake(asked, said)
    own = Marker(
        "reply",
        head=pull.head_sha,
        state="command",
        answers=asked.comment_id,
        verb=done.verb,
        by=asked.author.login if done.verb else "",
        dismissed=done.dismissed,
    )
    key = marker.write(own)
    thread = next((t for t in said.threads if began(t, asked)), None)
    return Obeyed(capped(redacted(text), key), key, thread, done.review, done.summary)


def _brake(asked: Asked, said: Said) -> str:
    """What the last answer of an hour says of the next one; "": this is not the last."""
    at = _time(asked.created)
    times = _lately(said, at) if at else []
    if len(times) + 1 != HOURLY:
        return ""
    free = min(times).astimezone(UTC) + timedelta(seconds=HOUR)
    return f"\n\nThat was the tenth answer within an hour; the next after {free:%H:%M} UTC."


def votes(said: Said) -> Mapping[str, Votes]:
    """By class (its slug): a finding counts once, however often it was shown."""
    found: Counter[str] = Counter()
    down: Counter[str] = Counter()
    seen: set[str] = set()
    for thread, own in ours(said):
        found[own.slug] += not seen.issuperset(own.fingerprints)
        seen.update(own.fingerprints)
        down[own.slug] += thread.thumbs_down
    dismissed = Counter(d.slug for d in remembered(said).marker.dismissed)
    slugs = sorted({*found, *dismissed} - {""})
    return {slug: Votes(found[slug], dismissed[slug], down[slug]) for slug in slugs}


def _answers(said: Said) -> Iterator[tuple[Remark, Marker]]:
    remarks = (*said.remarks, *(remark for thread in said.threads for remark in thread.remarks))
    for remark in remarks:
        own = marker.read(remark, said.me)
        if own is not None and own.kind == "reply" and own.state == "command":
            yield remark, own


def _time(text: str) -> datetime | None:
    """None: it is no time with a zone."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else None


def _answer(
    command: Command,
    asked: Asked,
    pull: Pull,
    said: Said,
    name: str,
    review: Review | None,
    effective: Effective | None,
) -> _Said | None:
    """None: nothing is said."""
    if command.verb == "review":
        return None if pull.open else _Said("This pull request is closed: it is not reviewed.")
    if command.verb in ("pause", "resume"):
        return _pause(command.verb == "pause", asked, pull, said, name)
    if command.verb in ("explain", "dismiss"):
        found, text = meant(command, asked, known(said, review))
        if isinstance(found, str):
            return _Said(found)
        return (
            _dismiss(found, text, asked, pull, said, name)
            if command.verb == "dismiss"
            else _Said(explained(found))
        )
    if command.verb == "config":
        return _Said(config_text(effective) if effective else "The configuration could not be read.")
    if command.verb == "help":
        return _Said(help_text(name))
    if any(_NOT_UNDERSTOOD in remark.body.partition("\n")[0] for remark, _ in _answers(said)):
        return None  # one who writes to us by mistake is told once
    return _Said(f"{code(clipped(plain(command.argument), SHOWN))} {_NOT_UNDERSTOOD}\n\n{help_text(name)}")


def _pause(paused: bool, asked: Asked, pull: Pull, said: Said, name: str) -> _Said:
    memory = remembered(said)
    before = memory.marker.paused
    # A review that runs writes its summary anew, and says so itself.
    remark = memory.remark if memory.marker.verdict != marker.RUNNING else None
    shown = unpaused(remark.body) if remark else ""
    if paused:
        reviewed_head = memory.marker.head or pull.head_sha
        if shown:
            shown = f"{paused_words(asked.author.login, reviewed_head, name)}\n\n{shown}"
        until = f"until {code(f'@{name} resume')}; {code(f'@{name} review')} still works"
        if before:
            return _Said(f"They are already paused {until}.")
        return _Said(f"Reviews are paused {until}.", verb="pause", summary=shown)
    if not before:
        return _Said("Reviews are not paused.")
    text = f"New commits are reviewed again, beginning with {pull.head_sha[:7]}."
    return _Said(text, review=pull.open, verb="resume", summary=shown)


def _dismiss(found: Known, reason: str, asked: Asked, pull: Pull, said: Said, name: str) -> _Said:
    short = found.fingerprint[:NAMED]
    memory = remembered(said).marker
    before = next((d for d in memory.dismissed if d.fingerprint == found.fingerprint), None)
    if before is not None:
        return _Said(f"{code(short)} is dismissed already: {inert(before.reason)}")
    reason = clipped(plain(reason), REASON)
    if not reason.strip():
        line = code(f"@{name} dismiss {short} <reason>")
        return _Said(f"A dismissal needs a reason, for those who read this later: {line}.")
    dismissal = Dismissal(found.fingerprint, found.slug, reason, asked.author.login)
    # The summary and the check run are to say so; a head that nobody has reviewed is not reviewed for it.
    shown = pull.open and not memory.paused and memory.head == pull.head_sha
    text = f"{code(short)} is dismissed and is not shown again here: {inert(reason)}"
    return _Said(text, review=shown, dismissed=(dismissal,))
