"""`diff --fix --branch NAME`: a commit beside what is checked out, which touches nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.launchers import FIXED, LAUNCH, OLD, Ran, launchers, ran
from tests.repos import ENV, Repo

RUNNER = "runners/launch.sh"
Run = Callable[..., Ran]
FIX = ("diff", "main", "--fix", "--branch")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name, value in ENV.items():
        if name.startswith("GIT_"):
            monkeypatch.setenv(name, value)
    return lambda repo, *argv: ran(repo, capsys, monkeypatch, *argv)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return launchers(tmp_path / "repo", {RUNNER: LAUNCH})


def state(repo: Repo) -> tuple[object, ...]:
    index = repo.file(".git/index")
    own = index.read_bytes(), index.stat().st_mtime_ns, repo.file(RUNNER).stat().st_mtime_ns
    return (
        *own,
        repo.file(RUNNER).read_bytes(),
        repo.git("--no-optional-locks", "status", "--porcelain", "--branch"),
    )


def test_the_fixes_are_one_commit_on_the_head(repo: Repo, run: Run) -> None:
    before = state(repo)
    done = run(repo, *FIX, "fixes", "--format", "json")
    assert state(repo) == before
    assert repo.git("rev-parse", "fixes^") == repo.git("rev-parse", "work")
    assert repo.git("diff", "--name-status", "work", "fixes") == f"M\t{RUNNER}"
    assert repo.git("show", f"fixes:{RUNNER}") + "\n" == FIXED
    assert repo.git("ls-tree", "fixes", RUNNER).startswith("100755 ")
    assert (done.code, done.review["verdict"], done.review["head"]) == (
        0,
        "clean",
        repo.git("rev-parse", "fixes"),
    )
    assert done.err.splitlines()[-1] == "reviewbot: branch fixes: 1 fix, stacked on work, which merges first"


def test_the_message_says_what_is_fixed_and_which_merges_first(repo: Repo, run: Run) -> None:
    run(repo, *FIX, "fixes")
    head = repo.git("rev-parse", "--short=12", "work")
    message = repo.git("log", "-1", "--format=%B", "fixes")
    subject, stacked, defect = (" ".join(part.split()) for part in message.split("\n\n"))
    assert subject == "Fix 1 defect that reviewbot found"
    assert stacked == f"Stacked on work ({head}): that merges first, then this commit."
    assert defect.startswith(f"- {RUNNER}: A failed step does not stop the launch \u2192 GPU hours on")
    assert (
        repo.git("log", "-1", "--format=%an <%ae> %cn", "fixes")
        == "A Tester <tester@example.invalid> A Tester"
    )


def test_the_branch_is_clean_by_itself(repo: Repo, run: Run) -> None:
    run(repo, *FIX, "fixes")
    assert run(repo, "diff", "main", "--head", "fixes", "--format", "json").review["verdict"] == "clean"
    assert run(repo, "diff", "work", "--head", "fixes", "--format", "json").review["verdict"] == "clean"


def test_a_tree_that_is_not_clean_stays_as_it_is(repo: Repo, run: Run) -> None:
    repo.write(RUNNER, OLD)
    repo.write("staged.txt", "x")
    repo.git("add", "staged.txt")
    before = state(repo)
    assert run(repo, *FIX, "fixes").code == 0
    assert state(repo) == before
    assert repo.git("ls-tree", "--name-only", "fixes") == "README.md\nrunners"


def test_another_head_than_what_is_checked_out(repo: Repo, run: Run) -> None:
    repo.git("checkout", "-q", "main")
    done = run(repo, *FIX, "fixes", "--head", "work")
    assert (done.code, repo.git("rev-parse", "fixes^")) == (0, repo.git("rev-parse", "work"))
    assert "Stacked on work (" in repo.git("log", "-1", "--format=%B", "fixes")


def test_a_detached_head_is_named_by_its_commit(repo: Repo, run: Run) -> None:
    repo.git("checkout", "-q", "--detach")
    done = run(repo, *FIX, "fixes")
    head = repo.git("rev-parse", "--short=12", "HEAD")
    assert f"stacked on commit {head}, which merges first" in done.err
    assert f"Stacked on commit {head}: that" in repo.git("log", "-1", "--format=%B", "fixes")


def test_a_bare_repository_can_have_a_branch(repo: Repo, run: Run, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    bare = Repo.__new__(Repo)
    bare.path = tmp_path / "bare"
    assert run(bare, *FIX, "fixes", "--head", "work").code == 0
    assert bare.git("show", f"fixes:{RUNNER}") + "\n" == FIXED


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("work", "there is a branch work already; name another, or delete it first"),
        ("work/fixes", "a branch work/fixes cannot stand beside the branch work"),
        ("a..b", "--branch 'a..b' is no name for a branch"),
        ("HEAD", "--branch 'HEAD' is no name for a branch"),
        ("new\nline", "--branch 'new\\nline' is no name for a branch"),
        ("x.lock", "--branch 'x.lock' is no name for a branch"),
    ],
)
def test_a_name_that_cannot_be_is_refused_before_the_work(repo: Repo, run: Run, name: str, line: str) -> None:
    heads = repo.git("for-each-ref")
    done = run(repo, *FIX, name)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"reviewbot: error: {line}")
    assert repo.git("for-each-ref") == heads


def test_nothing_to_fix_makes_no_branch(repo: Repo, run: Run) -> None:
    repo.write(RUNNER, FIXED)
    repo.commit("by hand")
    done = run(repo, *FIX, "fixes")
    assert done.code == 0
    assert (
        done.err
        == "reviewbot: nothing to fix: no new finding has a suggestion that holds; no branch was made\n"
    )
    assert "fixes" not in repo.git("branch")


@pytest.mark.parametrize("who", ["author", "committer"])
def test_nobody_commits_without_a_name(
    repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    monkeypatch.delenv(f"GIT_{who.upper()}_EMAIL")
    done = run(repo, *FIX, "fixes")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"reviewbot: error: git does not know who the {who} of a commit is; "
        "git config user.name NAME, git config user.email ADDRESS\n"
    )
    assert "fixes" not in repo.git("branch")


def test_the_repository_says_who_commits(repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for who in ("AUTHOR", "COMMITTER"):
        for part in ("NAME", "EMAIL", "DATE"):
            monkeypatch.delenv(f"GIT_{who}_{part}")
    repo.git("config", "user.name", "Some Body")
    repo.git("config", "user.email", "body@example.invalid")
    repo.git("config", "i18n.commitEncoding", "latin1")
    repo.git("config", "commit.gpgSign", "true")
    assert run(repo, *FIX, "fixes").code == 0
    assert repo.git("log", "-1", "--format=%an <%ae>", "fixes") == "Some Body <body@example.invalid>"
    assert "\u2192" in repo.git("-c", "i18n.commitEncoding=utf-8", "log", "-1", "--format=%B", "fixes")
    assert "encoding" not in repo.git("cat-file", "commit", "fixes")


def test_a_branch_that_was_made_meanwhile_stays(
    repo: Repo, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reviewbot.hosts import trial

    real = trial.identity

    def late(git: object) -> dict[str, str]:
        found = real(git)  # type: ignore[arg-type]
        if late.calls:  # type: ignore[attr-defined]
            repo.git("branch", "fixes", "main")
        late.calls = True  # type: ignore[attr-defined]
        return found

    late.calls = False  # type: ignore[attr-defined]
    monkeypatch.setattr("reviewbot.hosts.trial.identity", late)
    monkeypatch.setattr("reviewbot.wiring.fix.identity", late)
    done = run(repo, *FIX, "fixes")
    assert done.code == 2
    assert "error: branch fixes was not made: git update-ref failed" in done.err
    assert repo.git("rev-parse", "fixes") == repo.git("rev-parse", "main")
