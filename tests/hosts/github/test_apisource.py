"""A pull request read by the API alone: the same as by git, and what GitHub hides is named."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.skill.discovery import NOWHERE, SKILL_FOLDERS, Fault, search
from reviewbot.core.types import Change, FileChange, Review, Side, Status
from reviewbot.hosts.commitfolders import CommitFolders
from reviewbot.hosts.github import reading
from reviewbot.hosts.github.apifolders import ApiFolders, ApiTree, Blobs
from reviewbot.hosts.github.apisource import NO_PATCH, NOT_LISTED, ApiLibrary, ApiSource
from reviewbot.hosts.github.client import Access, Client
from reviewbot.hosts.local import LocalSource
from reviewbot.pipeline import review
from reviewbot.wiring.prepare import prepare
from tests.fakes.github import FakeGitHub, FakePull, fake_github
from tests.fakes.github import Fault as Trouble
from tests.repos import Repo

HOLE = '#!/bin/bash\nwhile [ $# -gt 0 ]; do\n  case "$1" in\n    --out) out="$2"; shift 2 ;;\n  esac\ndone\n'


def launcher(repo: Repo) -> None:
    repo.write("a.sh", "one\n")
    repo.write("run", HOLE)
    repo.write("old.sh", HOLE * 3)
    repo.write("mode.sh", "echo\n", 0o644)
    repo.write("gone.sh", "echo\n")
    repo.write("to-link", "a.sh\n")
    repo.link("to-file", "a.sh")
    repo.write("gen.sh", HOLE)
    repo.write("no-end.sh", "a\nb")
    repo.write("crlf.sh", "a\r\nb\r\n")
    repo.write("image.png", b"\x89PNG\0\1")
    repo.write("sub/deep/b.py", "x = 1\n")
    repo.write(".gitattributes", "gen.sh linguist-generated\n")
    repo.write("sub/.gitattributes", "*.txt linguist-vendored\n")
    repo.write(".github/instructions/all/x.instructions.md", "Be kind.\n")
    repo.write("REVIEW.md", "Look twice.\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "work")
    repo.write("a.sh", HOLE)
    repo.write("run", HOLE + "echo\n")
    repo.git("mv", "old.sh", "new.sh")
    repo.write("new.sh", HOLE * 3 + "echo end\n")
    repo.git("mv", "sub/deep/b.py", "sub/c.py")
    repo.file("mode.sh").chmod(0o755)
    repo.rm("gone.sh")
    repo.rm("to-link")
    repo.link("to-link", "a.sh")
    repo.rm("to-file")
    repo.write("to-file", "text\n")
    repo.write("gen.sh", HOLE + HOLE)
    repo.write("no-end.sh", "a\nc")
    repo.write("crlf.sh", "a\r\nc\r\n")
    repo.write("image.png", b"\x89PNG\0\2")
    repo.write("sub/empty.sh", "")
    repo.write("latin.sh", b"echo \xe9\n")
    repo.write("new\nline.sh", HOLE)
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD')},module")
    repo.git("add", "-A", "-f", "--", ".", ":!module")
    repo.git("commit", "-q", "-m", "head")


@dataclass
class Served:
    repo: Repo
    fake: FakeGitHub
    pull: FakePull
    client: Client

    def read(self) -> ApiSource:
        pull = reading.pull(self.client, "acme/launcher", 7)
        return ApiSource.open(self.client, pull, reading.merge_base(self.client, pull), "no way through")

    def local(self) -> LocalSource:
        return LocalSource.open(str(self.repo.path), "main")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeGitHub]:
    with fake_github(tmp_path / "github") as fake:
        yield fake


def serve(repo: Repo, fake: FakeGitHub) -> Served:
    pull = fake.repository(repo.path).pull(7, "work")
    return Served(repo, fake, pull, Client(Access(fake.url, fake.server, fake.token)))


@pytest.fixture
def served(repo: Repo, fake: FakeGitHub) -> Served:
    launcher(repo)
    return serve(repo, fake)


def by_path(change: Change) -> dict[str, FileChange]:
    return {file.path: file for file in change.files}


def told(change: Change) -> dict[str, FileChange]:
    """JSON holds no byte that is not UTF-8; a file with one is unread all the same."""
    files = by_path(change)
    return files | {"latin.sh": files["latin.sh"]._replace(hunks=())}


def test_the_change_is_the_one_that_git_tells(served: Served) -> None:
    own, git = served.read().change(lambda file: True), served.local().change(lambda file: True)
    assert told(own) == told(git)
    assert {file.status for file in own.files} == set(Status) - {Status.COPIED}
    assert (own.base, own.head, own.label) == (git.base, git.head, "acme/launcher#7")
    assert own.attributes == git.attributes
    assert own.notes == ("read by GitHub's API, file by file: no way through",)


def test_only_what_is_wanted_has_hunks(served: Served) -> None:
    change = served.read().change(lambda file: file.path == "a.sh")
    assert [file.path for file in change.files if file.hunks] == ["a.sh"]


@pytest.mark.parametrize("side", Side)
def test_the_texts_are_those_that_git_tells(served: Served, side: Side) -> None:
    own, git = served.read(), served.local()
    change = git.change(lambda file: True)
    paths = [*by_path(change), "REVIEW.md"]
    found = own.read(own.change(lambda file: True), side, paths)
    expected = git.read(change, side, paths)
    assert found.files == expected.files
    assert found.unread == expected.unread


def test_guidance_and_configuration_at_base(served: Served) -> None:
    asked = (["REVIEW.md", "nope", "a.sh", "sub"], [".github/instructions", "nowhere"])
    found = served.read().base_files(*asked)
    assert found == served.local().base_files(*asked)
    assert len(found) == 3


def reviewed(source: Any) -> Review:
    with ExitStack() as closing:
        prepared = prepare(DiffOptions(cwd=os.devnull), source, closing)
        return review(prepared.skills, prepared.tools)


def test_the_findings_are_those_of_git(served: Served) -> None:
    own, git = reviewed(served.read()), reviewed(served.local())
    assert own.findings == git.findings
    assert own.findings
    assert own.incomplete == git.incomplete
    assert own.checked == git.checked


def test_a_library_knows_files_and_does_not_search(served: Served) -> None:
    library = ApiLibrary(served.read())
    text = library.text(Side.LEFT, "old.sh")
    assert text
    assert text.content == HOLE * 3
    assert [library.text(Side.RIGHT, path) for path in ("old.sh", "image.png", "sub", "to-link")] == [
        None
    ] * 4
    for ask in (lambda: library.search(Side.RIGHT, "x"), lambda: library.paths(Side.LEFT)):
        with pytest.raises(UsageError, match="git does not reach the repository"):
            ask()


# --- what GitHub hides --------------------------------------------------------------------


class Told:
    """A client that answers from GitHub, with some answers changed."""

    def __init__(self, client: Client, rows: Any = None, trees: Any = None) -> None:
        self.client = client
        self.rows = rows or (lambda rows: rows)
        self.trees = trees or (lambda path, tree: tree)
        self.asked: list[str] = []

    def get(self, path: str, **query: str | int) -> Any:
        self.asked.append(path)
        answer = self.client.get(path, **query)
        return self.trees(query, answer) if "/git/trees/" in path else answer

    def pages(self, path: str, most: int) -> list[Any]:
        return self.rows(self.client.pages(path, most))


def retold(served: Served, **changes: Any) -> tuple[ApiSource, Told]:
    own = served.read()
    told = Told(served.client, **changes)
    return ApiSource.open(told, own.pull, own.base, own.why), told


def without_patch(path: str) -> Any:
    def drop(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{k: v for k, v in row.items() if row["filename"] != path or k != "patch"} for row in rows]

    return drop


def test_a_diff_that_github_does_not_show_makes_the_review_incomplete(served: Served) -> None:
    source, _ = retold(served, rows=without_patch("a.sh"))
    change = source.change(lambda file: True)
    assert by_path(change)["a.sh"].unread == NO_PATCH
    assert source.read(change, Side.RIGHT, ["a.sh"]).unread == {"a.sh": NO_PATCH}
    incomplete = reviewed(retold(served, rows=without_patch("a.sh"))[0]).incomplete
    assert ("scope", "a.sh", NO_PATCH) in incomplete


def half(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**row, "patch": row["patch"][: len(row["patch"]) // 2]} if "patch" in row else row for row in rows
    ]


def fewer_hunks(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "additions": row["additions"] + 1} for row in rows]


@pytest.mark.parametrize("rows", [half, fewer_hunks])
def test_a_diff_that_is_cut_is_not_taken_for_a_whole_one(served: Served, rows: Any) -> None:
    file = by_path(retold(served, rows=rows)[0].change(lambda file: True))["a.sh"]
    assert (file.hunks, file.unread) == ((), "GitHub shows only a part of its diff")


def test_files_that_github_does_not_list_are_named(served: Served) -> None:
    hidden = {"a.sh", "new.sh", "gone.sh", "image.png"}

    def drop(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [row for row in rows if row["filename"] not in hidden]

    source, _ = retold(served, rows=drop)
    change = source.change(lambda file: file.path.endswith(".sh"))
    files = by_path(change)
    assert {path for path, file in files.items() if file.unread} == {"a.sh", "new.sh", "old.sh", "gone.sh"}
    assert files["image.png"].status is Status.MODIFIED
    assert [files[p].status for p in ("new.sh", "old.sh")] == [Status.ADDED, Status.DELETED]
    assert change.notes[1] == f"5 of {len(files)} changed files were not read: {NOT_LISTED}"
    assert ("scope", "a.sh", NOT_LISTED) in reviewed(source).incomplete


def truncated(query: Mapping[str, Any], tree: dict[str, Any]) -> dict[str, Any]:
    return {**tree, "truncated": True, "tree": tree["tree"][:1]} if "recursive" in query else tree


def test_a_tree_that_is_too_large_is_read_folder_by_folder(served: Served) -> None:
    source, client = retold(served, trees=truncated)
    change = source.change(lambda file: True)
    assert told(change) == told(served.local().change(lambda file: True))
    assert len(client.asked) == len(set(client.asked)) + 2  # the two tops, with and without what is below
    more = replace(source, pull=source.pull._replace(changed_files=5_000))
    with pytest.raises(UsageError, match="no more than 3,000 of a pull request, and not all of its tree"):
        more.change(lambda file: True)


def test_a_folder_that_is_too_large_is_an_error(served: Served) -> None:
    source, _ = retold(served, trees=lambda query, tree: {**tree, "truncated": True})
    with pytest.raises(UsageError, match="has more files than GitHub lists"):
        source.change(lambda file: True)


def test_a_head_that_moves_meanwhile(served: Served) -> None:
    source = served.read()
    served.repo.write("a.sh", "moved\n")
    served.repo.git("commit", "-q", "-m", "more", "a.sh")
    served.repo.git("push", "-q", str(served.pull.repository.path), "work")
    with pytest.raises(UsageError, match="moved on while it was read"):
        source.change(lambda file: True)


def test_a_file_past_the_limit_is_not_fetched(served: Served) -> None:
    source, client = retold(served)
    source = replace(source, limit=20)
    change = source.change(lambda file: True)
    assert source.read(change, Side.RIGHT, ["a.sh"]).unread == {"a.sh": "94 bytes, the limit is 20 bytes"}
    blob = by_path(change)["a.sh"].new_blob
    assert blob
    assert not any(blob in path for path in client.asked)


def test_a_file_that_github_does_not_give_is_named(served: Served) -> None:
    source = served.read()
    git = by_path(served.local().change(lambda file: True))
    ids = [id for path in ("image.png", "to-file", "a.sh") for id in (git[path].old_blob, git[path].new_blob)]
    served.fake.faults = [Trouble("GET", f".*/git/blobs/{id}", status=404, times=-1) for id in ids]
    change = source.change(lambda file: True)
    assert by_path(change)["image.png"].unread == NO_PATCH
    assert by_path(change)["to-file"].unread.startswith(
        "GitHub does not give it: GET /repos/acme/launcher/git"
    )
    unread = source.read(change, Side.RIGHT, ["a.sh"]).unread
    assert unread["a.sh"].startswith("GitHub does not give it: GET /repos/acme/launcher/git/blobs/")


def test_a_path_that_no_checkout_would_accept(served: Served) -> None:
    source, _ = retold(served, rows=lambda rows: [{**rows[0], "filename": "../x"}])
    with pytest.raises(UsageError, match="no checkout would accept"):
        source.change(lambda file: True)


# --- the folders at base ------------------------------------------------------------------


def linked(repo: Repo) -> None:
    repo.write("all/own/SKILL.md", "s\n")
    repo.write("all/own/rules/r.yml", "r\n")
    repo.write("all/big.md", "x" * 300_000)
    repo.link(".claude/skills", "../all")
    repo.link(".agents/skills/own", "./../../all/./own")
    repo.link(".agents/skills/out", "../../../x")
    repo.link(".agents/skills/root", "/etc")
    repo.link(".agents/skills/nowhere", "no/such")
    repo.link(".agents/skills/loop", "loop")
    repo.link(".agents/skills/up", "..")
    repo.link(".agents/skills/top", "../..")
    repo.link(".agents/skills/file.md", "../../all/own/SKILL.md")
    repo.link(".agents/skills/through", "../../.claude/skills/own/../own/rules")
    repo.link(".agents/skills/notdir", "../../all/big.md/x")
    repo.git("add", "-A", "-f", ".")
    repo.git("commit", "-q", "-m", "files")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD')},skills/sub")
    repo.git("commit", "-q", "-m", "submodule")
    repo.git("checkout", "-q", "-b", "work")
    repo.write("a.sh", "x\n")
    repo.git("add", "a.sh")
    repo.git("commit", "-q", "-m", "head")


def places(repo: Repo, fake: FakeGitHub) -> tuple[ApiFolders, CommitFolders]:
    linked(repo)
    served = serve(repo, fake)
    local = served.local()
    return served.read().place, CommitFolders(local.git, local.base)


def coarse(entries: Any) -> Any:
    """Why a link leads nowhere is told in each one's own words."""
    return entries.code if isinstance(entries, Fault) else entries


