"""kill -9 everywhere in a job, with both databases."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LIVES = Path(__file__).with_name("lives.py")


def lives(url: str, folder: Path, work: str, executor: str = "w1") -> int:
    command = [sys.executable, str(LIVES), url, str(folder), executor, work]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    return int(done.stdout)


def test_a_step_that_has_ended_is_never_run_again(url: str, tmp_path: Path) -> None:
    assert lives(url, tmp_path, "killed_everywhere") == 7  # killed six times
    notes = (tmp_path / "notes").read_text().splitlines()
    assert notes == [
        *("begun 0", "begun 0", "ended 0"),
        *("begun 1", "begun 1", "ended 1"),
        *("begun 2", "begun 2", "ended 2"),
        "had 0 1 2 3",  # what each gave in its own process
    ]
    assert (tmp_path / "state").read_text() == "done"
