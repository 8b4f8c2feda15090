"""From bytes to Texts: decoded once and strictly, or a reason that people understand."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, lookup
from collections.abc import Iterable

from reviewbot.core.language import language
from reviewbot.core.paths import past_limit
from reviewbot.core.types import ABSENT, BINARY, FileChange, Side, Status, Text, Texts

TEXT_LIMIT = 1_000_000  # bytes of one file; beyond it nobody reads

# A source encoding (PEP 263): in a comment of line 1, or of line 2 behind a line without code.
COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)", re.DOTALL)
NO_CODE = re.compile(rb"[ \t\f]*(#|$)", re.DOTALL)
# Codecs that are no character sets: what they read is not what stands there. (punycode is quadratic.)
NO_CHARSETS = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape", "undefined"})


def decoded(path: str, size: int, content: bytes, limit: int) -> Text | str:
    """The text of a file of `size` bytes, or why there is none. `content` may stop behind `limit`."""
    first_line = content[:256].split(b"\n", 1)[0].decode("utf-8", "replace")
    if (nul := content.find(b"\0")) >= 0:
        script = language(path, first_line)
        return f"holds a NUL byte at line {_line(content, nul)}" if script else BINARY
    if size > limit:
        return past_limit(size, limit)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8 (byte 0x{content[error.start]:02X} at line {_line(content, error.start)})"
    other = _read_otherwise(content, text) if language(path, first_line) == "python" else ""
    return other or Text(path, text)


def _line(content: bytes, at: int) -> int:
    return content.count(b"\n", 0, at) + 1


def _read_otherwise(content: bytes, text: str) -> str:
    """How Python reads a source in another encoding than UTF-8; empty where it reads this very text."""
    for number, line in enumerate(re.split(rb"\r\n?|\n", content.removeprefix(BOM_UTF8), maxsplit=2)[:2], 1):
        if cookie := COOKIE.match(line):
            name = cookie[1].decode("ascii")
            same = _decodes_to(content, name, text)
            return "" if same else f"Python reads it as {name}, line {number}"
        if not NO_CODE.match(line):
            break
    return ""


def _decodes_to(content: bytes, encoding: str, text: str) -> bool:
    if re.match(r"utf-8(-|$)", encoding[:12].lower().replace("_", "-")):  # whatever follows, says Python
        return True
    try:
        return lookup(encoding).name not in NO_CHARSETS and content.decode(encoding) == text
    except (LookupError, UnicodeError):
        return False


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
