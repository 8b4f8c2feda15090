"""What the configuration allows a model, and says about pull requests."""

from __future__ import annotations

from typing import NamedTuple


class ModelTerms(NamedTuple):
    """What `[model]` of the configuration says; core/settings.py reads it. The last three have no key."""

    provider: str = ""  # "anthropic" | "bedrock" | "vertex" | "foundry"; "": the first, if there is a key
    find: str = "claude-sonnet-5-5"
    refute: str = "claude-sonnet-5-5"
    find_effort: str = "medium"
    refute_effort: str = "low"
    passes: int = 1  # of the finder over each chunk
    max_usd: float = 1.0  # of one review
    max_usd_day: float = 0.0  # of one repository and day; 0: no cap
    inline: int = 5  # findings of the model alone that stand inline
    inline_confidence: int = 50  # percent, from which on a finding may stand inline; 45 over three passes
    table_confidence: int = 35  # below it a finding is folded into the rejections
    thorough: bool = False  # three passes for the classes of the two top ranks
    rounds: int = 6  # of look-ups before an answer is due; 0 where there is no tree
    lookup_bytes: int = 60_000  # that one question may be shown in all


class PullTerms(NamedTuple):
    """What `[check]` and `[pull]` of the configuration say."""

    fail_on: str = "never"  # severity from which on findings fail the check run; "never"
    gate: bool = False  # whether an incomplete review fails the check run
    drafts: bool = False  # whether drafts are reviewed unasked
    authors: bool = False  # whether the author of a pull request may ask, without a right to write
    resolve: bool = True  # whether our threads are resolved when their finding is gone