def test_folders_are_those_that_git_tells(repo: Repo, fake: FakeGitHub) -> None:
    own, git = places(repo, fake)
    folders = ["", "all", "all/own", ".agents/skills", ".claude/skills", ".claude/skills/own", "skills"]
    folders += [".agents/skills/own", ".agents/skills/through", "nowhere", "a.sh", ".agents/skills/file.md"]
    for folder, found, expected in zip(folders, own.entries(folders), git.entries(folders), strict=True):
        assert not isinstance(found, Fault)
        assert not isinstance(expected, Fault)
        assert {n: coarse(e) for n, e in found.items()} == {n: coarse(e) for n, e in expected.items()}, folder
    skills = dict(own.entries([".agents/skills"])[0])  # type: ignore[arg-type]
    assert skills["loop"] == skills["nowhere"] == NOWHERE
    assert skills["out"] == Fault(
        "S010", "a link out of the repository, to .agents/skills/out; it is not followed"
    )


def test_files_are_those_that_git_tells(repo: Repo, fake: FakeGitHub) -> None:
    own, git = places(repo, fake)
    paths = [
        "all/own/SKILL.md",
        ".claude/skills/own/SKILL.md",
        ".agents/skills/own/rules/r.yml",
        "all/big.md",
    ]
    paths += [".agents/skills/file.md", ".agents/skills/through/r.yml"]
    found = own.read(paths)
    assert found == git.read(paths)
    assert len(found[3]) == 256 * 1024 + 1
    faults = own.read(
        ["nope", "all", ".agents/skills/loop", ".agents/skills/out", "skills/sub", "all/big.md/x"]
    )
    assert all(isinstance(fault, Fault) for fault in faults)


