"""One job of the App: an errand on a pull request, done so that a crash costs no step of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias, TypeVar

from reviewbot.core import errand as errands
from reviewbot.core.errors import ReviewbotError, StoreDown
from reviewbot.core.options import DiffOptions
from reviewbot.core.publish.standing import ours, remembered
from reviewbot.core.report.document import document
from reviewbot.core.types import (
    Obey,
    Pull,
    Rerun,
    Review,
    ReviewPull,
    Said,
    Settings,
    ShowRefuted,
    Stamp,
)
from reviewbot.core.types.run import Run
from reviewbot.hosts.github.app import App
from reviewbot.hosts.github.client import Access
from reviewbot.hosts.logs import about, log
from reviewbot.jobs.engine import JSON, Cancelled, Engine, Stopped
from reviewbot.jobs.memo import Diverged, MemoGates, MemoModel, MemoSink, beside
from reviewbot.jobs.sweep import FORK
from reviewbot.store import Store
from reviewbot.wiring.hands import Around, Hands
from reviewbot.wiring.jobports import Living, Noted, Remembering, Ticks
from reviewbot.wiring.pull import Outcome
from reviewbot.wiring.replay import do

PATIENCE = (1.0, 2.0, 4.0, 8.0, *[10.0] * 58)  # seconds between attempts to write down an end
TURN = 0.5  # seconds between two looks whether an older run of the same pull request has ended
LONGEST = 900.0  # seconds that it is waited for: it is cancelled, and ends before its next step

T = TypeVar("T")

_GONE = "it has ended, or was deleted"

Ended: TypeAlias = Callable[[str, Mapping[str, Any] | None], None]  # a run's state and its report


class Office(NamedTuple):
    """What all jobs of this process share."""

    store: Store
    app: App
    worker: str
    public_url: str  # "": no page can be linked to
    secret: bytes  # equal in all processes of one installation
    options: DiffOptions  # how a pull request is reviewed
    ended: Ended


def work(job: Mapping[str, JSON], engine: Engine, office: Office) -> JSON:
    """What the engine calls for each job. Its end is written into the store, whatever it is; raises
    StoreDown where that was away for longer than PATIENCE."""
    id, delivery = str(job["run"]), str(job["delivery"])
    runs = office.store.runs

    def settle(state: str, why: str) -> None:
        patiently(engine, lambda: office.store.deliveries.settle(delivery, state, why, id))

    with about(delivery=delivery, run=id):
        run = runs.get(id)
        if run is None or not runs.begin(id, office.worker):
            if run is not None:  # whoever ended it may have been killed before the next line
                office.store.deliveries.settle_run(
                    run, "failed" if run.state == "failed" else "done", run.error
                )
            return _GONE
        try:
            outcome = _done(job, run, engine, office)
        except Cancelled:
            why = patiently(engine, lambda: runs.cancel_asked(id)) or "cancelled"
            _end(engine, office, run, "cancelled", error=why)
            settle("done", "cancelled")
            raise
        except (Stopped, StoreDown):
            raise  # it goes on, elsewhere or later
        except Diverged as error:
            return _anew(job, engine, office, error)
        except ReviewbotError as error:
            _end(engine, office, run, "failed", error=str(error))
            settle("failed", str(error))
            return str(error)
        except Exception as error:  # its words may be anybody's, and pages show what is kept
            if not patiently(engine, lambda: runs.is_there(id)):
                return _GONE
            why = f"internal error: {type(error).__name__}"
            _end(engine, office, run, "failed", error=why)
            settle("failed", why)
            raise
        _end(engine, office, run, "done", outcome.review, "" if outcome.review else outcome.said)
        settle("done", outcome.said)
        return outcome.said


def patiently(engine: Engine, call: Callable[[], T]) -> T:
    """`call`, until the store takes it. Raises StoreDown behind PATIENCE, and HandedOver."""
    for seconds in PATIENCE:
        try:
            return call()
        except StoreDown as error:
            log("the store is waited for", why=str(error))
        engine.pause(seconds)
    return call()


def _done(job: Mapping[str, JSON], run: Run, engine: Engine, office: Office) -> Outcome:
    told: Any = job["errand"]
    errand = errands.read(told)
    if not isinstance(errand, (ReviewPull, Obey, Rerun, ShowRefuted)):
        raise ReviewbotError(f"nobody can do {type(errand).__name__} on a pull request")
    _take_turn(run, engine, office)
    installation = run.installation or office.app.installation_of(errand.repo)
    token = office.app.job(installation, errand.repo)
    access = Access(office.app.api, office.app.server, token.current())
    client = Remembering(access, token, engine.step, engine.ownership())
    page = f"{office.public_url}/runs/{run.id}" if office.public_url else ""
    watched = office.options._replace(progress=Ticks(run, office.store))
    posted: dict[str, str] = {}
    around = _around(run, engine, office, installation, posted)
    try:
        return do(errand, Hands(client, watched, "post", page, around), office.app.slug())
    finally:
        rows = [{"what": what, "url": url} for url, what in posted.items()]
        with suppress(StoreDown):
            office.store.runs.note(run.id, facts={"posted": rows})


def _take_turn(run: Run, engine: Engine, office: Office) -> None:
    """Wait for the older runs of the same pull request: two would not see each other's comments."""
    ends = time.monotonic() + LONGEST
    while any(_older(other, run) for other in office.store.runs.open_of(run.repo, run.number)):
        if why := office.store.runs.cancel_asked(run.id):
            raise Cancelled(why)
        if time.monotonic() > ends:
            raise ReviewbotError("an older run of this pull request does not end")
        engine.pause(TURN)


