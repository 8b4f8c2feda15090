from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from reviewbot.core.errors import ConfigError, ReviewbotError, UsageError
from reviewbot.jobs.engine import Cancelled, StepFailed
from reviewbot.jobs.record import outcome, read, replayed, written
from tests.jobs.test_shape import plain


class Unheard(UsageError):
    """A class of which a later version knows nothing."""


@given(plain)
def test_json_comes_back_as_it_was(value: Any) -> None:
    text = written(value)
    assert text.isascii()
    assert "\0" not in text
    assert repr(read(text)) == repr(value)
    assert repr(replayed(outcome("step", lambda: value))) == repr(value)


@pytest.mark.parametrize("text", ["\ud83d\ude00", "\U0001f600", "\\ud83d", "\\", "\0\x7f\x85\u2028\n"])
def test_characters_are_not_joined(text: str) -> None:
    assert read(written([text, {text: 1}])) == [text, {text: 1}]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ((1, 2), ": tuple"),
        ({"a": [{"b": (1,)}]}, r"\.a\[0\]\.b: tuple"),
        ({1: "x"}, ": the key 1"),
        ({"a": float("nan")}, r"\.a: float"),
        (float("inf"), ": float"),
        ({"a": b""}, r"\.a: bytes"),
        ({"a": json}, r"\.a: module"),
    ],
)
def test_what_json_would_change_is_refused(value: Any, place: str) -> None:
    with pytest.raises(TypeError, match=f"no JSON at step read{place}"):
        outcome("read", lambda: value)


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (UsageError("no such commit", "fetch it"), UsageError),
        (ConfigError("config.toml:3: \udce9"), ConfigError),
        (ReviewbotError("x"), ReviewbotError),
        (Unheard("y"), UsageError),
    ],
)
def test_an_error_on_purpose_is_raised_again(raised: Exception, kind: type[Exception]) -> None:
    def call() -> Any:
        raise raised

    text = outcome("step", call)
    assert text.isascii()
    with pytest.raises(kind) as again:
        replayed(text)
    assert type(again.value) is kind
    assert str(again.value) == str(raised)


def test_another_error_is_one_line_that_any_database_takes() -> None:
    def call() -> Any:
        raise KeyError("a\0b\n\udce9" + 600 * "x")

    with pytest.raises(StepFailed) as failed:
        outcome("posting", call)
    words = str(failed.value)
    assert words.startswith("posting: KeyError: ")
    assert words.isascii()
    assert words.isprintable()
    assert len(words) < 1000


def test_a_job_that_is_stopped_within_a_step_has_no_outcome() -> None:
    def call() -> Any:
        raise Cancelled("a")

    with pytest.raises(Cancelled):
        outcome("step", call)
