"""The hook for pre-commit: its entry, run as pre-commit runs it, from a real `git commit`."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.repos import ENV, Repo

ROOT = Path(__file__).parent.parent
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
HOLE = """\
#!/bin/bash
set -u
while [ $# -gt 0 ]; do
  case "$1" in
    --out) OUT="$2"; shift 2 ;;
  esac
done
"""


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A repository whose commits run the entry, of the hook that this file declares."""
    found = Repo(tmp_path / "project")
    found.write("old.sh", "#!/bin/bash\nset -e\necho 1\n")
    found.commit()
    program, *arguments = shlex.split(HOOKS[0]["entry"])
    assert program == "reviewbot"
    entry = shlex.join([sys.executable, "-m", program, *arguments])
    # pre-commit, too, shows the output of a hook only where it has failed.
    script = f'#!/bin/sh\nout=$({entry} 2>&1); code=$?\n[ $code = 0 ] || printf "%s\\n" "$out"\nexit $code\n'
    found.write(".git/hooks/pre-commit", script, 0o755)
    return found


def commit(repo: Repo, *options: str) -> subprocess.CompletedProcess[str]:
    env = {**ENV, "PYTHONPATH": str(ROOT), "HOME": os.environ.get("HOME", "/")}
    command = ["git", "-c", "core.hooksPath=.git/hooks", "commit", "-m", "x", *options]
    return subprocess.run(command, cwd=repo.path, env=env, capture_output=True, text=True)


def test_a_clean_commit_goes_through_without_a_word(repo: Repo) -> None:
    repo.write("new.sh", "#!/bin/bash\nset -eu\necho 2\n")
    repo.git("add", "new.sh")
    done = commit(repo, "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert repo.git("log", "--format=%s", "-1", "--", "new.sh") == "x"


def test_a_finding_stops_the_commit_and_is_shown(repo: Repo) -> None:
    repo.write("new.sh", HOLE)
    repo.git("add", "new.sh")
    before = repo.git("rev-parse", "HEAD")
    done = commit(repo)
    assert done.returncode == 1
    assert "1. new.sh:5" in done.stdout + done.stderr
    assert repo.git("rev-parse", "HEAD") == before


def test_only_what_is_staged_is_reviewed(repo: Repo) -> None:
    repo.write("new.sh", "#!/bin/bash\nset -eu\necho 2\n")
    repo.git("add", "new.sh")
    repo.write("new.sh", HOLE)
    repo.write("other.sh", HOLE)
    assert commit(repo).returncode == 0


def test_commit_a_reviews_what_it_takes(repo: Repo) -> None:
    repo.write("old.sh", HOLE)
    done = commit(repo, "-a")
    assert done.returncode == 1
    assert "old.sh:5" in done.stdout + done.stderr


def test_the_hook_asks_no_model_and_takes_no_names() -> None:
    (hook,) = HOOKS
    assert "--no-model" in hook["entry"]
    assert hook["pass_filenames"] is False
    assert hook["language"] == "python"
    assert hook["stages"] == ["pre-commit"]
