"""The templates of what a model is told. They are ours; whatever is set into them is data."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from jinja2 import Environment


class Prompts(NamedTuple):
    """All templates, as `assets.prompts` reads them."""

    texts: tuple[tuple[str, str], ...]  # name ("refute.md.j2") and text, sorted

    def render(self, name: str, **values: object) -> str:
        """The template `name`. A value that it wants and is not given raises."""
        return _environment(self).get_template(name).render(values)


def prompts_hash(prompts: Prompts) -> str:
    """12 hex digits that change with any template: which prompts a report was made with."""
    whole = "\0".join(part for pair in sorted(prompts.texts) for part in pair)
    return hashlib.sha256(whole.encode()).hexdigest()[:12]


@lru_cache(maxsize=4)
def _environment(prompts: Prompts) -> Environment:
    from jinja2 import DictLoader, Environment, StrictUndefined

    # No autoescape: this is text for a model, not HTML, and `&lt;` for `<` would spoil its quotes.
    return Environment(
        loader=DictLoader(dict(prompts.texts)),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
