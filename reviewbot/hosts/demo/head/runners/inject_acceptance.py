"""Writes a synthetic acceptance length into a recipe, for runs that ask for one.

Does nothing unless SYNTHETIC_ACCEPTANCE=true. Ends with 1 where it cannot do what was asked.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

# How a framework spells the option; only these can be told.
OPTIONS = {"sglang": "simulated_accept_length"}


def inject(recipe: Path, framework: str) -> None:
    if framework not in OPTIONS:
        sys.exit(f"{framework} has no option for a synthetic acceptance length")
    length = float(os.environ["SYNTHETIC_ACCEPTANCE_LENGTH"])
    with recipe.open("a", encoding="utf-8") as file:
        file.write(f"  {OPTIONS[framework]}: {length}\n")


if __name__ == "__main__":
    if os.environ.get("SYNTHETIC_ACCEPTANCE") == "true":
        inject(Path(sys.argv[1]), sys.argv[2])
