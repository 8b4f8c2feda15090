"""Which replacement of a model may become an edit: one of lines that it saw as they are, in words that it
did not take from our way to show them."""

from __future__ import annotations

from reviewbot.core.ask.anchor import Place, shown
from reviewbot.core.ask.legible import escapes, is_verbatim
from reviewbot.core.types import Edit, Side, Site
from reviewbot.core.visible import visible


def placed(edit: Edit | None, stated: Site, place: Place) -> Edit | None:
    """The edit where its quote stands; None where it may not be one.

    It replaces lines of the quote and no others: those it has proved to know. Where one of these was shown
    otherwise than it is (a secret, a cut, a character that cannot be seen), what replaces it would lose
    what was not shown, or write our own mark into the code.
    """
    if edit is None or place.others or stated.side is Side.LEFT:
        return None
    if not (stated.start_line <= edit.start_line and edit.line <= stated.line):
        return None
    own = edit._replace(start_line=edit.start_line + place.moved, line=edit.line + place.moved)
    old = place.text.quote(own.start_line, own.line)
    if old != shown(place.text).quote(own.start_line, own.line):
        return None
    new = own.replacement
    if visible(new) != new or not is_verbatim(new):
        return None
    copied = any(mark in new and mark not in old for mark in escapes(place.text.content))
    return None if copied else own
