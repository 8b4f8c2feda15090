"""Jobs that nobody works on any more: of a dead worker, of an earlier version; and those long done."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from dbos import DBOS, SetWorkflowID
from dbos._dbos import _get_dbos_instance

from reviewbot.jobs.database import VERSION

QUEUE = "jobs"
FORK = "~"  # between a job's id and the version that took it over, or what else it is begun anew for
_OVER = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
_STATES = {
    "ENQUEUED": "waiting",
    "DELAYED": "waiting",
    "PENDING": "running",
    "SUCCESS": "done",
    "CANCELLED": "cancelled",
    "ERROR": "failed",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "given up",  # it was begun so often that it is what ends the workers
}
_BATCH = 500


class Swept(NamedTuple):
    resumed: int = 0  # jobs of dead workers, that go on behind their last finished step
    adopted: int = 0  # jobs of an earlier version
    left: int = 0  # jobs of another version, for a living worker of that version


def resume(dead: Collection[str]) -> int:
    """Put back into the queue what these workers worked on. How many it was.

    Not by resume_workflow: of several who find a worker dead each would take the job from the one before,
    in the middle of a step; and it brings back what was cancelled meanwhile.
    """
    if not dead:
        return 0
    names = sorted(dead)
    return put_back(held(names), names)


def held(workers: Collection[str]) -> set[str]:
    """What these are down as working on, by the ids in dbos."""
    return {row.workflow_id for row in _rows(status="PENDING", executor_id=sorted(workers))}


def put_back(workflows: Collection[str], workers: Collection[str]) -> int:
    """Into the queue, those that one of `workers` is still down for. How many it was."""
    put = _get_dbos_instance()._sys_db.reenqueue_for_recovery
    return sum(put(id, sorted(workers), QUEUE) for id in workflows)


def adopt(versions: Collection[str]) -> tuple[int, int]:
    """Take over what waits under versions of which no worker lives; `versions` are those that have one.

    How many jobs that were, and how many are left to others. A job keeps what it has finished.
    """
    rows = [row for row in _rows(status="ENQUEUED") if row.app_version != VERSION]
    orphans = [row for row in rows if row.app_version not in versions]
    for row in orphans:
        _fork(row)
    return len(orphans), len(rows) - len(orphans)


def _fork(row: Any) -> None:
    id = f"{base(row.workflow_id)}{FORK}{VERSION}"
    if not _rows(workflow_ids=[id]):
        done = max((step["function_id"] for step in DBOS.list_workflow_steps(row.workflow_id)), default=0)
        try:
            with SetWorkflowID(id):
                DBOS.fork_workflow(
                    row.workflow_id,
                    done + 1,
                    application_version=VERSION,
                    queue_name=QUEUE,
                    queue_partition_key=row.queue_partition_key,
                )
        except Exception:  # the database's own, which only store/ knows: another worker was faster
            if not _rows(workflow_ids=[id]):
                raise
    DBOS.cancel_workflow(row.workflow_id)


def states(ids: Collection[str]) -> Mapping[str, str]:
    """waiting | running | done | failed | given up | cancelled, by id; one that is not known has none."""
    latest: dict[str, Any] = {}
    rows = _rows(workflow_ids=list(ids)) if ids else []
    forks = _rows(workflow_id_prefix=[f"{id}{FORK}" for id in ids]) if ids else []
    for row in sorted((*rows, *forks), key=lambda row: row.created_at or 0):
        latest[base(row.workflow_id)] = row
    return {id: _STATES[row.status] for id, row in latest.items()}


def cancel(id: str) -> None:
    DBOS.cancel_workflows([id, *(row.workflow_id for row in _forks(id))])


def erase(ids: Collection[str]) -> None:
    for id in ids:
        mine = [row.workflow_id for row in (*_rows(workflow_ids=[id]), *_forks(id))]
        if mine:
            DBOS.cancel_workflows(mine)
            DBOS.delete_workflows(mine)


def forget(before: float) -> int:
    """Delete all of the jobs that are over and were submitted before this time. How many it was."""
    count = 0
    limit = datetime.fromtimestamp(before, UTC).isoformat()
    while rows := _rows(status=_OVER, end_time=limit, limit=_BATCH):
        DBOS.delete_workflows([row.workflow_id for row in rows])
        count += len(rows)
    return count


def workers() -> set[str]:
    """All who are down as working on something."""
    return {row.executor_id for row in _rows(status="PENDING") if row.executor_id}


def standing(workflow: str | None) -> tuple[str, str | None]:
    """The state of a job by its id in dbos, and who works on it. Within a job too: where it is called is
    not counted as a step, as it would be by dbos's own way."""
    rows = _get_dbos_instance()._sys_db.list_workflows(
        workflow_ids=[workflow or ""], load_input=False, load_output=False
    )
    return (_STATES[rows[0].status], rows[0].executor_id) if rows else ("", None)


def base(id: str) -> str:
    return id.partition(FORK)[0]


def _forks(id: str) -> list[Any]:
    return _rows(workflow_id_prefix=f"{id}{FORK}")


def _rows(**wanted: Any) -> list[Any]:
    return DBOS.list_workflows(load_input=False, load_output=False, **wanted)
