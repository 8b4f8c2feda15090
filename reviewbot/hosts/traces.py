"""Spans for OpenTelemetry, where OTEL_* variables ask for them and it is installed; else nothing at all."""

from __future__ import annotations

import logging
import os
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

from reviewbot.hosts.logs import clean, log

NAME = "reviewbot"
_ASKED = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER")


def asked_for() -> bool:
    disabled = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    return not disabled and any(os.environ.get(name, "none") not in ("", "none") for name in _ASKED)


def set_up() -> None:
    """Send spans by OTLP to where OTEL_* says. What an agent (opentelemetry-instrument) has set up stays;
    where something is not installed, a line in the log says so."""
    if not asked_for():
        return
    try:
        trace = import_module("opentelemetry.trace")
        sdk = import_module("opentelemetry.sdk.trace")
        exporting = import_module("opentelemetry.sdk.trace.export")
        otlp = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    except ImportError as error:
        missing = "pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http"
        log("no traces", level=logging.WARNING, why=f"{error.name} is not installed; {missing}")
        return
    if isinstance(trace.get_tracer_provider(), sdk.TracerProvider):
        return
    provider = sdk.TracerProvider()
    provider.add_span_processor(exporting.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


def span(name: str, **attributes: str | int | float) -> AbstractContextManager[Any]:
    """Around a piece of work. Attributes lose their secrets as lines of the log do."""
    if not asked_for():
        return nullcontext()
    try:
        from opentelemetry import trace
    except ImportError:  # set_up() has said so
        return nullcontext()
    shown = {f"{NAME}.{key}": clean(v) if isinstance(v, str) else v for key, v in attributes.items()}
    # An exception's words are for the log, where they are redacted.
    return trace.get_tracer(NAME).start_as_current_span(name, attributes=shown, record_exception=False)
