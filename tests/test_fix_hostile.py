"""`diff --fix` where the work tree is not what one expects, or changes under its hands."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewbot.hosts import inplace
from tests.launchers import FIXED, LAUNCH, OLD, Ran, launchers, ran
from tests.repos import ENV, Repo

ROOT = Path(__file__).parent.parent
RUNNER = "runners/launch.sh"
OTHER = "runners/launch_other.sh"
Run = Callable[..., Ran]
FIX = ("diff", "main", "--fix")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return lambda repo, *argv: ran(repo, capsys, monkeypatch, *argv)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return launchers(tmp_path / "repo", {RUNNER: LAUNCH, OTHER: LAUNCH})


def before_writing(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """`happens` between the review and the first file that is written."""
    real = inplace.put
    done: list[bool] = []

    def put(top: str, path: str, old: bytes, new: bytes) -> str:
        if not done:
            done.append(True)
            happens()
        return real(top, path, old, new)

    monkeypatch.setattr("reviewbot.hosts.inplace.put", put)


# --- not clean --------------------------------------------------------------------------------


def edited(repo: Repo) -> None:
    repo.write("README.md", "edited\n")


def staged(repo: Repo) -> None:
    edited(repo)
    repo.git("add", "README.md")
    repo.git("show", "HEAD:README.md")
    repo.write("README.md", "launchers\n")


def gone(repo: Repo) -> None:
    repo.rm("README.md")


def unmerged(repo: Repo) -> None:
    blob = repo.git("rev-parse", "HEAD:README.md")
    rows = "".join(f"100644 {blob} {stage}\tREADME.md\n" for stage in (1, 2, 3))
    repo.git("rm", "-q", "--cached", "README.md")
    repo.git("update-index", "--index-info", stdin=rows.encode())


def linked(repo: Repo) -> None:
    repo.link("README.md", RUNNER)


@pytest.mark.parametrize("spoil", [edited, staged, gone, unmerged, linked])
def test_a_tree_that_is_not_clean_is_refused(repo: Repo, run: Run, spoil: Callable[[Repo], None]) -> None:
    spoil(repo)
    before = repo.git("status", "--porcelain")
    done = run(repo, *FIX)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("reviewbot: error: the work tree is not clean: README.md; commit or stash")
    assert repo.git("status", "--porcelain") == before


def test_what_nobody_tracks_does_not_count(repo: Repo, run: Run) -> None:
    repo.write("notes.txt", "mine\n")
    repo.write("runners/launch_mine.sh", LAUNCH)
    assert run(repo, *FIX).code == 0
    assert repo.file("runners/launch_mine.sh").read_text() == LAUNCH
    assert repo.file(RUNNER).read_text() == FIXED


def test_a_touched_file_is_clean(repo: Repo, run: Run) -> None:
    os.utime(repo.file(RUNNER), (1, 1))
    assert run(repo, *FIX).code == 0


# --- files that are left ----------------------------------------------------------------------


def test_a_read_only_file_is_kept(repo: Repo, run: Run) -> None:
    repo.file(RUNNER).chmod(0o555)
    done = run(repo, *FIX, "--format", "json")
    assert (repo.file(RUNNER).read_text(), repo.file(OTHER).read_text()) == (LAUNCH, FIXED)
    assert f"reviewbot: kept {RUNNER}: it is read-only\n" in done.err
    assert (done.code, [f["path"] for f in done.review["findings"]]) == (1, [RUNNER])


def test_a_sparse_checkout_gets_no_new_file(repo: Repo, run: Run) -> None:
    repo.git("sparse-checkout", "set", "--no-cone", "/*", f"!/{OTHER}")
    assert not repo.file(OTHER).exists()
    done = run(repo, *FIX)
    assert repo.file(RUNNER).read_text() == FIXED
    assert not repo.file(OTHER).exists()
    assert f"kept {OTHER}: it is not in the work tree (a sparse checkout, or removed meanwhile)" in done.err
    assert done.code == 1


def test_where_all_is_kept_it_is_not_said_that_no_suggestion_holds(repo: Repo, run: Run) -> None:
    repo.git("sparse-checkout", "set", "--no-cone", "/*", f"!/{RUNNER}", f"!/{OTHER}")
    done = run(repo, *FIX)
    assert done.err.count("it is not in the work tree") == 2
    assert (done.code, done.err.splitlines()[-1]) == (1, "reviewbot: nothing was fixed")


def test_a_file_that_git_was_told_not_to_look_at_is_kept(repo: Repo, run: Run) -> None:
    repo.git("update-index", "--assume-unchanged", RUNNER)
    repo.write(RUNNER, f"{LAUNCH}# mine\n")
    done = run(repo, *FIX)
    assert repo.file(RUNNER).read_text() == f"{LAUNCH}# mine\n"
    assert f"kept {RUNNER}: on the disk it is not what git has" in done.err


def test_a_link_in_the_place_of_a_folder_is_not_followed(repo: Repo, run: Run, tmp_path: Path) -> None:
    repo.git("update-index", "--assume-unchanged", RUNNER, OTHER)
    repo.file("runners").rename(tmp_path / "elsewhere")
    repo.link("runners", str(tmp_path / "elsewhere"))
    done = run(repo, *FIX)
    assert (tmp_path / "elsewhere" / "launch.sh").read_text() == LAUNCH
    assert f"kept {RUNNER}: a symbolic link stands in its way" in done.err


def test_a_link_and_a_submodule_are_no_files(tmp_path: Path, run: Run) -> None:
    repo = launchers(tmp_path / "repo", {RUNNER: LAUNCH})
    repo.link("runners/launch_link.sh", "launch.sh")
    head = repo.git("rev-parse", "HEAD")
    repo.git("add", "-A")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    repo.file("sub").mkdir()
    repo.git("commit", "-q", "-m", "link and submodule")
    done = run(repo, *FIX)
    assert (done.code, repo.file(RUNNER).read_text()) == (0, FIXED)
    assert repo.file("runners/launch_link.sh").is_symlink()
    assert repo.git("status", "--porcelain") == f" M {RUNNER}"


@pytest.mark.parametrize("name", ["runners/launch\n2.sh", 'runners/launch "q".sh', "runners/-launch.sh"])
def test_a_strange_name(tmp_path: Path, run: Run, name: str) -> None:
    repo = launchers(tmp_path / "repo", {name: LAUNCH})
    done = run(repo, *FIX)
    assert (done.code, repo.file(name).read_text()) == (0, FIXED)


def test_a_name_that_is_no_text(tmp_path: Path, run: Run) -> None:
    repo = launchers(tmp_path / "repo", {"runners/launch.sh": LAUNCH})
    repo.git("mv", RUNNER, b"runners/launch\xff.sh")
    repo.commit("moved")
    done = run(repo, *FIX)
    assert (done.code, repo.file(b"runners/launch\xff.sh").read_text()) == (0, FIXED)


# --- places -----------------------------------------------------------------------------------


def test_from_a_folder_within(repo: Repo, run: Run) -> None:
    within = Repo.__new__(Repo)
    within.path = repo.path / "runners"
    assert run(within, *FIX).code == 0
    assert repo.file(RUNNER).read_text() == FIXED


def test_a_detached_head(repo: Repo, run: Run) -> None:
    repo.git("checkout", "-q", "--detach")
    assert run(repo, *FIX).code == 0
    assert repo.file(RUNNER).read_text() == FIXED


def test_a_linked_worktree_and_a_colon_in_its_path(repo: Repo, run: Run, tmp_path: Path) -> None:
    repo.path.rename(tmp_path / "a:b")
    moved = Repo(tmp_path / "a:b")
    moved.git("worktree", "add", "-q", "-b", "linked", str(tmp_path / "linked"), "work")
    linked = Repo(tmp_path / "linked")
    assert run(linked, *FIX).code == 0
    assert linked.file(RUNNER).read_text() == FIXED
    assert moved.git("status", "--porcelain") == ""


# --- meanwhile --------------------------------------------------------------------------------


def test_a_file_that_was_changed_meanwhile_is_kept(
    repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_writing(monkeypatch, lambda: repo.write(RUNNER, f"{LAUNCH}# mine\n"))
    done = run(repo, *FIX, "--format", "json")
    assert repo.file(RUNNER).read_text() == f"{LAUNCH}# mine\n"
    assert repo.file(OTHER).read_text() == FIXED
    assert f"kept {RUNNER}: on the disk it is not what git has" in done.err
    assert (done.code, [f["path"] for f in done.review["findings"]]) == (1, [RUNNER])


def test_another_checkout_meanwhile_changes_nothing(
    repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reviewbot.hosts.terminal.somebody", lambda: True)

    def ask(question: str) -> bool:
        repo.git("checkout", "-q", "main")
        return True

    monkeypatch.setattr("reviewbot.hosts.terminal.ask", ask)
    done = run(repo, *FIX)
    assert done.code == 2
    assert "another commit was checked out while the fixes were tried; nothing was changed" in done.err
    assert repo.file(RUNNER).read_text() == OLD


def test_a_disk_that_is_full_leaves_the_file(repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("reviewbot.hosts.inplace.os.fsync", full)
    done = run(repo, *FIX)
    assert repo.git("status", "--porcelain") == ""
    assert done.err.count("no space left on device") == 2
    assert (done.code, done.err.splitlines()[-1]) == (1, "reviewbot: nothing was fixed")


def start(repo: Repo, *argv: str) -> subprocess.Popen[bytes]:
    env = {**os.environ, **ENV, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-m", "reviewbot", *argv], cwd=repo.path, env=env, stdout=pipe, stderr=pipe
    )


def test_two_at_once_leave_whole_files(repo: Repo) -> None:
    both = [start(repo, *FIX) for _ in range(2)]
    said = [process.communicate(timeout=60)[1].decode() for process in both]
    assert [repo.file(name).read_text() for name in (RUNNER, OTHER)] == [FIXED, FIXED]
    for process, text in zip(both, said, strict=True):
        assert process.returncode in (0, 2), text
        assert process.returncode == 0 or "the work tree is not clean" in text
    assert {process.returncode for process in both} & {0}
    assert sorted(path.name for path in repo.file("runners").iterdir()) == ["launch.sh", "launch_other.sh"]


STOPPED = """
import os, signal, sys
from reviewbot import cli
real = os.replace
def replace(*args, **names):
    if not names:  # of another room
        return real(*args)
    if {after}:
        real(*args, **names)
    os.kill(os.getpid(), signal.{signal})
    if not {after}:
        real(*args, **names)
