"""Text in SARIF. Its readers make links of `[text](address)` and put arguments where `{0}` stands."""

from __future__ import annotations

import re

from reviewbot.core.visible import visible

LONGEST = 1024  # characters that GitHub shows of a description
_PLACEHOLDER = re.compile(r"\{(\d+)\}")


def inert(text: str) -> str:
    """`text` as what it says, in every reader."""
    return _PLACEHOLDER.sub(r"{ \1 }", visible(text)).replace("](", "] (")


def message(text: str) -> dict[str, str]:
    return {"text": inert(text)}


def described(text: str) -> dict[str, str]:
    """A description, as long as GitHub shows one. Never empty."""
    said = inert(text).strip() or "(no words)"
    return {"text": said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"}
