"""A pull request's commits by git, from a server that serves real repositories."""

from __future__ import annotations

import base64
import os
import random
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.report import document
from reviewbot.core.types import Side
from reviewbot.hosts.commitfolders import CommitFolders
from reviewbot.hosts.github import clone, kept, remote
from reviewbot.hosts.github.partial import PartialGit
from reviewbot.hosts.library import GitLibrary
from reviewbot.hosts.local import LocalSource
from reviewbot.hosts.running import Bounds
from reviewbot.hosts.wholetree import whole_tree
from reviewbot.pipeline import review
from reviewbot.wiring.prepare import prepare
from tests.fakes.github import FakeGitHub, FakeRepository, Fault, fake_github
from tests.repos import ENV, Repo

SKILL = """\
---
name: own
description: Review by gates.
---
# Own

## Defect classes

1. **An argument hole.** A flag without its value ends the run. Fix: look first.

## Gates

```bash gate
./check.sh
```
"""
HOLE = '#!/bin/bash\nwhile [ $# -gt 0 ]; do\n  case "$1" in\n    --out) out="$2"; shift 2 ;;\n  esac\ndone\n'


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeGitHub]:
    with fake_github(tmp_path / "github") as fake:
        yield fake


class Served:
    """acme/launcher, private, with the pull request 7 of the branch `work`."""

    def __init__(self, fake: FakeGitHub, folder: Path) -> None:
        self.fake = fake
        self.clones = str(folder / "clones")
        self.repo = repo = Repo(folder / "repo")
        repo.write("a.sh", "one\n")
        repo.write("far/untouched", "kept\n")
        repo.link("link", "far/untouched")
        self.base = repo.commit("base")
        repo.git("checkout", "-q", "-b", "work")
        repo.write("a.sh", "two\n")
        self.head = repo.commit("head")
        self.remote: FakeRepository | None = None

    def publish(self, name: str = "acme/launcher") -> FakeRepository:
        self.remote = self.fake.repository(self.repo.path, name, private=True)
        self.remote.pull(7, "work")
        return self.remote

    def opened(self, *commits: str, **more: object) -> AbstractContextManager[PartialGit]:
        """Publishes what there is when it is first asked."""
        repository = self.remote or self.publish()
        url, token = f"{self.fake.server}/{repository.name}.git", str(more.pop("token", self.fake.token))
        folder = str(more.pop("folder", self.clones))
        wanted = commits or (self.base, self.head)
        return clone.opened(url, token, wanted, 7, folder, **more)  # type: ignore[arg-type]

    @property
    def packs(self) -> int:
        """How often objects were sent."""
        return sum(one.method == "POST" for one in self.fake.git_log)


@pytest.fixture
def served(fake: FakeGitHub, tmp_path: Path) -> Served:
    return Served(fake, tmp_path)


def text(git: PartialGit, name: str) -> bytes:
    [blob] = git.blobs([name.encode()], 20_000)
    assert blob
    return blob.content


def everything(git: PartialGit) -> list[str]:
    """The kinds of all objects that are here."""
    return git.ask("cat-file", "--batch-all-objects", "--batch-check=%(objecttype)").decode().split()


# --- what comes ---------------------------------------------------------------------------


def test_only_what_a_review_reads_comes_in_two_requests(served: Served) -> None:
    with served.opened() as git:
        assert served.packs == 2
        assert everything(git).count("blob") == 3  # both sides of a.sh, and the link
        assert clone.source(git, served.base, served.head, "x").change(lambda file: True).files[0].hunks
        assert served.packs == 2


def test_a_second_run_asks_for_nothing(served: Served) -> None:
    with served.opened() as git:
        text(git, f"{served.base}:far/untouched")
    asked = len(served.fake.git_log)
    with served.opened() as git:
        assert text(git, f"{served.base}:far/untouched") == b"kept\n"
    assert len(served.fake.git_log) == asked


def test_of_a_further_push_only_the_trees_that_differ_come(served: Served) -> None:
    for number in range(30):
        served.repo.write(f"folder{number}/x", f"{number}\n")
    served.base = served.head = served.repo.commit("wide")
    with served.opened() as git:
        before = everything(git).count("tree")
    served.repo.write("folder3/x", "new\n")
    served.head = served.repo.commit("further")
    served.repo.git("push", "-q", "-f", str(served.fake.repositories["acme/launcher"].path), "work")
    with served.opened() as git:
        assert text(git, f"{served.head}:folder3/x") == b"new\n"
        assert text(git, f"{served.head}:folder9/x") == b"9\n"
        sent = [
            git.ask("verify-pack", "-v", name)
            for name in map(str, Path(git.folder).glob("objects/pack/*.idx"))
        ]
        # The top and the folder; and again what one of them was sent as the difference from.
        assert sum(pack.count(b" tree ") for pack in sent) in range(before + 2, before + 5)