os.replace = replace
cli.main()
"""


@pytest.mark.parametrize("ended_by", ["SIGKILL", "SIGTERM", "SIGINT"])
@pytest.mark.parametrize("after", [True, False])
def test_killed_in_the_middle_each_file_is_whole(repo: Repo, ended_by: str, after: bool) -> None:
    env = {**os.environ, **ENV, "PYTHONPATH": str(ROOT)}
    code = STOPPED.format(signal=ended_by, after=after)
    done = subprocess.run([sys.executable, "-c", code, *FIX], cwd=repo.path, env=env, capture_output=True)
    assert done.returncode == (-signal.SIGKILL if ended_by == "SIGKILL" else 130), done.stderr
    texts = [repo.file(name).read_text() for name in (RUNNER, OTHER)]
    assert texts == ([FIXED, LAUNCH] if after else [LAUNCH, LAUNCH])
    left = {path.name for path in repo.file("runners").iterdir()} - {"launch.sh", "launch_other.sh"}
    assert len(left) == (ended_by == "SIGKILL" and not after)


def test_the_one_that_waits_sees_what_the_first_has_done(repo: Repo) -> None:
    lock = inplace.alone(inplace.Git.open(str(repo.path)))
    with lock:
        waiting = start(repo, *FIX)
        deadline = time.monotonic() + 30
        while not locked_out(waiting.pid) and time.monotonic() < deadline and waiting.poll() is None:
            time.sleep(0.05)
        repo.write(RUNNER, f"{LAUNCH}# first\n")
    _, said = waiting.communicate(timeout=60)
    assert waiting.returncode == 2
    assert b"the work tree is not clean: runners/launch.sh" in said
    assert repo.file(OTHER).read_text() == LAUNCH


def locked_out(pid: int) -> bool:
    """Whether a process waits for a lock, as Linux tells it."""
    try:
        return any(f" {pid} " in row and "->" in row for row in Path("/proc/locks").read_text().splitlines())
    except OSError:
        return False
