import pathlib
import shutil
import subprocess


def run(arm, work, archive):
    """Run one arm and file its result under the arm's name."""
    done = subprocess.run(["bench-arm", arm, "--results", work])
    newest = max(pathlib.Path(work).glob("*.json"), key=lambda p: p.stat().st_mtime)
    shutil.copy(newest, pathlib.Path(archive, f"{arm}.json"))
    return done.returncode