def _older(other: Run, run: Run) -> bool:
    return (
        other.state == "running" and other.id != run.id and (other.created, other.id) < (run.created, run.id)
    )


def _around(run: Run, engine: Engine, office: Office, installation: int, posted: dict[str, str]) -> Around:
    def seen(pull: Pull, said: Said, stamp: Stamp, settings: Settings) -> None:
        if not office.store.runs.is_there(run.id):
            raise Cancelled(run.id)
        office.store.runs.note(
            run.id,
            head=stamp.head,
            base=stamp.base,
            title=pull.title,
            author=pull.author.login,
            url=pull.url,
            facts={"configuration": _plain(settings)},
        )
        for slug, name, kind in _votes(said):
            office.store.votes.record(run.repo, pull.number, slug, name, kind, time.time())

    return Around(
        gates=lambda gates: MemoGates(gates, engine.step),
        model=lambda model: MemoModel(model, engine.step),
        sink=lambda sink: Noted(MemoSink(sink, engine.step), posted),
        beside=beside,
        ended=_said,
        answers=Living(office.store, run.id, office.store.answers.of(installation, run.repo)),
        results=False,
        secret=office.secret,
        seen=seen,
    )


def _said(error: BaseException, say: Callable[[], None]) -> None:
    """What goes on is no end. One that was cancelled takes no step any more: its words are none."""
    if isinstance(error, Cancelled):
        beside(lambda stage, done=0, total=0: say())("cancelled")
    elif not isinstance(error, (Stopped, Diverged, StoreDown)):
        say()


def _anew(job: Mapping[str, JSON], engine: Engine, office: Office, error: Diverged) -> JSON:
    """Once: what was paid for is kept by its question, and what was posted is found by its marker."""
    id = str(job["run"])
    if job.get("again"):
        run = office.store.runs.get(id)
        if run is not None:
            _end(engine, office, run, "failed", error=str(error))
        raise error
    log("begun anew", why=str(error))
    engine.submit({**job, "again": True}, id=f"{id}{FORK}again", partition=str(job.get("partition", id)))
    return "begun anew"


def _end(
    engine: Engine, office: Office, run: Run, state: str, review: Review | None = None, error: str = ""
) -> None:
    told = document(review) if review else None
    verdict, usd = (review.verdict, review.usage.usd) if review else ("", 0.0)
    votes, now = office.store.votes, time.time()

    def write() -> None:  # the run at last: who is killed amid this writes all of it again
        for finding in review.findings if review else ():
            if finding.decides:
                slug = finding.candidate.slug
                votes.record(run.repo, run.number, slug, finding.fingerprint, "found", now)
        office.store.runs.finish(run.id, state, verdict, told, usd, error)

    patiently(engine, write)
    office.ended(state, told)
    log("run ended", state=state, verdict=verdict, usd=usd, why=error)


def _votes(said: Said) -> Iterator[tuple[str, str, str]]:
    """Class, fingerprint and kind: what people did with our findings since the last review."""
    for thread, own in ours(said):
        for name in own.fingerprints[:1]:
            yield own.slug, name, "found"
            if thread.resolved:
                yield own.slug, name, "fixed" if thread.resolved_by == said.me else "resolved"
            if thread.thumbs_down:
                yield own.slug, name, "down"
    for dismissal in remembered(said).marker.dismissed:
        if dismissal.slug:
            yield dismissal.slug, dismissal.fingerprint, "dismissed"


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    return list(value) if isinstance(value, tuple) else value
