"""Prints the page of the pictures that it is given."""

from __future__ import annotations

import sys
from pathlib import Path

from gallery.page import page
from gallery.thumbnails import Thumbnails

if __name__ == "__main__":
    print(page((Path(name).read_bytes() for name in sys.argv[1:]), Thumbnails()))
