"""A Review as text: one renderer a format, none of which does any I/O."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from reviewbot.core.types import Review


class Page(NamedTuple):
    """What the report is shown on; only the terminal report depends on it."""

    width: int = 80  # in cells
    colour: bool = False
    link: Callable[[str], str] | None = None  # path in the repository -> URL


def _text(review: Review, page: Page) -> str:
    from reviewbot.core.report.terminal import render

    return render(review, page.width, page.colour, page.link)


def _markdown(review: Review, page: Page) -> str:
    from reviewbot.core.report.markdown import render

    return render(review)


def _json(review: Review, page: Page) -> str:
    from reviewbot.core.report.document import render

    return render(review)


FORMATS: dict[str, Callable[[Review, Page], str]] = {"text": _text, "markdown": _markdown, "json": _json}