def test_what_else_is_read_comes_at_once_and_through_links(served: Served) -> None:
    for number in range(20):
        served.repo.write(f"more/{number}", f"{number}\n")
    served.repo.link("away", "more")
    served.repo.link("more/up", "./../far/untouched")
    served.base = served.head = served.repo.commit("more")
    with served.opened() as git:
        asked = served.packs
        paths = [*(f"away/{number}" for number in range(20)), "link", "away/up", "nowhere"]
        read = CommitFolders(git, served.base).read(paths)
        assert read[:-1] == [*(b"%d\n" % number for number in range(20)), b"kept\n", b"kept\n"]
        assert served.packs == asked + 1


def test_a_fork_whose_branch_is_gone_and_a_head_that_was_replaced(served: Served, tmp_path: Path) -> None:
    repository = served.publish()
    fork = served.fake.repository(served.repo.path, "octo/launcher")
    served.repo.write("a.sh", "by the fork\n")
    head = served.repo.commit("fork")
    served.repo.git("push", "-q", str(fork.path), f"{head}:refs/heads/patch")
    pull = repository.pull(8, "patch", fork=fork)
    assert pull.head_sha == head
    served.repo.git("push", "-q", str(fork.path), ":patch")
    with served.opened(served.base, head) as git:
        assert text(git, f"{head}:a.sh") == b"by the fork\n"
    served.repo.git("push", "-q", "-f", str(repository.path), f"{served.base}:work")
    with served.opened(folder=tmp_path / "other") as git:
        assert text(git, f"{served.head}:a.sh") == b"two\n"


def test_a_head_that_is_known_late_is_found_as_that_of_the_pull_request(served: Served) -> None:
    repository = served.publish()
    served.repo.write("a.sh", "late\n")
    head = served.repo.commit("late")
    push = ("push", "-q", str(repository.path), f"{head}:refs/heads/work")
    served.fake.faults = [
        Fault("GET", "git:.*", status=0, times=3),  # for both, for the base, for the head
        Fault("GET", "git:.*", status=0, then=lambda: served.repo.git(*push) and None),
    ]
    with served.opened(served.base, head) as git:
        assert text(git, f"{head}:a.sh") == b"late\n"


def test_a_commit_that_is_nowhere_is_named(served: Served) -> None:
    with pytest.raises(clone.Gone, match=r"has no commit 1{40}; the pull request has moved on"):
        served.opened(served.base, "1" * 40).__enter__()
    with pytest.raises(UsageError, match="'--upload-pack=x' is no id of a commit"):
        served.opened(served.base, "--upload-pack=x").__enter__()


def test_a_path_with_a_line_end(served: Served) -> None:
    served.repo.write("new\nline", "x\n")
    served.head = served.repo.commit()
    with served.opened() as git:
        source = clone.source(git, served.base, served.head, "x")
        change = source.change(lambda file: True)
        assert source.read(change, Side.RIGHT, ["new\nline"]).files["new\nline"].content == "x\n"


# --- the same as on a whole clone ---------------------------------------------------------


def launcher(repo: Repo) -> tuple[str, str]:
    """A base with a skill behind links, settings, attributes and guidance; a head that touches all of it."""
    repo.write("skills-of-all/own/SKILL.md", SKILL)
    repo.write("skills-of-all/own/references/more.md", "more\n")
    repo.link(".claude/skills", "../skills-of-all")
    repo.link(".agents/skills/own", "./../../skills-of-all/own")
    repo.write(".reviewbot/config.toml", "[gates]\ncache = false\n")
    repo.write(".gitattributes", "gen.sh linguist-generated\n")
    repo.write("sub/.gitattributes", "*.txt linguist-vendored\n")
    repo.write("AGENTS.md", "Be kind.\n")
    repo.write("check.sh", "#!/bin/bash\ncat far/untouched sub/t.txt\ngrep -q two a.sh\n", 0o755)
    repo.write("sub/t.txt", "t\n")
    repo.write("old.sh", HOLE)
    repo.write("gen.sh", HOLE)
    base = repo.commit("base")
    repo.git("mv", "old.sh", "new.sh")
    repo.write("new.sh", HOLE + "echo end\n")
    repo.write("gen.sh", HOLE + "echo\n")
    repo.write("sub/u.sh", HOLE)
    repo.write("a.sh", "three\n")
    return base, repo.commit("head")


