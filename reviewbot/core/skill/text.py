"""The bytes of a skill file as lines of text, if they are a text at all."""

from __future__ import annotations

import re

from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.web import is_pasted

MAX_BYTES = 256 * 1024
MAX_LINES = 20_000
LONG_BYTES = 64 * 1024
LONG_LINES = 500
# Characters that no reader sees and a model does: zero width, bidirectional controls, tags. Joiners
# are left alone where they join something, as in emoji and in Persian.
UNSEEN = (
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f"
)
INVISIBLE = pattern(f"[{UNSEEN}]|(?<=[!-~])[\u200c\u200d]")
SUSPECT = pattern(f"[{UNSEEN}\u200c\u200d]")  # three times as fast, on every file


def decode(data: bytes, notes: Diagnostics) -> list[str] | None:
    """The lines, without line ends and invisible characters; None with an error in `notes`."""
    if len(data) > MAX_BYTES:
        notes.error("S001", 1, 1, f"{len(data):,} bytes; the limit is {MAX_BYTES:,}")
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as e:
        line, col = _place(data[: e.start].decode("utf-8", "replace"))
        notes.error("S001", line, col, f"byte 0x{data[e.start]:02x} is not UTF-8")
        return None
    if "\0" in text:
        notes.error("S001", *_place(text[: text.index("\0")]), "a NUL byte: this is not a text file")
        return None
    lines = _lines(text, notes)
    if len(lines) > MAX_LINES:
        notes.error("S001", MAX_LINES + 1, 1, f"{len(lines):,} lines; the limit is {MAX_LINES:,}")
        return None
    if is_pasted(lines):
        message = (
            "this is a copy of the web page of a file; `reviewbot skills import FILE` makes the file of it"
        )
        notes.error("S108", 1, 1, message)
        return None
    if len(lines) > LONG_LINES or len(data) > LONG_BYTES:
        notes.warn(
            "S101", 1, 1, f"{len(lines)} lines, {len(data):,} bytes: longer than a reader keeps in mind"
        )
    return lines


def _place(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _lines(text: str, notes: Diagnostics) -> list[str]:
    if text.startswith("\ufeff"):
        notes.warn("S104", 1, 1, "the file starts with a byte order mark")
        text = text[1:]
    ends = set(re.findall(r"\r\n|\r|\n", text)) if "\r" in text else set()
    if len(ends) > 1 or "\r" in ends:
        notes.warn("S104", 1, 1, "line ends are mixed or lone carriage returns")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if SUSPECT.search(text) and (m := INVISIBLE.search(text)):
        notes.warn(
            "S104", *_place(text[: m.start()]), f"an invisible character (U+{ord(m[0]):04X}); left out"
        )
        text = INVISIBLE.sub("", text)
    return text.removesuffix("\n").split("\n")
