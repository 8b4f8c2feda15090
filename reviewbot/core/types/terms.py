"""What the configuration allows a model."""

from __future__ import annotations

from typing import NamedTuple


class ModelTerms(NamedTuple):
    """What `[model]` of the configuration says; core/settings.py reads it."""

    provider: str = ""  # "anthropic" | "bedrock" | "vertex" | "foundry"; "": the first, if there is a key
    find: str = "claude-sonnet-5-5"
    refute: str = "claude-sonnet-5-5"
    find_effort: str = "medium"
    refute_effort: str = "low"
    passes: int = 1  # of the finder over each chunk; the classes of the two top ranks get three if thorough
    thorough: bool = False
    max_usd: float = 1.0  # of one review
    max_usd_day: float = 0.0  # of one repository and day; 0: no cap
    chunk_tokens: int = 24_000  # of the change that one question shows
    candidates: int = 8  # of one answer; what comes behind them is capped
    inline: int = 5  # findings of the model alone that stand inline
    inline_confidence: int = 50  # percent, from which on a finding may stand inline; 45 over three passes
    table_confidence: int = 35  # below it a finding is folded into the rejections
    rounds: int = 6  # of look-ups before an answer is due
    lookup_bytes: int = 60_000  # that one question may be shown in all
