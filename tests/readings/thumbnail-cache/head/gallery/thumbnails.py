"""The small picture of a large one, made once where there is room to keep it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gallery.scale import scale

Scale = Callable[[bytes, int], bytes]


class Thumbnails:
    """`folder` may be emptied by anybody at any time; None: nothing is kept."""

    def __init__(self, scaled: Scale = scale, folder: Path | None = None) -> None:
        self._scale = scaled
        self._folder = folder
        self.unkept = 0  # pictures that could not be kept

    def of(self, picture: bytes, width: int) -> bytes:
        """Raises CannotScale."""
        if self._folder is None:
            return self._scale(picture, width)
        place = self._folder / f"{hashlib.sha256(picture).hexdigest()}-{width}.png"
        kept = self._kept(place)
        if kept:
            return kept
        small = self._scale(picture, width)
        self._keep(place, small)
        return small

    def _kept(self, place: Path) -> bytes:
        """What is kept there; empty, which no picture is, where there is nothing to be had."""
        try:
            return place.read_bytes()
        except OSError:
            return b""

    def _keep(self, place: Path, small: bytes) -> None:
        """Whole or not at all. A picture that cannot be kept is made again the next time, which is
        slow and not wrong: it is counted, and the page goes out."""
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            number, name = tempfile.mkstemp(dir=place.parent)
        except OSError:
            self.unkept += 1
            return
        try:
            with os.fdopen(number, "wb") as file:
                file.write(small)
            os.replace(name, place)
        except OSError:
            self.unkept += 1
            with suppress(OSError):
                os.unlink(name)
