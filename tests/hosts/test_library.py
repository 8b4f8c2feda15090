"""The trees that look-ups read: what is in them, and that nothing else is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewbot.core.errors import UsageError
from reviewbot.core.options import Mode
from reviewbot.core.ports import SEARCHED, UNREAD
from reviewbot.core.types import Side, Text
from reviewbot.hosts import library
from reviewbot.hosts.library import GitLibrary, PatchLibrary
from reviewbot.hosts.patch import PatchSource
from tests.hosts.reading import opened
from tests.repos import Repo

MODES: tuple[Mode, ...] = ("commits", "staged", "worktree")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A base, and changes that stand in a commit, in the index and in the work tree alike."""
    repo = Repo(tmp_path / "repo")
    repo.write("a.sh", "LEN=4\nrun\n")
    repo.write("old.sh", "LEN=4\n")
    repo.write(b"caf\xe9/b.py", "LEN = 4\n")
    repo.write("blob", b"LEN=4\0\n")
    repo.write("latin", b"LEN=\xe9\n")
    repo.link("link", "a.sh")
    repo.commit("base")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD')},sub")
    repo.git("commit", "-q", "-m", "sub")
    repo.git("checkout", "-q", "-b", "head")
    repo.write("a.sh", "x\r\nLEN=8\r\n")
    repo.rm("old.sh")
    repo.write("new/c.cfg", "LEN: 8\nLEN: 8\n")
    return repo


def shelf(repo: Repo, mode: Mode, **more: object) -> GitLibrary:
    if mode == "commits":
        repo.commit("head")
    elif mode == "staged":
        repo.git("add", "-A", "-f", ".")
    return GitLibrary(opened(repo, "main", mode, **more))


def named(rows: Sequence[tuple[str, int, str]]) -> list[str]:
    """The files of the lines that were read."""
    return [path for path, line, _ in rows if line != UNREAD]


@pytest.mark.parametrize("mode", MODES)
def test_the_regular_files_of_both_sides(repo: Repo, mode: Mode):
    found = shelf(repo, mode)
    assert found.paths(Side.RIGHT) == ("a.sh", "blob", "caf\udce9/b.py", "latin", "new/c.cfg")
    assert found.paths(Side.LEFT) == ("a.sh", "blob", "caf\udce9/b.py", "latin", "old.sh")


@pytest.mark.parametrize("mode", MODES)
def test_texts_are_those_that_everybody_reads(repo: Repo, mode: Mode):
    found = shelf(repo, mode)
    assert found.text(Side.RIGHT, "a.sh") == Text("a.sh", "x\r\nLEN=8\r\n")
    assert found.text(Side.LEFT, "a.sh") == Text("a.sh", "LEN=4\nrun\n")
    assert found.text(Side.RIGHT, "caf\udce9/b.py") == Text("caf\udce9/b.py", "LEN = 4\n")
    none = [
        "blob",
        "latin",
        "link",
        "sub",
        "old.sh",
        "new",
        "",
        "/etc/passwd",
        "../repo/a.sh",
        "a\0b",
        "\ud800",
    ]
    assert [path for path in none if found.text(Side.RIGHT, path)] == []


@pytest.mark.parametrize("mode", MODES)
def test_a_search_gives_lines_in_order_and_names_what_it_cannot_read(repo: Repo, mode: Mode):
    """A file that is no text was passed over, and the words seemed to stand nowhere."""
    found = shelf(repo, mode)
    assert found.search(Side.RIGHT, "LEN") == (
        ("a.sh", 2, "LEN=8"),
        ("blob", UNREAD, ""),
        ("caf\udce9/b.py", 1, "LEN = 4"),
        ("latin", UNREAD, ""),
        ("new/c.cfg", 1, "LEN: 8"),
        ("new/c.cfg", 2, "LEN: 8"),
    )
    assert named(found.search(Side.LEFT, "LEN")) == ["a.sh", "caf\udce9/b.py", "old.sh"]
    assert found.search(Side.RIGHT, "LEN", "caf\udce9") == (("caf\udce9/b.py", 1, "LEN = 4"),)
    assert found.search(Side.RIGHT, "LEN", "a.sh") == (("a.sh", 2, "LEN=8"),)
    assert found.search(Side.RIGHT, "len") == ()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "below", ["ne", "new/", "..", "/", ":(glob)**", ":!a.sh", "gone", "-", "a\0b", "\ud800", "HEAD:new"]
)
def test_a_folder_that_is_none_holds_nothing(repo: Repo, mode: Mode, below: str):
    assert shelf(repo, mode).search(Side.RIGHT, "LEN", below) == ()


