"""Prints the throughput of one result folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(folder: Path) -> None:
    for path in sorted(folder.glob("concurrency_*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        print(f"{path.stem}\t{result['output_throughput']:.1f} tokens/s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