def reviewed(source: LocalSource) -> str:
    with ExitStack() as closing:
        prepared = prepare(DiffOptions(cwd=os.devnull), source, closing)
        made = document.render(review(prepared.skills, prepared.tools))
    return re.sub(r'"seconds": [0-9.]+', "", made)


def test_the_review_is_that_of_a_whole_clone(served: Served) -> None:
    base, head = launcher(served.repo)
    whole = LocalSource.open(str(served.repo.path), base, head=head)
    served.base, served.head = base, head
    with served.opened() as git:
        source = clone.source(git, base, head, whole.label)
        assert source.change(lambda file: True) == whole.change(lambda file: True)
        made = reviewed(source)
        assert made == reviewed(whole)
        assert '"kept\\nt"' in made  # what the gate found in files that did not change
        for side in Side:
            assert list(whole_tree(source, side)) == list(whole_tree(whole, side))


def test_a_search_fetches_the_tree_once_and_finds_what_is_there(served: Served) -> None:
    base, head = launcher(served.repo)
    served.base, served.head = base, head
    whole = GitLibrary(LocalSource.open(str(served.repo.path), base, head=head))
    with served.opened() as git:
        library = GitLibrary(clone.source(git, base, head, "x"))
        asked = served.packs
        for words in ("kept", "shift 2", "nowhere"):
            for side in Side:
                assert library.search(side, words) == whole.search(side, words)
        assert library.text(Side.RIGHT, "far/untouched") == whole.text(Side.RIGHT, "far/untouched")
        assert served.packs == asked + 1  # what the other side has was there by then


# --- servers ------------------------------------------------------------------------------


def test_a_server_that_gives_only_tips_sends_the_whole_tree(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = served.publish()
    repository.bare.git("config", "uploadpack.allowAnySHA1InWant", "false")
    monkeypatch.setattr(remote, "PROTOCOL", "0")
    with served.opened() as git:
        assert text(git, f"{served.base}:far/untouched") == b"kept\n"
    served.repo.git("push", "-q", "-f", str(repository.path), f"{served.base}:work")
    with pytest.raises(clone.NotReached, match="gives no object by its id"):
        served.opened(served.base, served.head, folder=f"{served.clones}2").__enter__()


def test_a_server_that_knows_no_filter_sends_all(served: Served) -> None:
    served.publish().bare.git("config", "uploadpack.allowFilter", "false")
    with served.opened() as git:
        assert text(git, f"{served.base}:far/untouched") == b"kept\n"


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        (Fault("GET", "git:.*", status=401, times=-1), clone.NoAccess, "no access to"),
        (Fault("GET", "git:.*", status=403, times=-1), clone.NoAccess, "no access to"),
        (Fault("GET", "git:.*", status=404, times=-1), clone.NoAccess, "no access to"),
        (Fault("GET", "git:.*", status=502, times=-1), clone.NotReached, "502"),
        (Fault("POST", "git:.*", status=503, times=-1), clone.NotReached, "503"),
        (Fault("GET", "git:.*", drop=True, times=-1), clone.NotReached, "cannot fetch"),
        (Fault("POST", "git:.*", drop=True, times=-1), clone.NotReached, "cannot fetch"),
    ],
)
def test_a_server_that_refuses_or_fails(
    served: Served, fault: Fault, error: type[UsageError], words: str
) -> None:
    served.fake.faults = [fault]
    with pytest.raises(error, match=words) as raised:
        served.opened().__enter__()
    assert served.fake.token not in str(raised.value)


def test_a_redirect_takes_no_token_along(served: Served, tmp_path: Path) -> None:
    with fake_github(tmp_path / "elsewhere") as other:
        there = f"{other.server}/acme/launcher.git/info/refs?service=git-upload-pack"
        served.fake.faults = [Fault("GET", "git:.*", status=301, headers={"Location": there}, times=-1)]
        with pytest.raises(clone.NotReached):
            served.opened().__enter__()
        assert other.git_log == []


def test_nobody_answers(served: Served) -> None:
    url = "http://127.0.0.1:9/acme/launcher.git"
    with pytest.raises(clone.NotReached, match="cannot fetch from http://127"):
        clone.opened(url, "", (served.base,), 7, served.clones).__enter__()


