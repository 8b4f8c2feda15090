"""Names of files and amounts of bytes: as git writes them, as a checkout allows them, as people read them."""

from __future__ import annotations

import re

ESCAPES = {7: b"a", 8: b"b", 9: b"t", 10: b"n", 11: b"v", 12: b"f", 13: b"r", 34: b'"', 92: b"\\"}
UNESCAPES = {escape: bytes([code]) for code, escape in ESCAPES.items()}


def path_text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def path_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def is_safe(path: str) -> bool:
    """Whether a checkout could hold this path: relative, no empty, `.`, `..` or `.git` part, no NUL."""
    parts = path.split("/")
    return "\0" not in path and not any(part in ("", ".", "..") or part.lower() == ".git" for part in parts)


def quoted(name: bytes) -> bytes:
    """A name as git writes it in a patch under core.quotePath=false."""

    def escape(match: re.Match[bytes]) -> bytes:
        code = match[0][0]
        return b"\\" + (ESCAPES.get(code) or b"%03o" % code)

    text = re.sub(rb'[\x00-\x1f\x7f"\\]', escape, name)
    return b'"' + text + b'"' if text != name else name


def unquoted(text: bytes) -> tuple[bytes, bytes]:
    """Reads a name in double quotes off the front; returns it and the rest. Raises ValueError."""
    match = re.match(rb'"((?:[^"\\]|\\[abtnvfr"\\]|\\[0-3][0-7]{2})*)"', text)
    if not match:
        raise ValueError("a quoted name that does not end")

    def plain(escape: re.Match[bytes]) -> bytes:
        code = escape[1]
        return UNESCAPES.get(code) or bytes([int(code, 8)])

    return re.sub(rb'\\([abtnvfr"\\]|[0-7]{3})', plain, match[1]), text[match.end() :]


def past_limit(size: int, limit: int) -> str:
    return f"{size_text(size)}, the limit is {size_text(limit)}"


def size_text(count: int) -> str:
    """A number of bytes for people, rounded up so that it never equals a limit it exceeds."""
    for unit, name in ((1_000_000, "MB"), (1000, "kB")):
        if count >= unit:
            return f"{-(-count * 10 // unit) / 10:g} {name}"
    return f"{count} bytes"
