"""Attributes and configuration of a stranger's repository; a git that fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.core.types import Kind
from reviewbot.hosts import git
from reviewbot.hosts.local import LocalSource, Mode
from tests.hosts.reading import both, change, file_at, opened, rows
from tests.repos import ENV, Repo


@pytest.mark.parametrize("attribute", ["binary", "-diff", "-text", "diff=odd", "export-ignore", "eol=crlf"])
def test_an_attribute_of_the_change_cannot_hide_its_code(repo: Repo, attribute: str) -> None:
    repo.git("config", "diff.odd.binary", "true")
    repo.git("config", "diff.odd.textconv", "false")
    repo.git("config", "diff.odd.command", "false")
    repo.write(".gitattributes", f"*.py {attribute}\n")
    repo.write("a.py", "one\n2\nthree\n")
    repo.commit()
    assert rows(file_at(change(repo), "a.py")) == [" one", "-two", "+2", " three"]


HOSTILE = {
    "color.ui": "always",
    "color.diff": "always",
    "core.attributesFile": ".git/attributes",
    "core.bigFileThreshold": "1",
    "core.quotePath": "true",
    "diff.algorithm": "patience",
    "diff.context": "0",
    "diff.external": "touch",
    "diff.interHunkContext": "9",
    "diff.mnemonicPrefix": "true",
    "diff.noprefix": "true",
    "diff.orderFile": "order",
    "diff.relative": "true",
    "diff.renameLimit": "1",
    "diff.renames": "false",
    "diff.ignoreSubmodules": "all",
    "diff.indentHeuristic": "false",
    "diff.odd.xfuncname": "^(.*)$",
    "diff.submodule": "log",
    "diff.suppressBlankEmpty": "true",
    "diff.wordRegex": ".",
    "submodule.sub.ignore": "all",
}


@pytest.mark.parametrize("mode", ["commits", "staged", "worktree"])
def test_hostile_configuration_changes_nothing(repo: Repo, mode: Mode) -> None:
    repo.write("b/b/caf\u00e9.py", "".join(f"{n}\n\n" for n in range(20)))
    block = "def {}():\n    pass\n\n"
    repo.write("slide.py", block.format("a") + block.format("b"))
    repo.commit()
    repo.git("branch", "-f", "main")
    repo.write("slide.py", block.format("a") + block.format("new") + block.format("b"))
    repo.write(".git/attributes", "* diff=odd\n")
    repo.git("mv", "b/b/caf\u00e9.py", "b/moved.py")
    repo.write("b/moved.py", "".join(f"{n}\n\n" for n in range(20)).replace("7\n", "seven\n", 1))
    repo.git("add", "-A")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    repo.git("commit", "-qm", "x")
    base = "main" if mode == "commits" else "HEAD~"
    plain = change(repo, base, mode)
    assert [file.path for file in plain.files if file.kind is Kind.FILE] == ["b/moved.py", "slide.py"]
    for key, value in HOSTILE.items():
        repo.git("config", key, value)
    assert change(repo, base, mode) == plain


def test_the_change_cannot_tell_git_to_ignore_its_submodules(repo: Repo) -> None:
    repo.write(".gitmodules", '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = all\n')
    for number in "12":
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{number * 40},sub")
        repo.git("add", ".gitmodules")
        repo.git("commit", "-qm", "x")
    (file,) = change(repo, "HEAD~").files
    assert (file.path, file.kind, file.old_blob) == ("sub", Kind.SUBMODULE, "1" * 40)


def trap(repo: Repo) -> tuple[str, Path]:
    """A program that leaves a trace when it runs."""
    trace = repo.path.parent / "trace"
    return str(repo.write("../trap", f"#!/bin/sh\ntouch '{trace}'\ncat\n", 0o755)), trace


@pytest.mark.parametrize("mode", ["commits", "staged", "worktree"])
def test_no_program_of_the_repository_is_started(repo: Repo, mode: Mode) -> None:
    program, trace = trap(repo)
    repo.write(".gitattributes", "*.py filter=trap diff=trap\n")
    repo.write("a.py", "one\n2\nthree\n")
    repo.commit()
    repo.write("a.py", "one\n3\nthree\n")
    repo.write("new.py", "new\n")
    keys = ["core.fsmonitor", "diff.external", "diff.trap.command", "diff.trap.textconv", "core.sshCommand"]
    for key in [*keys, *(f"filter.trap.{name}" for name in ("clean", "smudge", "process"))]:
        repo.git("config", key, program)
    repo.git("config", "filter.trap.required", "true")
    repo.git("config", "core.hooksPath", str(repo.path.parent))
    for hook in ("post-index-change", "fsmonitor-watchman"):
        repo.write(f".git/hooks/{hook}", f"#!/bin/sh\ntouch '{trace}'\n", 0o755)
        repo.write(f"../{hook}", f"#!/bin/sh\ntouch '{trace}'\n", 0o755)
    found = change(repo, "main", mode)
    assert "a.py" in [file.path for file in found.files]
    assert not trace.exists()


def test_variables_that_point_elsewhere_are_not_inherited(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repo(repo.path.parent / "other")
    other.commit()
    repo.write("a.py", "one\n")
    repo.commit()
    for key in ("GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(key, str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert [file.path for file in change(repo).files] == ["a.py"]
    assert change(repo, None, "staged").files == ()


def test_a_replaced_object_does_not_stand_in_for_the_real_one(repo: Repo) -> None:
    repo.write("a.py", "real\n")
    repo.commit()
    fake = repo.git("hash-object", "-w", "--stdin", stdin=b"fake\n")
    repo.git("replace", repo.git("rev-parse", "HEAD:a.py"), fake)
    assert both(repo, ["a.py"])[1].files["a.py"].content == "real\n"


def test_a_git_that_fails_in_the_middle_does_not_pass_for_a_whole_change(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo.write("a.py", "one\n2\nthree\n")
    repo.commit()
    source = opened(repo)
    found = repo.git("--exec-path")
    path = f"PATH={ENV['PATH']}:{found}"
    script = f'#!/bin/sh\n{path}\ngit "$@" | head -c 260\necho "fatal: disk on fire" >&2\nexit 128\n'
    repo.write("../bin/git", script, 0o755)
    with pytest.raises(UsageError, match="git diff-tree failed: disk on fire"):
        replace(source, git=source.git.told({"PATH": f"{tmp_path / 'bin'}:{ENV['PATH']}"})).change(
            lambda _: True
        )


def test_the_clean_environment_names_everything_that_git_calls_local(repo: Repo) -> None:
    names = set(repo.git("rev-parse", "--local-env-vars").split())
    configuration = {name for name in names if name.startswith("GIT_CONFIG_")}
    assert names - configuration - git.POINTERS <= {"GIT_NO_REPLACE_OBJECTS", "GIT_INTERNAL_SUPER_PREFIX"}


def test_a_repository_of_somebody_else_is_refused_with_gits_own_remedy(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(UsageError, match=rf"another user; .*--add safe\.directory {repo.path}"):
        opened(repo)
    (tmp_path / "config").write_text(f"[safe]\ndirectory = {repo.path}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    assert opened(repo).change(lambda _: True).files == ()


def test_a_missing_and_an_old_git_are_named(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"git cannot be started: .*; install git 2\.32"):
        opened(repo)
    repo.write("../git", "#!/bin/sh\necho git version 2.20.1\n", 0o755)
    with pytest.raises(UsageError, match=r"git version 2\.20\.1 is too old; git 2\.32 or newer is needed"):
        opened(repo)


def test_a_partial_clone_that_lacks_the_objects_says_how_to_get_them(repo: Repo, tmp_path: Path) -> None:
    repo.write("a.py", "new\n")
    repo.commit()
    repo.git("config", "uploadpack.allowFilter", "true")
    target = tmp_path / "partial"
    repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{repo.path}", str(target))
    with pytest.raises(UsageError, match="partial clone lacks objects of the change; get them: git fetch"):
        LocalSource.open(str(target), "origin/main").change(lambda _: True)
