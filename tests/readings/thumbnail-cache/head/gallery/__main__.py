"""Prints the page of the pictures that it is given. GALLERY_FOLDER: where small ones are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gallery.page import page
from gallery.thumbnails import Thumbnails

if __name__ == "__main__":
    folder = os.environ.get("GALLERY_FOLDER")
    thumbnails = Thumbnails(folder=Path(folder) if folder else None)
    print(page((Path(name).read_bytes() for name in sys.argv[1:]), thumbnails))
    if thumbnails.unkept:
        print(f"{thumbnails.unkept} small pictures could not be kept", file=sys.stderr)