def test_a_wrong_token(served: Served) -> None:
    with pytest.raises(clone.NoAccess, match="see that the token may read"):
        served.opened(token="ghs_wrong").__enter__()


def test_more_than_a_fetch_may_bring(served: Served) -> None:
    served.repo.write("huge", os.urandom(300_000))
    served.head = served.repo.commit()
    with pytest.raises(clone.NotReached, match="more than 100 kB"):
        served.opened(bounds=Bounds(60, 4 << 30, 100_000)).__enter__()


def test_longer_than_a_fetch_may_take(served: Served) -> None:
    open_again = threading.Event()
    served.fake.faults = [Fault("GET", "git:.*", status=0, then=lambda: open_again.wait(30) and None)]
    try:
        with pytest.raises(clone.NotReached, match=r"took longer than 0\.1 s"):
            served.opened(bounds=Bounds(0.1, 4 << 30, 1 << 30)).__enter__()
    finally:
        open_again.set()


def test_what_cannot_be_fetched_later_is_an_error_and_is_tried_once(served: Served) -> None:
    with served.opened() as git:
        served.fake.faults = [Fault("GET", "git:.*", status=502, times=-1)]
        for _ in range(2):
            with pytest.raises(clone.NotReached, match="502"):
                text(git, f"{served.base}:far/untouched")
        assert sum(one.status == 502 for one in served.fake.git_log) == 1


# --- the token ----------------------------------------------------------------------------


def test_the_token_is_in_no_argument_and_on_no_disk(served: Served, tmp_path: Path) -> None:
    seen: list[bytes] = []

    def look() -> None:
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                seen.append(process.read_bytes())
            except OSError:
                continue

    token = served.fake.token
    basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    served.fake.faults = [Fault(m, "git:.*", status=0, times=-1, then=look) for m in ("GET", "POST")]
    with served.opened() as git:
        assert any(b"remote-http" in line for line in seen)  # git was at work when we looked
        assert not any(secret.encode() in line for line in seen for secret in (token, basic))
        assert not any(secret in value for value in git.environment.values() for secret in (token, basic))
    files = [path for path in Path(served.clones).rglob("*") if path.is_file()]
    assert files
    assert not any(s.encode() in path.read_bytes() for path in files for s in (token, basic))
    assert {path.stat().st_mode & 0o077 for path in Path(served.clones).rglob("*.git")} == {0}
    assert all(one.headers["authorization"] == f"Basic {basic}" for one in served.fake.git_log)


# --- the clones that are kept -------------------------------------------------------------


def no_head(place: Path) -> None:
    (place / "HEAD").unlink()


def broken_config(place: Path) -> None:
    (place / "config").write_text("[core\n")


def zeros(place: Path) -> None:
    for pack in place.glob("objects/pack/*.pack"):
        pack.chmod(0o600)
        pack.write_bytes(bytes(pack.stat().st_size))


def cut(place: Path) -> None:
    for index in place.glob("objects/pack/*.idx"):
        index.chmod(0o600)
        index.write_bytes(index.read_bytes()[:100])


def a_file(place: Path) -> None:
    shutil.rmtree(place / "objects")
    (place / "objects").write_text("")


def left_over(place: Path) -> None:
    zeros(place)
    (place / "shallow.lock").write_text("")
    (place / "objects" / "pack" / "tmp_pack_x").write_text("")


