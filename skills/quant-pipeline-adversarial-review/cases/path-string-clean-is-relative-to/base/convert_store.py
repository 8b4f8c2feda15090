from pathlib import Path


def target_of(root: Path, name: str) -> Path:
    return root / name