def test_skills_are_found_as_git_finds_them(repo: Repo, fake: FakeGitHub) -> None:
    own, git = places(repo, fake)
    found, expected = search(own, SKILL_FOLDERS), search(git, SKILL_FOLDERS)
    assert found.skills == expected.skills
    assert found.skills
    assert [(d.path, d.code) for d in found.missed] == [(d.path, d.code) for d in expected.missed]


@dataclass
class Canned:
    answers: Mapping[str, Any]
    asked: list[str] = field(default_factory=list)

    def get(self, path: str, **query: str | int) -> Any:
        self.asked.append(path)
        return self.answers[path]

    def pages(self, path: str, most: int) -> list[Any]:
        return []


def test_a_blob_is_fetched_once_and_must_be_readable() -> None:
    place = "/repos/acme/launcher/git/blobs/"
    good = {"encoding": "base64", "content": base64.encodebytes(b"x" * 100).decode()}
    canned = Canned({f"{place}1": good, f"{place}2": {"encoding": "none"}, f"{place}3": {}})
    blobs = Blobs(canned, "acme/launcher")
    assert blobs.content("1") == blobs.content("1") == b"x" * 100
    assert len(canned.asked) == 1
    with pytest.raises(UsageError, match="gives the blob 2 as 'none'"):
        blobs.content("2")
    with pytest.raises(UsageError, match="the blob 3 cannot be read"):
        blobs.content("3")


