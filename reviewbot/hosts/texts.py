"""From bytes to Texts: decoded once and strictly, or a reason that people understand."""

from __future__ import annotations

from collections.abc import Iterable

from reviewbot.core.paths import past_limit
from reviewbot.core.types import ABSENT, FileChange, Side, Status, Text, Texts

TEXT_LIMIT = 1_000_000  # bytes of one file; beyond it nobody reads


def decoded(path: str, size: int, content: bytes, limit: int) -> Text | str:
    """The text of a file of `size` bytes, or why there is none. `content` may stop behind `limit`."""
    if b"\0" in content:
        return "binary"
    if size > limit:
        return past_limit(size, limit)
    try:
        return Text(path, content.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return f"not UTF-8 (byte 0x{content[error.start]:02X} at line {line})"


def sorted_out(side: Side, found: Iterable[tuple[str, Text | str]]) -> Texts:
    """Texts from (path, text or reason)."""
    files: dict[str, Text] = {}
    unread: dict[str, str] = {}
    for path, text in found:
        if isinstance(text, Text):
            files[path] = text
        else:
            unread[path] = text
    return Texts(side, files, unread)


def no_file(file: FileChange, side: Side) -> str:
    """Why one side of a change has no text; empty where it has a regular file."""
    mode = file.old_mode if side is Side.LEFT else file.new_mode
    if mode.startswith("100"):
        return ""
    return file.kind if side is Side.RIGHT and file.status is not Status.DELETED else ABSENT
