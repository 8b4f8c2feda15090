"""Copies each dump of a folder that the store does not have."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from store.client import ObjectStore, StoreError
from store.listing import stored
from store.upload import upload

PREFIX = "dumps/"


def main(folder: str) -> int:
    store = ObjectStore(os.environ["STORE_HOST"], os.environ["STORE_BUCKET"])
    there = stored(store, PREFIX)
    failed = 0
    for path in sorted(Path(folder).glob("*.dump")):
        key = PREFIX + path.name
        if key in there:
            continue
        try:
            upload(store, path, key)
        except StoreError as error:
            print(f"{path}: {error}", file=sys.stderr)
            failed += 1
            continue
        path.unlink()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
