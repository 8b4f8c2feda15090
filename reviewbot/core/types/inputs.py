"""What a workflow gives to the Action."""

from __future__ import annotations

from typing import Literal, NamedTuple

FailOn = Literal["blocker", "warning", "note", "never"]
Post = Literal["auto", "always", "never"]
Sandbox = Literal["auto", "off"]
Report = Literal["html", "markdown", "json", "none"]


class Inputs(NamedTuple):
    """core/inputs.py reads it; .github/actions/review/action.yml says it to users."""

    token: str = ""
    key: str = ""  # of the model's provider; "": no model is asked
    skills: tuple[str, ...] = ()
    fail_on: FailOn = "never"
    gate: bool = True  # whether an incomplete review fails the step
    max_cost: float | None = None  # dollars; None: what the configuration says
    post: Post = "auto"  # auto: where the event's token may write
    sandbox: Sandbox = "auto"
    sarif: bool = True
    report: Report = "html"  # the file that is kept as an artifact
    hand_over: str = ""  # the file that the run of a fork has left; "": none is given

    def __repr__(self) -> str:
        return f"Inputs(post={self.post!r}, fail_on={self.fail_on!r}, …)"  # without the secrets
