"""Every kind of change, line and name, read from real repositories."""

from __future__ import annotations

import os

import pytest

from reviewbot.core.errors import UsageError
from reviewbot.core.hunks import apply
from reviewbot.core.types import FileChange, Kind, Side, Status
from reviewbot.hosts import local
from reviewbot.hosts.local import LocalSource
from tests.hosts.reading import both, change, file_at, opened, rows
from tests.repos import Repo


def test_an_edit_has_its_hunk_its_ids_and_both_texts(repo: Repo) -> None:
    old = repo.git("rev-parse", "HEAD:a.py")
    repo.write("a.py", "one\n2\nthree\n")
    head = repo.commit()
    found = change(repo)
    assert (found.base, found.head, found.label) == (repo.git("rev-parse", "main"), head, "main...HEAD")
    (file,) = found.files
    new = repo.git("rev-parse", "HEAD:a.py")
    assert file._replace(hunks=()) == FileChange(
        "a.py", Status.MODIFIED, Kind.FILE, "a.py", "100644", "100644", old, new
    )
    assert rows(file) == [" one", "-two", "+2", " three"]
    left, right = both(repo, ["a.py"])
    assert left.files["a.py"].content == "one\ntwo\nthree\n"
    assert right.files["a.py"].content == "one\n2\nthree\n"


def test_a_rename_with_edits_is_one_file_and_its_base_is_found(repo: Repo) -> None:
    text = "".join(f"line {n}\n" for n in range(30))
    repo.write("old name.py", text)
    repo.commit()
    repo.git("branch", "-f", "main")
    repo.rm("old name.py")
    repo.write("sub/new.py", text.replace("line 7\n", "line seven\n"))
    repo.commit()
    (file,) = change(repo).files
    assert (file.status, file.old_path, file.path) == (Status.RENAMED, "old name.py", "sub/new.py")
    assert [row for row in rows(file) if row[0] != " "] == ["-line 7", "+line seven"]
    left, right = both(repo, ["sub/new.py"])
    assert left.files["sub/new.py"].content == text
    assert "line seven\n" in right.files["sub/new.py"].content


def test_added_and_deleted_files_are_absent_on_their_other_side(repo: Repo) -> None:
    repo.rm("a.py")
    repo.write("b.py", "brand\nnew\n")
    repo.commit()
    found = change(repo)
    assert [(f.path, f.status, f.old_path) for f in found.files] == [
        ("a.py", Status.DELETED, "a.py"),
        ("b.py", Status.ADDED, None),
    ]
    assert rows(found.files[0]) == ["-one", "-two", "-three"]
    left, right = both(repo, ["a.py", "b.py"])
    assert (list(left.files), left.unread) == (["a.py"], {"b.py": "absent"})
    assert (list(right.files), right.unread) == (["b.py"], {"a.py": "absent"})


def test_an_empty_file_is_added_emptied_and_deleted(repo: Repo) -> None:
    repo.write("gone", "")
    repo.commit()
    repo.git("branch", "-f", "main")
    repo.rm("gone")
    repo.write("a.py", "")
    repo.write("deep/new", "")
    repo.git("config", "diff.renames", "false")
    repo.commit()
    found = change(repo)
    assert [(f.path, f.status) for f in found.files] == [
        ("a.py", Status.MODIFIED),
        ("deep/new", Status.RENAMED),  # git renames empty files too: same content
    ]
    assert (rows(found.files[0]), found.files[1].hunks) == (["-one", "-two", "-three"], ())
    _, right = both(repo, ["a.py", "deep/new"])
    assert {path: text.content for path, text in right.files.items()} == {"a.py": "", "deep/new": ""}


def test_a_change_of_mode_alone_has_no_hunks(repo: Repo) -> None:
    repo.write("a.py", "one\ntwo\nthree\n", 0o755)
    repo.commit()
    (file,) = change(repo).files
    assert (file.status, file.old_mode, file.new_mode, file.hunks) == (
        Status.MODIFIED,
        "100644",
        "100755",
        (),
    )


def test_a_nul_byte_makes_a_file_binary(repo: Repo) -> None:
    repo.write("model.bin", b"\x89PNG\0\0\n\xff")
    repo.commit()
    (file,) = change(repo).files
    assert (file.binary, file.hunks) == (True, ())
    assert both(repo, ["model.bin"])[1].unread == {"model.bin": "binary"}
    assert opened(repo).change(lambda _: False).files[0].binary


def test_a_nul_byte_makes_a_script_unread_at_its_line(repo: Repo) -> None:
    for path in ("run.sh", "run.py", "bin/go", "bin/elf"):
        repo.write(path, "#!/bin/bash\nx=1\nprintf '\0'\n" if path != "bin/elf" else b"\x7fELF\0\n")
    repo.commit()
    assert [file.binary for file in change(repo).files] == [True] * 4
    why = "holds a NUL byte at line 3"
    texts = both(repo, ["run.sh", "run.py", "bin/go", "bin/elf"])[1]
    assert texts.unread == {"run.sh": why, "run.py": why, "bin/go": why, "bin/elf": "binary"}


