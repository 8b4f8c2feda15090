"""Types of columns: what both databases take, whatever is in a text."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from sqlalchemy import Dialect, LargeBinary, Text
from sqlalchemy.types import TypeDecorator

KEY = 200  # characters of an id or a name
PART = 64 * 1024  # bytes
PACKED = 8_000_000  # bytes of one packed value

_UNFIT = re.compile("[\0\ud800-\udfff]")  # PostgreSQL takes no NUL, UTF-8 no surrogate


class TooLarge(ValueError):
    """A value that is not kept, for its size."""


class Key(TypeDecorator[str]):
    """An id or a name. One that does not fit is kept as a name of its own, not as another's."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else key(value)


class Repo(Key):
    """owner/name. GitHub tells no two apart by their case, so they are kept, and asked for, in lower case."""

    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return super().process_bind_param(None if value is None else value.lower(), dialect)


class Words(TypeDecorator[str]):
    """Text for people, cut at `most` characters."""

    impl = Text
    cache_ok = True

    def __init__(self, most: int = 1_000) -> None:
        super().__init__()
        self.most = most

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else fit(value, self.most)


class Packed(TypeDecorator[Any]):
    """JSON, compressed. Raises TooLarge past PACKED."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        return None if value is None else packed(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(zlib.decompress(value))


def unpacked(content: bytes) -> Iterator[bytes]:
    """A packed value as JSON, in parts of at most PART bytes."""
    packer = zlib.decompressobj()
    while content:
        yield packer.decompress(content, PART)
        content = packer.unconsumed_tail
    yield packer.flush()


def key(value: str) -> str:
    """As a Key is kept."""
    if len(value) <= KEY and not _UNFIT.search(value):
        return value
    mark = sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return f"{fit(value, KEY - 25)}~{mark}"


def packed(value: Any) -> bytes:
    content = zlib.compress(json.dumps(value, separators=(",", ":")).encode("ascii"), 6)
    if len(content) > PACKED:
        raise TooLarge(f"{len(content):,} bytes are more than {PACKED:,}")
    return content


def fit(value: str, most: int) -> str:
    text = _UNFIT.sub("\ufffd", value[: most + 1])
    return text if len(text) <= most else text[: most - 1] + "…"
