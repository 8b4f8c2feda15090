"""The small picture of a large one."""

from __future__ import annotations

from collections.abc import Callable

from gallery.scale import scale

Scale = Callable[[bytes, int], bytes]


class Thumbnails:
    def __init__(self, scaled: Scale = scale) -> None:
        self._scale = scaled

    def of(self, picture: bytes, width: int) -> bytes:
        """Raises CannotScale."""
        return self._scale(picture, width)
