"""Paths of a repository as URIs (RFC 3986)."""

from __future__ import annotations

from collections.abc import Iterator

# Unreserved, and of the others those that mean nothing in a path. A colon would end a scheme.
_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/@!$&'()*+,;=")


def encoded(path: str) -> str:
    """The path as a relative reference: all that is not plain becomes `%XX`, byte by byte.

    An undecodable byte of a file's name (PEP 383) becomes that byte again.
    """
    return "".join(chr(byte) if byte in _KEPT else f"%{byte:02X}" for byte in _bytes(path))


def _bytes(path: str) -> Iterator[int]:
    if path.isascii():
        yield from path.encode("ascii")
        return
    for character in path:
        code = ord(character)
        if 0xDC80 <= code <= 0xDCFF:
            yield code - 0xDC00
        else:
            yield from character.encode("utf-8", "surrogatepass")