def one_byte(place: Path) -> None:
    """In the middle of the largest pack, that of the files."""
    pack = max(place.glob("objects/pack/*.pack"), key=lambda pack: pack.stat().st_size)
    content = bytearray(pack.read_bytes())
    content[len(content) // 2] ^= 0xFF
    pack.chmod(0o600)
    pack.write_bytes(content)


@pytest.mark.parametrize("damage", [no_head, broken_config, zeros, cut, a_file, left_over, one_byte])
def test_a_broken_clone_is_made_anew(served: Served, damage: Callable[[Path], None]) -> None:
    served.repo.write("large.py", random.Random(7).randbytes(5_000).hex())
    served.head = served.repo.commit()
    with served.opened() as git:
        place = Path(git.folder)
    damage(place)
    with served.opened() as git:
        assert git.folder == str(place)
        assert len(text(git, f"{served.head}:large.py")) == 10_000
        assert text(git, f"{served.head}:a.sh") == b"two\n"
        assert text(git, f"{served.base}:far/untouched") == b"kept\n"
        assert not list(place.glob("objects/pack/tmp_*"))


def test_a_broken_clone_that_another_reads_is_left_to_it(served: Served) -> None:
    with served.opened() as first:
        zeros(Path(first.folder))
        with served.opened() as second:
            assert second.folder != first.folder
            assert text(second, f"{served.head}:a.sh") == b"two\n"
        assert not Path(second.folder).exists()
        assert Path(first.folder).exists()


def test_a_clone_of_many_packs_is_made_anew(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with served.opened() as git:
        text(git, f"{served.base}:far/untouched")
    monkeypatch.setattr(kept, "PACKS", 2)
    with served.opened() as git:
        assert len(list(Path(git.folder).glob("objects/pack/*.pack"))) == 2


def test_the_clone_that_was_not_used_for_longest_goes(served: Served) -> None:
    for name in ("acme/first", "acme/second", "acme/third"):
        served.publish(name)
        served.opened().__enter__()
    folder = next(Path(served.clones).iterdir()) / "acme"
    assert sorted(path.name for path in folder.glob("*.git")) == ["first.git", "second.git", "third.git"]
    each = sum(path.lstat().st_size for path in (folder / "third.git").rglob("*") if path.is_file())
    for name, when in (("third", 1), ("second", 2), ("first", 3)):
        os.utime(folder / f"{name}.using", (when, when))
    served.remote = served.fake.repositories["acme/first"]
    with served.opened(most=2 * each + each // 2):
        pass
    assert sorted(path.name for path in folder.glob("*.git")) == ["first.git", "second.git"]
    served.remote = served.fake.repositories["acme/second"]
    with served.opened(most=1) as git:
        served.remote = served.fake.repositories["acme/first"]
        with served.opened(most=1):
            pass
        assert [path.name for path in folder.glob("*.git")] == ["second.git"]  # somebody reads it
        assert text(git, f"{served.head}:a.sh") == b"two\n"
    assert list(folder.glob("*.git")) == []


def test_a_folder_where_nothing_can_be_kept(served: Served, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(clone.NotReached, match=r"no clone can be kept in the state folder: ") as error:
        served.opened(folder=tmp_path / "file").__enter__()
    assert str(tmp_path) not in str(error.value)
    with pytest.raises(UsageError, match="is not the address of a repository"):
        clone.opened("https://h.invalid/../x.git", "", (served.base,), 7, served.clones).__enter__()


def test_what_git_says_of_its_folder_is_not_told(tmp_path: Path) -> None:
    """It is posted, where the review goes on without git."""
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    far = remote.Remote("http://127.0.0.1:1/a/b.git", "", str(tmp_path / "link"))
    for place in (real, tmp_path / "link"):
        error = far._failed(f"fatal: unable to access '{place}/objects/pack/x': Connection reset")
        assert str(error).endswith("unable to access '…/objects/pack/x': Connection reset")


RUN = """\
import sys
from reviewbot.hosts.github import clone
url, token, folder, base, head = sys.argv[1:]
with clone.opened(url, token, (base, head), 7, folder) as git:
    [blob] = git.blobs([f"{head}:a.sh".encode()], 100)
    print(blob.content.decode(), end="")
"""


def test_two_processes_at_once_fetch_once(served: Served) -> None:
    repository = served.publish()
    url = f"{served.fake.server}/{repository.name}.git"
    command = [sys.executable, "-c", RUN, url, served.fake.token, served.clones, served.base, served.head]
    environment = {**ENV, "PYTHONPATH": os.getcwd()}
    runs = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    assert [run.communicate() for run in runs] == [(b"two\n", b"")] * 2
    assert served.packs == 2


def test_a_clone_that_is_a_link_is_not_written_through(served: Served, tmp_path: Path) -> None:
    with served.opened(served.base, served.head) as git:
        place = Path(git.folder)
    victim = tmp_path / "victim"
    victim.mkdir()
    shutil.rmtree(place)
    place.symlink_to(victim)
    with served.opened(served.base, served.head) as git:
        assert text(git, f"{served.head}:a.sh") == b"two\n"
    assert not list(victim.iterdir())


@pytest.mark.parametrize("lock", ["using", "fetching"])
@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_lock_that_is_none_is_no_clone(served: Served, tmp_path: Path, lock: str, kind: str) -> None:
    with served.opened(served.base, served.head) as git:
        place = Path(git.folder.removesuffix("git") + lock)
    place.unlink()
    if kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(tmp_path / "victim")
    again = served.opened(served.base, served.head)
    with pytest.raises(remote.NotReached, match="no clone can be kept"), again:
        pass
    assert not (tmp_path / "victim").exists()
