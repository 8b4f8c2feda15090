"""What is known of the models: models.toml. Prices are in US dollars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from reviewbot.core.types import Question

# Behind its name a model may carry a day and a provider's version: claude-opus-5-5@20261001, …-v1:0.
_VERSIONS = r"(?:[-@]\d{8})?(?:-v\d[\d:]*)?"


class Rates(NamedTuple):
    """For a million tokens."""

    input: float
    output: float
    cache_write: float
    cache_read: float


class ModelFacts(NamedTuple):
    name: str
    rates: Rates
    context: int  # tokens, the answer included
    effort: str  # the provider's own default
    long_from: int = 0  # tokens of the prompt from which on `long` holds; 0: never
    long: Rates | None = None
    known: bool = True  # else these are the figures of the dearest model

    def usd(self, fresh: int, written: int, read: int, answered: int) -> float:
        """The price of one call, by its tokens: new ones, those written to and read from the cache, and
        those of the answer."""
        prompt = fresh + written + read
        rates = self.long if self.long and prompt > self.long_from else self.rates
        tokens = zip((fresh, answered, written, read), rates, strict=True)
        return sum(count * rate for count, rate in tokens) / 1_000_000

    def estimate(self, question: Question) -> float:
        """What the question costs at most, short of text that makes more tokens than three bytes each."""
        prompt = -(-sum(len(text.encode("utf-8", "surrogatepass")) for text in _texts(question)) // 3)
        return max(self.usd(prompt, 0, 0, question.max_tokens), self.usd(0, prompt, 0, question.max_tokens))


def facts(model: str) -> ModelFacts:
    """Those of a model by any provider's name for it; of one that is not known those of the dearest."""
    known = _table().known
    if name := _named(model, known):
        return known[name]
    dearest = max(known.values(), key=lambda facts: facts.long or facts.rates)
    return dearest._replace(name=model, known=False)


def retired(model: str) -> str:
    """The day from which the model is not served any more, as YYYY-MM-DD; "": none is known."""
    days = _table().retired
    return days.get(_named(model, days), "")


def as_of() -> str:
    """The day on which the prices were read, as YYYY-MM-DD."""
    return _table().as_of


def _named(model: str, names: Iterable[str]) -> str:
    within = model[max(model.find("claude"), 0) :]  # us.anthropic.claude-…
    return next((name for name in names if re.fullmatch(re.escape(name) + _VERSIONS, within)), "")


class _Table(NamedTuple):
    as_of: str
    known: dict[str, ModelFacts]
    retired: dict[str, str]


@cache
def _table() -> _Table:
    import tomllib

    table = tomllib.loads(Path(__file__).with_name("models.toml").read_text("utf-8"))
    return _Table(
        table["as_of"].isoformat(),
        {name: _facts(name, row) for name, row in table["models"].items()},
        {name: day.isoformat() for name, day in table["retired"].items()},
    )


def _facts(name: str, row: dict[str, object]) -> ModelFacts:
    rates = Rates(**{field: row.pop(field) for field in Rates._fields})  # type: ignore[arg-type]
    if long := row.pop("long", None):
        row["long"] = Rates(**long)  # type: ignore[arg-type]
    return ModelFacts(name, rates, **row)  # type: ignore[arg-type]


def _texts(question: Question) -> Iterator[str]:
    """All that is sent."""
    yield from (part.text for part in (*question.system, *question.data))
    yield from (question.schema, question.tools)
    for turn in question.turns:
        yield from (turn.said, *turn.shown)
