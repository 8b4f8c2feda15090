"""Folders of a commit and of a disk look the same, and nothing outside of them is read through a link."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from reviewbot.core.skill.discovery import Fault, Place, search
from reviewbot.core.skill.text import MAX_BYTES
from reviewbot.hosts.commitfolders import LISTED, CommitFolders
from reviewbot.hosts.diskfolders import DiskFolders
from reviewbot.hosts.git import Git
from tests.repos import Repo

PRIVATE = "a line that only this machine knows\n"


@pytest.fixture
def repo(nobodys_machine: None, tmp_path: Path) -> Repo:
    """Skills as files, behind links of every kind, and links that must not be followed."""
    (tmp_path / "private").write_text(PRIVATE)
    repo = Repo(tmp_path / "repo")
    repo.write("review/shared/SKILL.md", "shared\n")
    repo.write("review/shared/rules/a.yml", "rule\n")
    repo.write(".agents/skills/plain/SKILL.md", "plain\n")
    repo.link(".claude/skills/shared", "../../review/shared")
    repo.link(".claude/skills/chain", "./shared")
    repo.link(".claude/skills/file/SKILL.md", "../../../review/shared/SKILL.md")
    repo.link(".claude/skills/away", "../../../away")
    repo.link(".claude/skills/password/SKILL.md", str(tmp_path / "private"))
    repo.link(".claude/skills/dead", "nothing")
    repo.link(".claude/skills/circle", "circle")
    repo.link(".claude/skills/self", ".")
    repo.link(".claude/skills/up/top", "../../..")
    repo.link(".claude/skills/left/right", "../right")
    repo.link(".claude/skills/right/left", "../left")
    repo.link("skills", "./.agents/./skills")
    repo.commit()
    return repo


def places(repo: Repo) -> list[Place]:
    git = Git.open(str(repo.path))
    disk = DiskFolders(str(repo.path), os.path.realpath(repo.path))
    return [CommitFolders(git, repo.git("rev-parse", "HEAD")), disk]


def faults(place: Place, folder: str) -> dict[str, str]:
    (entries,) = place.entries([folder])
    assert not isinstance(entries, Fault)
    return {name: entry.code for name, entry in entries.items() if isinstance(entry, Fault)}


def test_a_commit_and_a_disk_hold_the_same_skills(repo: Repo) -> None:
    found = [search(place, (".agents/skills", ".claude/skills", "skills")) for place in places(repo)]
    assert found[0].skills == found[1].skills
    assert [(d.path, d.code) for d in found[0].missed] == [(d.path, d.code) for d in found[1].missed]
    contents = [place.read([s.path for s in found[0].skills]) for place in places(repo)]
    assert contents[0] == contents[1]
    assert dict(zip((s.path for s in found[0].skills), contents[0], strict=True)) == {
        ".agents/skills/plain/SKILL.md": b"plain\n",
        ".claude/skills/chain/SKILL.md": b"shared\n",
        ".claude/skills/file/SKILL.md": b"shared\n",
        ".claude/skills/shared/SKILL.md": b"shared\n",
        "skills/plain/SKILL.md": b"plain\n",
    }


def test_links_out_and_to_nowhere_are_faults(repo: Repo) -> None:
    for place in places(repo):
        assert faults(place, ".claude/skills") == dict.fromkeys(("away", "dead", "circle"), "S010")
        assert faults(place, ".claude/skills/password") == {"SKILL.md": "S010"}


def test_nothing_is_read_through_a_link_out(repo: Repo) -> None:
    paths = [".claude/skills/password/SKILL.md", ".claude/skills/away/x", ".claude/skills/dead"]
    for place in places(repo):
        assert [isinstance(content, Fault) for content in place.read(paths)] == [True] * 3


def test_a_root_that_is_a_link_out_is_a_fault(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside/x").mkdir(parents=True)
    (tmp_path / "outside/x/SKILL.md").write_text(PRIVATE)
    repo.link(".reviewbot", "../outside")
    repo.commit()
    for place in places(repo):
        search_ = search(place, (".reviewbot", ".reviewbot/x"))
        assert search_.skills == ()
        assert {d.code for d in search_.missed} == {"S010"}


def test_what_is_not_there_is_empty(repo: Repo) -> None:
    for place in places(repo):
        assert place.entries(["nothing", "review/shared/SKILL.md", "review/shared/SKILL.md/x"]) == [
            {},
            {},
            {},
        ]
        assert [isinstance(c, Fault) for c in place.read(["nothing", "review"])] == [True, True]


def test_names_that_are_no_utf8_and_have_line_ends(repo: Repo) -> None:
    repo.write(b"caf\xe9/a\nb/SKILL.md", "x\n")
    repo.write(b"caf\xe9/c/SKILL.md", "y\n")
    repo.commit()
    commit, disk = places(repo)
    assert [s.path for s in search(disk, ("caf\udce9",)).skills] == [
        "caf\udce9/a\nb/SKILL.md",
        "caf\udce9/c/SKILL.md",
    ]
    found = search(commit, ("caf\udce9",))
    assert [s.path for s in found.skills] == ["caf\udce9/c/SKILL.md"]
    assert [(d.path, d.code) for d in found.missed] == [("caf\udce9/a\nb/SKILL.md", "S001")]


def test_a_submodule_of_a_commit_is_a_fault(repo: Repo) -> None:
    commit = repo.git("rev-parse", "HEAD")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},.agents/skills/module")
    repo.git("commit", "-q", "-m", "module")
    assert faults(places(repo)[0], ".agents/skills") == {"module": "S010"}


def test_files_are_cut_behind_the_limit(repo: Repo) -> None:
    repo.write("big", b"x" * (MAX_BYTES + 10))
    repo.commit()
    for place in places(repo):
        assert place.read(["big"]) == [b"x" * (MAX_BYTES + 1)]


def test_a_repository_of_sha256_is_read(nobodys_machine: None, tmp_path: Path) -> None:
    repo = Repo(tmp_path / "long", "--object-format=sha256")
    repo.write("a/b/SKILL.md", "x\n")
    repo.write("a/c", "y\n")
    repo.commit()
    place = places(repo)[0]
    assert place.entries(["a", "a/b"]) == [{"b": "folder", "c": "file"}, {"SKILL.md": "file"}]
    assert place.read(["a/b/SKILL.md"]) == [b"x\n"]


def test_a_folder_of_too_many_names_is_a_fault(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviewbot.hosts.commitfolders.LISTED", 100)
    for number in range(10):
        repo.write(f"many/{number}", "x\n")
    repo.commit()
    assert places(repo)[0].entries(["many"]) == [Fault("S001", "a folder of too many files")]
    assert LISTED > 1_000_000


def test_pipes_sockets_and_locked_files_hold_nobody(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = places(repo)[1]
    folder = repo.path / "odd"
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "device").symlink_to("/dev/zero")
    monkeypatch.chdir(folder)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind("socket")
        assert faults(disk, "odd") == {"pipe": "S001", "socket": "S001", "device": "S010"}
        contents = disk.read(["odd/pipe", "odd/socket", "odd/device"])
    assert [content.code for content in contents if isinstance(content, Fault)] == ["S001", "S001", "S010"]


@pytest.mark.parametrize("path", ["skills/x", "../repo/skills/x", "/absolute"])
def test_paths_start_where_somebody_stands(tmp_path: Path, path: str) -> None:
    top = tmp_path / "repo"
    (top / "skills/x").mkdir(parents=True)
    (top / "skills/x/SKILL.md").write_text("x\n")
    named = str(top / "skills/x") if path == "/absolute" else path
    disk = DiskFolders(str(top), os.path.realpath(top))
    assert disk.entries([named]) == [{"SKILL.md": "file"}]
    assert disk.read([f"{named}/SKILL.md"]) == [b"x\n"]
    assert disk.entries([str(tmp_path)])[0] == Fault(
        "S010", f"a link out of {top}, to {tmp_path}; it is not followed"
    )
