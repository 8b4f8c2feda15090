from pathlib import Path


def target_of(root: Path, name: str) -> Path:
    root = root.resolve()
    target = (root / name).resolve()
    if target == root or not target.is_relative_to(root):
        raise PermissionError(f"{name} leads out of {root}")
    if target.name.startswith("."):
        raise ValueError(f"{name} would be hidden")
    return target