@pytest.mark.parametrize("mode", MODES)
def test_words_are_no_expression_and_no_option(repo: Repo, mode: Mode):
    tricky = ["-e LEN", "--help", "[a", "(a+)+$", "\\d", "a.b", "*", "'$(x)'", "größe", "  ", "x" * 5_000]
    repo.write("tricky", "\n".join(tricky) + "\nab\naxb\n")
    found = shelf(repo, mode)
    for n, words in enumerate(tricky, 1):
        assert ("tricky", n, words) in found.search(Side.RIGHT, words)
    assert found.search(Side.RIGHT, "a.b") == (("tricky", 6, "a.b"),)
    for words in ("", "a\nb", "LEN\nab", "\0", "\ud800", "caf\udce9"):
        assert found.search(Side.RIGHT, words) == ()


@pytest.mark.parametrize("mode", MODES)
def test_a_search_gives_the_first_lines_only(repo: Repo, mode: Mode):
    repo.write("many", "word\n" * (SEARCHED + 5))
    repo.write("zz", "word\n")
    rows = shelf(repo, mode).search(Side.RIGHT, "word")
    assert len(rows) == SEARCHED
    assert rows[-1] == ("many", SEARCHED, "word")


@pytest.mark.parametrize("mode", MODES)
def test_a_file_past_the_limit_is_named_and_not_searched(repo: Repo, mode: Mode):
    repo.write("large", "word\n" * 100)
    found = shelf(repo, mode, limit=400)
    assert found.search(Side.RIGHT, "word") == (("large", UNREAD, ""),)
    assert found.text(Side.RIGHT, "large") is None


@pytest.mark.parametrize("mode", MODES)
def test_words_behind_the_limit_are_not_said_to_be_nowhere(repo: Repo, mode: Mode):
    repo.write("large", "x\n" * 300 + "word\n")
    assert shelf(repo, mode, limit=400).search(Side.RIGHT, "word") == (("large", UNREAD, ""),)


@pytest.mark.parametrize("mode", MODES)
def test_no_attribute_of_the_change_hides_a_line_and_no_program_of_it_runs(
    repo: Repo, mode: Mode, tmp_path: Path
):
    ran = tmp_path / "ran"
    repo.write(".gitattributes", "a.sh binary\nnew/* diff=evil filter=evil\n")
    found = shelf(repo, mode)
    programs = ("diff.evil.textconv", "diff.evil.command", "filter.evil.smudge", "filter.evil.clean")
    for key in (*programs, "core.fsmonitor", "core.pager"):
        repo.git("config", key, f"touch {ran}; cat")
    repo.git("config", "submodule.recurse", "true")
    repo.git("config", "grep.patternType", "perl")
    assert named(found.search(Side.RIGHT, "LEN")) == [*("a.sh", "caf\udce9/b.py", "new/c.cfg", "new/c.cfg")]
    assert found.text(Side.RIGHT, "new/c.cfg")
    assert not ran.exists()


def test_nothing_is_read_through_a_folder_that_became_a_link(repo: Repo, tmp_path: Path):
    """git itself follows it when it searches a work tree."""
    (tmp_path / "private").mkdir()
    (tmp_path / "private/c.cfg").write_text("LEN of a secret\n")
    repo.git("add", "-A", "-f", ".")
    repo.rm("new/c.cfg")
    repo.file("new").rmdir()
    repo.link("new", str(tmp_path / "private"))
    repo.link("out", str(tmp_path / "private/c.cfg"))
    found = shelf(repo, "worktree")
    assert named(found.search(Side.RIGHT, "LEN")) == ["a.sh", "caf\udce9/b.py"]
    assert [found.text(Side.RIGHT, path) for path in ("new/c.cfg", "out", "new")] == [None] * 3


