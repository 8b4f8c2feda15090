"""Fails when a translation lacks a key."""

import json
import sys
from pathlib import Path


def main(folder):
    english = json.loads(Path(folder, "en.json").read_text())
    for path in sorted(Path(folder).glob("*.json")):
        keys = json.loads(path.read_text()).keys()
        assert keys == english.keys(), f"{path} lacks {english.keys() - keys}"
        assert all(key.islower() for key in keys), path
    print("all translations are complete")


if __name__ == "__main__":
    main(sys.argv[1])
