"""The inputs of the Action, as the environment holds them → Inputs. A malformed one is one line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple, get_args

from reviewbot.core.errors import UsageError, nearest
from reviewbot.core.types.inputs import FailOn, Inputs, Post, Report, Sandbox

PREFIX = "INPUT_"
# The names in action.yml, each with what is asked of its value. `install` and `artifact` are for steps of
# action.yml alone, and are checked here all the same.
NAMES = (
    *("token", "anthropic-api-key", "skill", "fail-on", "gate", "max-cost", "post", "sandbox", "sarif"),
    *("report", "hand-over", "artifact", "install"),
)
_ARTIFACT = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_MOST = 1000.0  # dollars


class _Given(NamedTuple):
    """By the name of each input its value, without the space around it; what is empty is not there."""

    values: Mapping[str, str]

    def of(self, name: str) -> str:
        return self.values.get(name, "")

    def one_of(self, name: str, known: tuple[str, ...], default: str) -> str:
        value = self.of(name) or default
        if value not in known:
            raise _wrong(name, value, f"write {', '.join(known[:-1])} or {known[-1]}")
        return value

    def switch(self, name: str, default: bool) -> bool:
        written = {"true": True, "false": False}
        return written[self.one_of(name, tuple(written), str(default).lower())]


def read_inputs(environment: Mapping[str, str]) -> Inputs:
    """Of the environment, the variables INPUT_…: `fail-on` is INPUT_FAIL_ON. Raises UsageError for a value
    that is malformed, and for an input that there is none of."""
    given = _Given(dict(_known(environment)))
    report = get_args(Report)
    given.switch("install", True)
    if (artifact := given.of("artifact")) and not _ARTIFACT.fullmatch(artifact):
        raise _wrong("artifact", artifact, "use letters, digits and _ . -")
    # The choices are checked against the very type, which mypy cannot see.
    fail_on: FailOn = given.one_of("fail-on", get_args(FailOn), "never")  # type: ignore[assignment]
    post: Post = given.one_of("post", get_args(Post), "auto")  # type: ignore[assignment]
    sandbox: Sandbox = given.one_of("sandbox", get_args(Sandbox), "auto")  # type: ignore[assignment]
    written: Report = given.one_of("report", report, "html")  # type: ignore[assignment]
    return Inputs(
        token=given.of("token"),
        key=given.of("anthropic-api-key"),
        skills=tuple(line.strip() for line in given.of("skill").splitlines() if line.strip()),
        fail_on=fail_on,
        gate=given.switch("gate", True),
        max_cost=_dollars(given.of("max-cost")),
        post=post,
        sandbox=sandbox,
        sarif=given.switch("sarif", True),
        report=written,
        hand_over=given.of("hand-over"),
    )


def variable(name: str) -> str:
    """That holds an input."""
    return PREFIX + name.upper().replace("-", "_")


def _known(environment: Mapping[str, str]) -> list[tuple[str, str]]:
    names = {variable(name): name for name in NAMES}
    found = []
    for key, value in environment.items():
        if not key.startswith(PREFIX):
            continue
        if key not in names:
            asked = key.removeprefix(PREFIX).lower().replace("_", "-")
            raise UsageError(f"the action has no input {asked!r}", nearest(asked, NAMES))
        found.append((names[key], value.strip()))
    return found


def _dollars(text: str) -> float | None:
    if not text:
        return None
    amount = float(text) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text) else -1.0
    if not 0 <= amount <= _MOST:
        raise _wrong("max-cost", text, "write an amount of dollars between 0 and 1000, for example 1.50")
    return amount


def _wrong(name: str, value: str, remedy: str) -> UsageError:
    shown = value if len(value) <= 80 else f"{value[:80]}…"
    return UsageError(f"the input `{name}` is {shown!r}", remedy)
