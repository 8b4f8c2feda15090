"""Trees are laid out exactly, and nothing of a hostile one gets beside its folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.gates.sandbox import Entry, Job, Sandbox, lay_out
from reviewbot.gates.sandbox.tree import DEEPEST
from tests.gates.sandbox.jobs import python, shell

FILE, PROGRAM, LINK, SUBMODULE = 0o100644, 0o100755, 0o120000, 0o160000


def laid_out(*entries: Entry) -> tuple[dict[bytes, str], dict[bytes, str]]:
    """What stands in the folder, as `rwx` of its owner and content or target; what was left out, and why."""
    with lay_out(entries) as tree:
        top = os.fsencode(tree.folder)
        found = {}
        for folder, names, others in os.walk(top):
            for name in names + others:
                place = os.path.join(folder, name)
                mode = os.lstat(place).st_mode
                content = ""
                if stat.S_ISLNK(mode):
                    content = os.fsdecode(os.readlink(place))
                elif stat.S_ISREG(mode):
                    content = Path(os.fsdecode(place)).read_text()
                found[os.path.relpath(place, top)] = f"{stat.filemode(mode)[:4]} {content}".strip()
    assert not os.path.lexists(top)
    return found, dict(tree.left_out)


def test_files_programs_links_and_submodules_are_laid_out() -> None:
    entries = (
        Entry(b"a/b/c", FILE, b"text"),
        Entry(b"a/run", PROGRAM, b"#!/bin/sh\n"),
        Entry(b"a/link", LINK, b"../../nowhere"),
        Entry(b"vendor/module", SUBMODULE, b""),
        Entry(b"\xff\xfe\n", FILE, b""),
    )
    with lay_out(entries) as tree:
        assert tree.submodules == (b"vendor/module",)
    assert laid_out(*entries) == (
        {
            b"a": "drwx",
            b"a/b": "drwx",
            b"a/b/c": "-rw- text",
            b"a/run": "-rwx #!/bin/sh",
            b"a/link": "lrwx ../../nowhere",
            b"vendor": "drwx",
            b"vendor/module": "drwx",
            b"\xff\xfe\n": "-rw-",
        },
        {},
    )


def test_a_hidden_umask_does_not_hide_the_tree_from_the_sandbox() -> None:
    old = os.umask(0o077)
    try:
        ended = shell("cat folder/file", entries=[Entry(b"folder/file", FILE, b"text")])
    finally:
        os.umask(old)
    assert ended.stdout == "text"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        *(
            (path, "no path inside a repository")
            for path in (b"", b"/etc/x", b"../x", b"a/../x", b"a//b", b"./a")
        ),
        *((path, "no path inside a repository") for path in (b"a/", b"a\0b")),
        *((path, "git's own folder") for path in (b".git/config", b".git", b"a/.GIT/hooks/x")),
        (b"n" * 256, "File name too long"),
        (b"a/" * DEEPEST + b"a", f"more than {DEEPEST} folders in each other"),
        (b"/".join([b"n" * 99] * 60), "File name too long"),
    ],
)
def test_a_hostile_path_is_left_out_with_the_reason(path: bytes, why: str) -> None:
    for mode in (FILE, LINK, SUBMODULE):
        found, left_out = laid_out(Entry(path, mode, b"x"), Entry(b"good", FILE, b""))
        assert left_out == {path: why}
        assert found[b"good"] == "-rw-"


def test_a_link_without_a_target_is_left_out() -> None:
    _, left_out = laid_out(Entry(b"empty", LINK, b""), Entry(b"null", LINK, b"a\0b"))
    assert left_out == {b"empty": "No such file or directory", b"null": "a null byte in the target of a link"}


@pytest.mark.parametrize("mode", [FILE, LINK, SUBMODULE])
def test_nothing_is_written_through_a_link(tmp_path: Path, mode: int) -> None:
    link = Entry(b"link", LINK, os.fsencode(tmp_path))
    through = Entry(b"link/new", mode, b"x")
    for entries in ([link, through], [through, link]):
        _, left_out = laid_out(*entries)
        assert set(left_out.values()) == {"another entry stands there"}
        assert list(tmp_path.iterdir()) == []


def test_two_entries_of_one_name_are_said() -> None:
    found, left_out = laid_out(
        Entry(b"a", FILE, b"first"), Entry(b"a", FILE, b"2"), Entry(b"a/b", FILE, b"3")
    )
    assert found == {b"a": "-rw- first"}
    assert left_out == dict.fromkeys((b"a", b"a/b"), "another entry stands there")


PARTS = st.sampled_from([b"a", b"b", b"..", b".", b"", b".git", b"\xff", b"-rf"])
ENTRIES = st.builds(
    Entry,
    st.lists(PARTS, min_size=1, max_size=4).map(b"/".join),
    st.sampled_from([FILE, PROGRAM, LINK, SUBMODULE]),
    st.sampled_from([b"", b"text", b"/etc", b"..", b"a"]),
)


@given(st.lists(ENTRIES, max_size=12))
def test_every_entry_is_there_or_left_out(entries: list[Entry]) -> None:
    with lay_out(entries) as tree:
        left_out = dict(tree.left_out)
        for entry in entries:
            there = entry.path and os.path.lexists(os.path.join(os.fsencode(tree.folder), entry.path))
            assert there or entry.path in left_out
        around = os.path.dirname(tree.folder)
        assert os.listdir(around) == [os.path.basename(tree.folder)]


def test_the_copy_of_a_large_tree_has_room() -> None:
    entries = [Entry(b"%d/%d/%d" % (i % 7, i % 50, i), FILE, b"x" * (i % 9000)) for i in range(1500)]
    entries += [Entry(b"links/%d" % i, LINK, b"t" * 4000) for i in range(300)]
    count = "import os; print(sum(len(files) + len(names) for _, names, files in os.walk('.')))"
    folders = len({os.path.dirname(entry.path) for entry in entries}) + 7
    assert python(count, entries=entries).stdout == f"{1800 + folders}\n"


def test_a_closed_folder_for_temporary_files_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    monkeypatch.setattr("tempfile.tempdir", str(closed))
    with lay_out([Entry(b"a", FILE, b"it is there")]) as tree:
        ended = Sandbox().run(Job(("cat", "a"), tree, 60))
    assert (ended.exit, ended.stdout) == (0, "it is there")
