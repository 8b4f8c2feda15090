"""How values read on a page. What a stranger wrote is made visible; the templates escape it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from markupsafe import Markup, escape

from reviewbot.core.report import words
from reviewbot.core.visible import name, visible

_SPAN = re.compile(r"(`+)(?! *\1)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_ADDRESS = re.compile(r"https?://[\w.:\[\]-]{1,253}(/[\w./?=&%#:~+@,!$'()*;-]{0,2000})?")
_GRADES = {
    "proven": "The failure was executed",
    "strong": "It stands by itself",
    "hint": "It wants a second reading",
}


def prose(text: str) -> Markup:
    """A sentence; what stands between backticks is code."""
    made, at = Markup(), 0
    for span in _SPAN.finditer(text):
        made += escape(visible(text[at : span.start()]))
        made += Markup("<code>") + escape(visible(span[2])) + Markup("</code>")
        at = span.end()
    return made + escape(visible(text[at:]))


def sentence(text: str) -> str:
    """With a capital at its beginning and no stop at its end."""
    return text[:1].upper() + text[1:].rstrip(".")


def href(url: str) -> str:
    """The address, if it is a plain one of the web; else empty."""
    return url if _ADDRESS.fullmatch(url) else ""


def money(usd: float) -> str:
    """`$0.04`; what is less than half a cent, and not nothing, is `< $0.01`."""
    return "< $0.01" if 0 < usd < 0.005 else f"${usd:,.2f}"


def duration(seconds: float) -> str:
    """`80 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`."""
    if seconds < 0.0995:
        return f"{max(seconds, 0) * 1000:.0f} ms"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if round(seconds) < 60:
        return f"{seconds:.0f} s"
    minutes, left = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {left} s" if left else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min" if minutes else f"{hours:,} h"


def tried(checks: Iterable[str]) -> str:
    return ", ".join(words.CHECKS.get(check, check) for check in checks)


FILTERS = {
    "count": words.count,
    "duration": duration,
    "grade": lambda grade: _GRADES.get(grade, grade),
    "money": money,
    "number": lambda number: f"{number:,}",
    "prose": prose,
    "sentence": sentence,
    "shown": name,
    "tried": tried,
    "visible": visible,
}
