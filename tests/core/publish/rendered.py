"""Bodies as GitHub's own Markdown renders them, and values that people read."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import cmarkgfm

from reviewbot.core.types import Pull, Who

PULL = Pull(
    repo="acme/launcher",
    number=7,
    url="https://github.example/acme/launcher/pull/7",
    title="Launch on H200",
    author=Who("dev"),
    base_ref="main",
    base_sha="c" * 40,
    head_ref="h200",
    head_sha="b" * 40,
    head_repo="acme/launcher",
    default_branch="main",
    changed_files=1,
)
TAGS = {
    *("p", "strong", "pre", "code", "a", "br", "h3", "ol", "ul", "li", "details", "summary"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_KEPT = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE | cmarkgfm.cmark.Options.CMARK_OPT_GITHUB_PRE_LANG


def page(body: str) -> str:
    """HTML in which the tags that a body holds are kept, as GitHub keeps them."""
    return cmarkgfm.github_flavored_markdown_to_html(body, options=_KEPT)


def fences(body: str, info: str) -> list[str]:
    """The text of each fence of that language."""
    found = re.finditer(rf'<pre lang="{info}"><code>(.*?)</code>', page(body), re.DOTALL)
    return [html.unescape(m[1]) for m in found]


def prose(body: str) -> str:
    """The rendered page without code, in which nothing is live."""
    return re.sub(r"<code>.*?</code>", " ", page(body), flags=re.DOTALL)


def live(body: str) -> list[str]:
    """What GitHub would make a link or a notification of, and the tags that we do not write."""
    text = prose(body)
    plain = html.unescape(re.sub(r"<[^>]*>", " ", text))
    found = re.findall(r"@\w+|#\d+|\bGH-\d+", plain)
    return [*found, *sorted(set(re.findall(r"<(\w+)", text)) - TAGS), *_links(text)]


def _links(text: str) -> Iterator[str]:
    """Those that do not lead to where ours lead."""
    for target in re.findall(r'href="([^"]*)"', text):
        if not target.startswith(("https://github.example/", "https://bot.example/")):
            yield target


def cells(body: str) -> list[int]:
    """How many cells each row of a table has."""
    return [len(re.findall(r"<t[dh][ >]", row)) for row in re.findall(r"<tr>.*?</tr>", page(body), re.DOTALL)]


def folds(body: str) -> tuple[int, int]:
    """Folded parts begun and ended."""
    text = prose(body)
    return text.count("<details>"), text.count("</details>")
