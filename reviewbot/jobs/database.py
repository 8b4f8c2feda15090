"""The engine's own database, and the settings that make dbos safe to rely on."""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import closing
from urllib.parse import unquote

from dbos import DBOSConfig, DBOSPortableJSONSerializer, error

from reviewbot.core.errors import ConfigError

NAME = "reviewbot"
# Of the order of a job's steps. Ours, not dbos's own, which is another one after each edit of a function
# and leaves what is under way behind without a word. Raise it when the calls of the pipeline are ordered
# anew: jobs begun before are then done from their first step that is not finished, by sweep.adopt.
VERSION = "1"
SQLITE = "sqlite:///"
_CANCELLED = (error.DBOSWorkflowCancelledError, error.DBOSAwaitedWorkflowCancelledError)


def settings(url: str, executor: str, threads: int) -> DBOSConfig:
    """Raises ConfigError for an executor id that is nobody's own, and for a URL without a database."""
    if not executor or executor == "local":  # dbos's default: two servers would do each other's jobs twice
        raise ConfigError(f"{executor!r} names no worker", "give each its own name, and always the same")
    _kept_private(url)
    _heard()
    return DBOSConfig(
        name=NAME,
        system_database_url=url,
        application_version=VERSION,
        executor_id=executor,
        serializer=DBOSPortableJSONSerializer(),  # the default unpickles what stands in the database
        max_executor_threads=threads,
        log_level="WARNING",
        enable_otlp=False,
        scheduler_polling_interval_sec=3600.0,  # we schedule nothing
    )


def _kept_private(url: str) -> None:
    """Make the file of a SQLite URL, for its owner alone, and let readers not wait for a writer."""
    if not url.startswith(SQLITE):
        return
    path = unquote(url.removeprefix(SQLITE).partition("?")[0])
    if not os.path.isabs(path):
        raise ConfigError(f"{url} names no file", f"write {SQLITE}/folder/file")
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    os.chmod(path, 0o600)
    with closing(sqlite3.connect(path, timeout=30.0)) as database:
        database.execute("PRAGMA journal_mode=WAL")


def _heard() -> None:
    """dbos writes to stderr in a form of its own, unless its logger has a handler."""
    logger = logging.getLogger("dbos")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    logger.propagate = True
    logger.addFilter(_in_one_line)


def _in_one_line(record: logging.LogRecord) -> bool:
    """A job that somebody cancelled is no error of ours: not with a traceback."""
    if record.exc_info and isinstance(record.exc_info[1], _CANCELLED):
        record.msg, record.args, record.exc_info = "a job was cancelled", (), None
        record.levelno, record.levelname = logging.INFO, "INFO"
    return True
