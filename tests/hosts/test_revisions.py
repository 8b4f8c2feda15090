"""Which commits are compared, where, and what is said if that cannot be done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.hosts.local import LocalSource, Mode
from tests.hosts.reading import change, opened, rows
from tests.repos import Repo


def test_an_empty_change_is_no_error(repo: Repo) -> None:
    for mode in ("commits", "staged", "worktree"):
        found = change(repo, "main", mode)  # type: ignore[arg-type]
        assert (found.files, found.attributes) == ((), {})


def test_the_base_is_where_the_branches_parted(repo: Repo) -> None:
    parted = repo.git("rev-parse", "main")
    repo.write("mine.py", "x\n")
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("theirs.py", "x\n")
    repo.commit()
    repo.git("checkout", "-q", "work")
    found = change(repo)
    assert (found.base, [file.path for file in found.files]) == (parted, ["mine.py"])


def test_subdirectory_linked_work_tree_bare_repository_and_detached_head(repo: Repo, tmp_path: Path) -> None:
    repo.write("sub/x.py", "1\n")
    repo.commit()
    repo.write("sub/y.py", "2\n")

    def paths(folder: Path, mode: Mode = "commits") -> list[str]:
        found = LocalSource.open(str(folder), "main", mode=mode).change(lambda _: True)
        return [file.path for file in found.files]

    assert paths(repo.path / "sub") == ["sub/x.py"]
    assert paths(repo.path / "sub", "worktree") == ["sub/x.py", "sub/y.py"]
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    (tmp_path / "linked" / "z.py").write_text("3\n")
    assert paths(tmp_path / "linked") == ["sub/x.py"]
    assert paths(tmp_path / "linked", "worktree") == ["sub/x.py", "z.py"]
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare.git"))
    assert paths(tmp_path / "bare.git") == ["sub/x.py"]
    assert paths(repo.path / ".git") == ["sub/x.py"]
    with pytest.raises(UsageError, match="has no work tree"):
        paths(tmp_path / "bare.git", "worktree")
    repo.git("checkout", "-q", "--detach")
    assert paths(repo.path) == ["sub/x.py"]


def test_a_sha256_repository_is_read(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "sha256", "--object-format=sha256")
    repo.write("a.py", "1\n")
    repo.commit()
    repo.write("a.py", "2\n")
    head = repo.commit()
    assert len(head) == 64
    (file,) = change(repo, "HEAD~").files
    assert rows(file) == ["-1", "+2"]


def default(repo: Repo) -> tuple[str, str]:
    source = opened(repo, None)
    return source.label, source.base


def test_the_default_base_is_the_first_usual_branch_that_is_not_head(repo: Repo) -> None:
    parted = repo.git("rev-parse", "main")
    repo.write("a.py", "2\n")
    repo.commit()
    assert default(repo) == ("main...HEAD", parted)
    repo.git("update-ref", "refs/remotes/origin/trunk", parted)
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert default(repo) == ("main...HEAD", parted)
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    assert default(repo) == ("origin/trunk...HEAD", parted)


def test_on_the_only_branch_the_default_base_is_itself(repo: Repo) -> None:
    repo.git("checkout", "-q", "main")
    repo.git("branch", "-q", "-D", "work")
    assert default(repo) == ("main...HEAD", repo.git("rev-parse", "HEAD"))


def test_without_a_usual_branch_a_base_must_be_named(repo: Repo) -> None:
    repo.git("branch", "-m", "main", "trunk")
    with pytest.raises(UsageError, match="no base to compare with; name one"):
        default(repo)
    repo.git("config", "branch.work.remote", ".")
    repo.git("config", "branch.work.merge", "refs/heads/trunk")
    assert default(repo) == ("@{upstream}...HEAD", repo.git("rev-parse", "trunk"))


Break = Callable[[Repo, Path], tuple[Path, str]]


def _outside(repo: Repo, tmp_path: Path) -> tuple[Path, str]:
    return tmp_path, r"is not in a git repository; go into one, or review a patch: --patch FILE"


def _no_folder(repo: Repo, tmp_path: Path) -> tuple[Path, str]:
    return tmp_path / "none", r"none cannot be entered: No such file"


def _unknown_base(repo: Repo, tmp_path: Path) -> tuple[Path, str]:
    repo.git("branch", "-m", "main", "trunk")
    return repo.path, r"no commit is called main; name another, or get it with `git fetch`$"


def _unborn(repo: Repo, tmp_path: Path) -> tuple[Path, str]:
    repo.git("checkout", "-q", "--orphan", "fresh")
    return repo.path, r"branch fresh has no commit yet; commit something first"


def _unrelated(repo: Repo, tmp_path: Path) -> tuple[Path, str]:
    repo.git("checkout", "-q", "--orphan", "fresh")
    repo.commit("another root")
    return repo.path, r"main and HEAD have no common history; name another base"


def _shallow(repo: Repo, tmp_path: Path) -> tuple[Path, str]:
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.commit("other")
    url = f"file://{repo.path}"
    repo.git("clone", "-q", "--depth=1", "--no-single-branch", "-b", "work", url, str(tmp_path / "shallow"))
    Repo(tmp_path / "shallow").git("branch", "main", "origin/main")
    return (
        tmp_path / "shallow",
        r"shallow clone lacks the merge base of main and HEAD.*--unshallow.*fetch-depth: 0",
    )


def _shallow_single(repo: Repo, tmp_path: Path) -> tuple[Path, str]:
    repo.git("clone", "-q", "--depth=1", "-b", "work", f"file://{repo.path}", str(tmp_path / "shallow"))
    return tmp_path / "shallow", r"no commit is called main; .*git fetch.*fetch-depth: 0"


def _corrupt(repo: Repo, tmp_path: Path) -> tuple[Path, str]:
    repo.write("a.py", "new\n")
    repo.commit()
    blob = repo.git("rev-parse", "HEAD:a.py")
    repo.file(f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    return repo.path, rf"git diff-tree failed: .*{blob}"


@pytest.mark.parametrize(
    "broken",
    [_outside, _no_folder, _unknown_base, _unborn, _unrelated, _shallow, _shallow_single, _corrupt],
    ids=lambda function: function.__name__.strip("_"),
)
def test_each_failure_is_one_line_with_the_remedy(repo: Repo, tmp_path: Path, broken: Break) -> None:
    folder, message = broken(repo, tmp_path)
    with pytest.raises(UsageError, match=message) as error:
        LocalSource.open(str(folder), "main").change(lambda _: True)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("base", ["main..work", "-h", "", "main^{tree}", "nothing there"])
def test_a_base_that_is_no_commit_is_named(repo: Repo, base: str) -> None:
    with pytest.raises(UsageError, match=r"no commit is called|is a range; name its base"):
        opened(repo, base or " ")


def test_an_unknown_head_is_named(repo: Repo) -> None:
    with pytest.raises(UsageError, match="no commit is called nowhere"):
        opened(repo, head="nowhere")
