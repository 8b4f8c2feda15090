"""Logs: a line of JSON for each record, with the delivery and the run that it belongs to.

Redaction is done here, on the finished line's texts, so that no caller, library or traceback gets past it.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TextIO

from reviewbot.core.ask.redact import redacted
from reviewbot.core.visible import visible
from reviewbot.hosts.github.secrets import hidden, quieten, secrets

LONGEST = 16_000  # characters of one text
_MOST = 1_000_000  # characters that are looked through
_FIELDS = "reviewbot_fields"  # of a record, what stands beside its text
_LOG = logging.getLogger("reviewbot")
_DELIVERY: ContextVar[str] = ContextVar("delivery", default="")
_RUN: ContextVar[str] = ContextVar("run", default="")


@contextmanager
def about(delivery: str = "", run: str = "") -> Iterator[None]:
    """What is logged inside is about these; an empty one leaves the outer one."""
    marks = [(var, var.set(value)) for var, value in ((_DELIVERY, delivery), (_RUN, run)) if value]
    try:
        yield
    finally:
        for var, mark in reversed(marks):
            var.reset(mark)


def log(text: str, *, level: int = logging.INFO, **fields: object) -> None:
    """One line: the text is always the same, what differs stands in fields. Empty ones are left out."""
    _LOG.log(level, text, extra={_FIELDS: fields})


def clean(text: str) -> str:
    """Without secrets, by value and by form; without what a terminal would obey."""
    shown = visible(redacted(hidden(text[:_MOST])))  # before it is cut: half a secret has no form
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"


class Lines(logging.Formatter):
    """Keys: at (ISO 8601, UTC), level, logger, text; where there is one: delivery, run, the fields of log(),
    error (a traceback), stack."""

    def format(self, record: logging.LogRecord) -> str:
        row = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            **_cleaned({"text": record.getMessage(), **getattr(record, _FIELDS, {})}),
        }
        row |= {name: var.get() for name, var in (("delivery", _DELIVERY), ("run", _RUN)) if var.get()}
        if record.exc_info and record.exc_info[0] is not None:
            row["error"] = clean(self.formatException(record.exc_info))
        if record.stack_info:
            row["stack"] = clean(record.stack_info)
        return json.dumps(row)


def _cleaned(fields: Mapping[str, object]) -> dict[str, str]:
    """clean() for each that is not empty. It is dear for a text of any length, so lines go together."""
    texts = {name: str(value) for name, value in fields.items() if value != ""}
    joined = "\n".join(texts.values())
    if joined.count("\n") == len(texts) - 1 and len(joined) < LONGEST:
        parts = clean(joined).split("\n")
        if len(parts) == len(texts):
            return dict(zip(texts, parts, strict=True))
    return {name: clean(text) for name, text in texts.items()}


def set_up(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """All of this process' logs go to the stream (stderr), as lines; uvicorn's own too. What the
    environment holds of secrets now is hidden from then on."""
    quieten(secrets())
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers[:] = []
        logger.propagate = True
    logging.getLogger("uvicorn.access").disabled = True  # paths of webhooks and pages, once more
