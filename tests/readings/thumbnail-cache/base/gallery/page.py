"""The page of a gallery."""

from __future__ import annotations

import base64
from collections.abc import Iterable

from gallery.scale import CannotScale
from gallery.thumbnails import Thumbnails

WIDTH = 160


def page(pictures: Iterable[bytes], thumbnails: Thumbnails) -> str:
    rows = []
    for picture in pictures:
        try:
            small = base64.b64encode(thumbnails.of(picture, WIDTH)).decode()
        except CannotScale:
            rows.append("<p>no picture</p>")
        else:
            rows.append(f'<img src="data:image/png;base64,{small}">')
    return "\n".join(rows)
