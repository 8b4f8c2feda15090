"""A Review as text: one renderer a format, none of which does any I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from reviewbot.core.types import Review


class Page(NamedTuple):
    """What the report is shown on: the terminal report depends on it, and the HTML one on `look`."""

    width: int = 80  # in cells
    colour: bool = False
    link: Callable[[str], str] | None = None  # path in the repository -> URL
    look: Callable[[], Mapping[str, str]] | None = None  # the templates and the style sheet: assets.look


def _text(review: Review, page: Page) -> str:
    from reviewbot.core.report.terminal import render

    return render(review, page.width, page.colour, page.link)


def _markdown(review: Review, page: Page) -> str:
    from reviewbot.core.report.markdown import render

    return render(review)


def _json(review: Review, page: Page) -> str:
    from reviewbot.core.report.document import render

    return render(review)


def _sarif(review: Review, page: Page) -> str:
    from reviewbot.core.report.sarif import render

    return render(review)


def _rdjson(review: Review, page: Page) -> str:
    from reviewbot.core.report.rdjson import render

    return render(review)


def _annotations(review: Review, page: Page) -> str:
    from reviewbot.core.report.annotations import render

    return render(review)


def _html(review: Review, page: Page) -> str:
    from reviewbot.core.report.html import render

    return render(review, page.look)


FORMATS: dict[str, Callable[[Review, Page], str]] = {
    "text": _text,
    "markdown": _markdown,
    "json": _json,
    "sarif": _sarif,
    "rdjson": _rdjson,
    "annotations": _annotations,
    "html": _html,
}
