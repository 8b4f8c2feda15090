"""Spans are made where they were asked for, without secrets in them."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest
from opentelemetry import trace

from reviewbot.hosts import logs
from reviewbot.hosts.traces import asked_for, set_up, span


class Tracer:
    def __init__(self) -> None:
        self.spans: list[tuple[str, Any, bool]] = []

    @contextmanager
    def start_as_current_span(self, name: str, *, attributes: Any, record_exception: bool) -> Iterator[None]:
        self.spans.append((name, attributes, record_exception))
        yield


@pytest.fixture
def tracer(monkeypatch: pytest.MonkeyPatch) -> Tracer:
    made = Tracer()
    monkeypatch.setattr(trace, "get_tracer", lambda name: made)
    return made


@pytest.fixture(autouse=True)
def none_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("OTEL_SDK_DISABLED", raising=False)


def test_nobody_asked(tracer: Tracer) -> None:
    with span("review", run="r-1"):
        pass
    assert isinstance(span("x"), nullcontext)
    assert tracer.spans == []


def test_somebody_asked(tracer: Tracer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    with span("review", run="r-1", why="token ghs_" + "a1" * 20, gates=3):
        pass
    ((name, attributes, recorded),) = tracer.spans
    assert (name, recorded) == ("review", False)
    assert (attributes["reviewbot.run"], attributes["reviewbot.gates"]) == ("r-1", 3)
    assert "ghs_" not in attributes["reviewbot.why"]


@pytest.mark.parametrize(
    ("name", "value", "asked"),
    [
        ("OTEL_TRACES_EXPORTER", "otlp", True),
        ("OTEL_TRACES_EXPORTER", "none", False),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "", False),
    ],
)
def test_what_asks(monkeypatch: pytest.MonkeyPatch, name: str, value: str, asked: bool) -> None:
    monkeypatch.setenv(name, value)
    assert asked_for() is asked
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert not asked_for()


def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    stream, handler = io.StringIO(), logging.StreamHandler()
    handler.setStream(stream)
    handler.setFormatter(logs.Lines())
    logging.getLogger("reviewbot").addHandler(handler)
    try:
        set_up()
    finally:
        logging.getLogger("reviewbot").removeHandler(handler)
    row = json.loads(stream.getvalue())
    assert (row["text"], row["level"]) == ("no traces", "warning")
    assert "pip install opentelemetry-sdk" in row["why"]
