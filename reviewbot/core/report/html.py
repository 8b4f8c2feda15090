"""The report as one HTML file: nothing is fetched, nothing is a script, and it looks like the page of a run.

The templates and the style sheet lie in look/ beside this file; reviewbot/assets.py reads them, since
nothing is read here. The pages of the server are made of the same.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable, Mapping

from reviewbot.core.errors import AssetError
from reviewbot.core.report import words
from reviewbot.core.report.document import Document, document
from reviewbot.core.types import Review
from reviewbot.core.visible import encodable

PAGE, STYLE, MARK = "page.html.j2", "pages.css", "mark.svg"


def render(review: Review, look: Callable[[], Mapping[str, str]] | None) -> str:
    """Raises AssetError where nobody has given the look."""
    from jinja2 import DictLoader, Environment, StrictUndefined
    from markupsafe import Markup

    from reviewbot import __version__
    from reviewbot.core.report.arranged import arranged
    from reviewbot.core.report.filters import FILTERS

    if look is None:
        raise AssetError("the HTML report needs its templates", "give the Page its look")
    files = look()
    templates = Environment(
        loader=DictLoader(dict(files)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters.update(FILTERS)
    text = templates.get_template(PAGE).render(
        doc=arranged(_document(review), ""),
        heading=review.change.label or "Review",
        said=words.verdict(review).partition(": ")[2],
        style=Markup(files[STYLE]),  # ours
        digest=_coded(hashlib.sha256(files[STYLE].encode()).digest()),
        mark=_coded(files[MARK].encode()),
        release=__version__,
    )
    return encodable(text).lstrip() + "\n"


def _document(review: Review) -> Document:
    """The JSON report, and beside it what only people want to know."""
    made = document(review)
    for shown, finding in zip(made["findings"], review.findings, strict=True):
        shown["unproven"] = finding.unproven
        shown["unsuggested"] = words.unsuggested(finding) if finding.decides else ""
        if finding.suggestion:
            shown["suggestion"]["old"] = finding.suggestion.old
    noun = "file" if review.change.whole else "changed file"
    return made | {"called": words.old(review.change), "noun": noun}


def _coded(data: bytes) -> str:
    return b64encode(data).decode("ascii")
