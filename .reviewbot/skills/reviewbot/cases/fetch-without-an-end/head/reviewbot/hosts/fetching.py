from __future__ import annotations

import subprocess


def fetch(folder: str, commit: str) -> None:
    subprocess.run(("git", "-C", folder, "fetch", "origin", commit), check=True)