def test_a_nul_byte_that_is_taken_away_makes_nothing_binary(repo: Repo) -> None:
    repo.write("run.sh", b"a\n\0\nb\n")
    repo.write("gone.bin", b"\0\n")
    repo.commit()
    repo.git("branch", "-f", "main")
    repo.write("run.sh", "a\nnew\nb\n")
    repo.rm("gone.bin")
    repo.commit()
    found = change(repo)
    assert [(file.path, file.binary) for file in found.files] == [("gone.bin", True), ("run.sh", False)]
    assert rows(found.files[1]) == [" a", "-\0", "+new", " b"]
    left, right = both(repo, ["run.sh"])
    assert right.files["run.sh"].content == "a\nnew\nb\n"
    assert left.unread == {"run.sh": "holds a NUL byte at line 2"}


def test_a_symlink_and_a_submodule_have_their_kind_and_no_text(repo: Repo) -> None:
    repo.link("link", "/etc/passwd")
    repo.commit()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    repo.git("commit", "-qm", "submodule")
    found = change(repo)
    assert [(f.path, f.kind, f.new_mode, f.hunks) for f in found.files] == [
        ("link", Kind.SYMLINK, "120000", ()),
        ("sub", Kind.SUBMODULE, "160000", ()),
    ]
    assert both(repo, ["link", "sub"])[1].unread == {"link": "symlink", "sub": "submodule"}


def test_a_change_of_type_is_one_file(repo: Repo) -> None:
    repo.link("b", "a.py")
    repo.commit()
    repo.git("branch", "-f", "main")
    repo.link("a.py", "b")
    repo.write("b", "text\n")
    repo.write("c", "after\n")
    repo.commit()
    found = change(repo)
    assert [(f.path, f.status, f.kind, rows(f)) for f in found.files] == [
        ("a.py", Status.TYPE_CHANGED, Kind.SYMLINK, []),
        ("b", Status.TYPE_CHANGED, Kind.FILE, ["+text"]),
        ("c", Status.ADDED, Kind.FILE, ["+after"]),
    ]
    left, right = both(repo, ["a.py", "b"])
    assert (left.unread, list(left.files)) == ({"b": "absent"}, ["a.py"])
    assert (right.unread, list(right.files)) == ({"a.py": "symlink"}, ["b"])


@pytest.mark.parametrize(
    "text",
    [
        "crlf\r\nmore\r\n",
        "lone\rcarriage\rreturn\n",
        "form\x0cfeed\nvertical\x0btab\nfile\x1cseparator\n",
        "line\u2028separator\nnext\x85line\n",
        "no newline at the end",
        "\ufeffwith a mark\n",
        "\n\n\n",
        "-- sql comment\n++ more\n@@ -1 +1 @@\n",
    ],
)
def test_odd_lines_come_back_as_they_are(repo: Repo, text: str) -> None:
    repo.write("odd", "before\n" + text)
    repo.commit()
    repo.git("branch", "-f", "main")
    repo.write("odd", "after\n" + text + ("" if text.endswith("\n") else "!"))
    repo.commit()
    (file,) = change(repo).files
    left, right = both(repo, ["odd"])
    assert right.files["odd"].content == repo.file("odd").read_bytes().decode()
    assert apply(file.hunks, left.files["odd"].content, file.eof_newline[1]) == right.files["odd"].content


def test_what_is_not_utf8_is_unread_with_the_byte_and_the_line(repo: Repo) -> None:
    repo.write("latin.py", "ok\nna\xefve caf\xe9\n".encode("latin-1"))
    repo.commit()
    (file,) = change(repo).files
    assert rows(file) == ["+ok", "+na\udcefve caf\udce9"]
    assert both(repo, ["latin.py"])[1].unread == {"latin.py": "not UTF-8 (byte 0xEF at line 2)"}


def test_a_file_past_the_limit_is_unread_with_both_sizes(repo: Repo) -> None:
    repo.write("big.py", "x = 1\n" * 350_000)
    repo.write("small.py", "x = 1\n")
    repo.commit()
    texts = both(repo, ["big.py", "small.py"])[1]
    assert texts.unread == {"big.py": "2.1 MB, the limit is 1 MB"}
    assert texts.files["small.py"].content == "x = 1\n"
    source = opened(repo, limit=5)
    assert source.read(source.change(lambda _: True), Side.RIGHT, ["small.py"]).unread == {
        "small.py": "6 bytes, the limit is 5 bytes"
    }


NAMES = [
    *(
        b"sp ace.py",
        b"tab\there",
        b'quo"te',
        b"new\nline",
        b"back\\slash",
        b"caf\xe9.py",
        "caf\u00e9".encode(),
    ),
    *(b"x b/y.sh", b"b/b/file", b"-rf", b"--help", b":(top)a", b"*.py", b"[a]", b"\ndiff --git a", b"a/-x"),
    *(b"trailing ", b"\x7f", b"\x01", b"dev/null", b"a b/c d b/e f"),
]