def test_what_is_ignored_is_no_part_of_the_work_tree(repo: Repo):
    repo.write(".gitignore", "private.env\n")
    repo.write("private.env", "LEN=secret\n")
    found = shelf(repo, "worktree")
    assert "private.env" not in found.paths(Side.RIGHT)
    assert found.text(Side.RIGHT, "private.env") is None
    assert "private.env" not in {path for path, _, _ in found.search(Side.RIGHT, "LEN")}


def test_a_pipe_in_the_work_tree_stops_nobody(repo: Repo):
    os.mkfifo(repo.file("pipe"))
    assert len(named(shelf(repo, "worktree").search(Side.RIGHT, "LEN"))) == 4


def test_a_merge_that_is_not_resolved_leaves_its_files_out(repo: Repo):
    blob = repo.git("hash-object", "-w", "a.sh")
    rows = "".join(f"100644 {blob} {stage}\tboth.sh\n" for stage in (1, 2, 3))
    repo.git("update-index", "--index-info", stdin=rows.encode())
    found = GitLibrary(opened(repo, "main", "staged"))
    assert "both.sh" not in found.paths(Side.RIGHT)
    assert "both.sh" not in {path for path, _, _ in found.search(Side.RIGHT, "LEN")}


@pytest.mark.parametrize("mode", MODES)
def test_a_search_that_takes_too_long_is_no_answer(repo: Repo, mode: Mode, monkeypatch: pytest.MonkeyPatch):
    """Half of the lines would say that the others do not exist."""
    found = shelf(repo, mode)
    found.paths(Side.RIGHT)
    monkeypatch.setattr(library, "SECONDS", -1.0)
    monkeypatch.setattr(library, "select", lambda *_: ([], [], []))
    with pytest.raises(UsageError, match="the search takes longer than"):
        found.search(Side.RIGHT, "LEN")


def test_a_repository_that_lacks_an_object_is_named(repo: Repo):
    found = shelf(repo, "commits")
    blob = repo.git("rev-parse", "HEAD:a.sh")
    repo.file(f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    assert found.text(Side.RIGHT, "a.sh") is None
    with pytest.raises(UsageError, match="git grep failed"):
        found.search(Side.RIGHT, "LEN")


WORDS = st.text(st.sampled_from("aLEN=48 .*[]\\-:\n\0\u2028é\ud800"), max_size=6)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(st.text(st.sampled_from("aLEN=48 .*[]\\-:\r\n\u2028é"), max_size=12), max_size=4), WORDS)
def test_a_search_finds_what_reading_finds(tmp_path: Path, contents: list[str], words: str):
    repo = Repo(tmp_path / os.urandom(8).hex())
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    for n, content in enumerate(contents):
        repo.write(f"{n}/f", content)
    found = shelf(repo, "commits")
    texts = [found.text(Side.RIGHT, path) for path in found.paths(Side.RIGHT)]
    assert found.search(Side.RIGHT, words) == tuple(
        (text.path, n, line)
        for text in texts
        if text and words
        for n, line in enumerate(text.lines, 1)
        if words in line
    )


PATCH = b"""\
diff --git a/old.sh b/run.sh
similarity index 90%
rename from old.sh
rename to run.sh
--- a/old.sh
+++ b/run.sh
@@ -2 +2 @@
-LEN=4
+LEN=8
"""


def test_of_a_patch_the_files_that_it_changes_are_known_and_nothing_else_is():
    """An empty tree was made of it, in which every word was absent."""
    found = PatchLibrary(PatchSource.open(PATCH, "x.patch"))
    head, base = found.text(Side.RIGHT, "run.sh"), found.text(Side.LEFT, "old.sh")
    assert head is not None
    assert base is not None
    assert (head.lines[1], head.partial) == ("LEN=8", True)
    assert (base.lines[1], base.partial) == ("LEN=4", True)
    for ask in (
        lambda: found.text(Side.RIGHT, "lib.sh"),
        lambda: found.text(Side.RIGHT, "old.sh"),
        lambda: found.paths(Side.RIGHT),
        lambda: found.search(Side.RIGHT, "LEN"),
    ):
        with pytest.raises(UsageError, match="a patch has no tree around it"):
            ask()