def test_a_tree_without_a_file() -> None:
    canned = Canned({"/repos/a/b/git/trees/1": {"sha": "2", "truncated": False, "tree": []}})
    tree = ApiTree(canned, "a/b", "1")
    assert (tree.names(""), tree.names("x"), tree.row("x"), tree.files(), tree.top) == (
        {},
        None,
        None,
        {},
        "2",
    )
    assert len(canned.asked) == 1


# --- what is no answer of GitHub's ------------------------------------------------------------

FORMS: list[Any] = [[{}], [7], [None], [{"filename": 7, "status": "added", "sha": ""}]]
TREES: list[Any] = [[], {}, {"sha": "", "truncated": False, "tree": [{}]}, {"truncated": False, "tree": 7}]


@pytest.mark.parametrize("body", FORMS)
def test_a_list_of_files_of_another_form_is_no_crash(served: Served, body: Any) -> None:
    source = served.read()
    served.fake.faults.append(Trouble("GET", r".*/pulls/7/files", 200, body=body))
    with pytest.raises(UsageError, match="the list of files: this is no answer of GitHub's"):
        source.change(lambda file: True)


@pytest.mark.parametrize("body", TREES)
def test_a_tree_of_another_form_is_no_crash(served: Served, body: Any) -> None:
    source = served.read()
    served.fake.faults.append(Trouble("GET", r".*/git/trees/.*", 200, body=body))
    with pytest.raises(UsageError, match="a tree: this is no answer of GitHub's"):
        source.trees[Side.LEFT].files()


@pytest.mark.parametrize(
    "body", [[], {}, {"encoding": "base64", "content": "\u00e4"}, {"encoding": "base64"}]
)
def test_a_file_of_another_form_is_no_crash(served: Served, body: Any) -> None:
    served.fake.faults.append(Trouble("GET", r".*/git/blobs/.*", 200, body=body))
    with pytest.raises(UsageError, match="the blob 00 cannot be read"):
        served.read().blobs.content("00")