def test_any_name_is_read_back(repo: Repo) -> None:
    for name in NAMES:
        repo.write(name, "before\n")
    repo.commit()
    repo.git("branch", "-f", "main")
    for number, name in enumerate(NAMES):
        repo.write(name, f"after {number}\n", 0o755 if number % 2 else None)
    repo.commit()
    found = change(repo)
    assert {os.fsencode(file.path) for file in found.files} == set(NAMES)
    left, right = both(repo, [file.path for file in found.files])
    for number, name in enumerate(NAMES):
        path = os.fsdecode(name)
        assert rows(file_at(found, path)) == ["-before", f"+after {number}"]
        assert right.files[path].content == f"after {number}\n"
        assert left.files[path].content == "before\n"


def test_a_rename_between_names_with_b_inside_keeps_both(repo: Repo) -> None:
    repo.write("x b/y.sh", "1\n2\n3\n")
    repo.commit()
    repo.git("branch", "-f", "main")
    repo.git("mv", "x b/y.sh", "x b/z b.sh")
    repo.commit()
    (file,) = change(repo).files
    assert (file.status, file.old_path, file.path) == (Status.RENAMED, "x b/y.sh", "x b/z b.sh")


def test_a_forged_path_that_leaves_the_repository_is_refused(repo: Repo) -> None:
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"evil\n")
    inner = repo.git("mktree", stdin=f"100644 blob {blob}\tpasswd\n".encode())
    forged = b"40000 ..\0" + bytes.fromhex(inner)
    tree = repo.git("hash-object", "-t", "tree", "-w", "--stdin", "--literally", stdin=forged)
    commit = repo.git("commit-tree", tree, "-p", "HEAD", "-m", "forged")
    with pytest.raises(UsageError, match=r"no checkout would accept: '\.\./passwd'"):
        opened(repo, head=commit).change(lambda _: True)


def test_base_files_come_from_base_whatever_head_says(repo: Repo) -> None:
    repo.write(".reviewbot/config.toml", "base\n")
    repo.write("skills/a/SKILL.md", "skill\n")
    repo.write("skills-not/x", "x\n")
    repo.write("skills/run", b"\x00\xff", 0o755)
    repo.link("skills/link", "/etc/passwd")
    repo.write("skills/huge", b"x" * 300_000)
    repo.commit()
    repo.git("branch", "-f", "main")
    repo.write(".reviewbot/config.toml", "head\n")
    repo.write("skills/b/SKILL.md", "new\n")
    repo.commit()
    source = LocalSource.open(str(repo.path / "skills"), "main")
    found = source.base_files([".reviewbot/config.toml", "skills", "none"], ["skills", "none"])
    assert found == {
        ".reviewbot/config.toml": b"base\n",
        "skills/a/SKILL.md": b"skill\n",
        "skills/huge": b"x" * (262_144 + 1),
        "skills/run": b"\x00\xff",
    }
    assert source.base_files([]) == {}


def test_more_places_than_a_command_line_holds_are_asked_for(repo: Repo) -> None:
    """A change in 2,000 folders asked git for 40,000 names at once: "Argument list too long"."""
    repo.write("AGENTS.md", "all\n")
    repo.commit()
    repo.git("branch", "-f", "main")
    places = [f"{'deep/' * 20}{number:05}/AGENTS.md" for number in range(20_000)]
    assert opened(repo).base_files([*places, "AGENTS.md"]) == {"AGENTS.md": b"all\n"}


def test_a_path_that_is_not_in_the_change_is_unread(repo: Repo) -> None:
    source = opened(repo)
    texts = source.read(source.change(lambda _: True), Side.RIGHT, ["a.py"])
    assert (texts.files, texts.unread) == ({}, {"a.py": "not part of the change"})


def test_the_attributes_at_base_are_read_along_the_changed_paths(repo: Repo) -> None:
    for folder in ("", "a/", "a/b/", "other/"):
        repo.write(f"{folder}.gitattributes", f"* mark={folder or 'root'}\n")
    repo.write("a/b/x.py", "1\n")
    repo.commit()
    repo.git("branch", "-f", "main")
    repo.write("a/b/x.py", "2\n")
    repo.write("a/.gitattributes", "* linguist-generated\n")
    repo.commit()
    assert change(repo).attributes == {
        ".gitattributes": "* mark=root\n",
        "a/.gitattributes": "* mark=a/\n",
        "a/b/.gitattributes": "* mark=a/b/\n",
    }


def test_a_rename_search_that_git_gave_up_is_said(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "RENAME_LIMIT", 1)
    for number in range(3):
        repo.write(f"old{number}", "".join(f"{number} {n}\n" for n in range(20)))
    repo.commit()
    repo.git("branch", "-f", "main")
    for number in range(3):
        repo.rm(f"old{number}")
        repo.write(f"new{number}", "".join(f"{number} {n}\n" for n in range(21)))
    repo.commit()
    found = change(repo)
    assert len(found.files) == 6
    assert found.notes == ("renames were not looked for: more than 1 files were added and deleted",)
