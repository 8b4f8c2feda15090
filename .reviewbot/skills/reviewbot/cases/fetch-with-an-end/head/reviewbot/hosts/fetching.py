from __future__ import annotations

import subprocess


def fetch(folder: str, commit: str) -> None:
    """Raises subprocess.TimeoutExpired."""
    subprocess.run(("git", "-C", folder, "fetch", "origin", commit), check=True, timeout=60)
