"""`reviewbot skills add`: a skill of another repository, by real git over loopback HTTP."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewbot import cli
from reviewbot.core.skill.vendored import sha256
from reviewbot.hosts.skeleton import skeleton
from tests.fakes.githost import GitHost, git_host
from tests.repos import Repo

NAME = "shell-review"
PLACE = f".reviewbot/skills/{NAME}"
TAKEN = sorted(skeleton(NAME))


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHost]:
    """An empty host; the command runs in the work tree `work`, and has a home of its own."""
    with git_host(tmp_path / "host") as host:
        monkeypatch.setenv("GITHUB_SERVER_URL", host.url)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        (tmp_path / "home").mkdir()
        (tmp_path / "work/.git").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / "work")
        yield host


@pytest.fixture
def source(tmp_path: Path) -> Repo:
    """A repository with one skill in a usual folder, not committed yet."""
    repo = Repo(tmp_path / "source")
    for path, content in skeleton(NAME).items():
        repo.write(f"skills/{NAME}/{path}", content)
    return repo


def publish(host: GitHost, source: Repo) -> str:
    """Serve the repository as `octo/checks`; returns its newest commit."""
    commit = source.commit()
    host.publish(source.path, "octo/checks")
    return commit


def add(*argv: str) -> int:
    return cli.run(["skills", "add", *argv])


def tree(folder: str = PLACE) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()
    }


def test_the_skill_and_where_it_came_from(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    commit = publish(host, source)
    assert add(f"octo/checks@{commit}") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines()[0] == f"{PLACE}: 7 files"
    assert out.splitlines()[1].startswith(f"{PLACE}/SKILL.md: ")
    assert out.endswith("0 errors, 0 warnings\n")
    written = tree()
    provenance = json.loads(written.pop("provenance.json"))
    assert written == dict(skeleton(NAME))
    assert provenance == {
        "schema": "reviewbot.provenance/1",
        "source": f"{host.url}/octo/checks.git",
        "path": f"skills/{NAME}",
        "commit": commit,
        "date": "2024-01-01T00:00:00+00:00",
        "files": {path: sha256(content) for path, content in written.items()},
    }


def test_an_older_commit_is_taken_as_it_was(host: GitHost, source: Repo) -> None:
    old = source.commit()
    source.write(f"skills/{NAME}/references/more.md", "more\n")
    publish(host, source)
    assert add(f"octo/checks@{old}") == 0
    assert "references/more.md" not in tree()


def test_a_folder_that_is_named(host: GitHost, source: Repo) -> None:
    source.git("init", "-q")
    source.write("docs/other/SKILL.md", skeleton("other-review")["SKILL.md"])
    commit = publish(host, source)
    assert add(f"octo/checks/docs/other@{commit}") == 0
    assert sorted(tree(".reviewbot/skills/other-review")) == ["SKILL.md", "provenance.json"]


def test_of_several_skills_one_must_be_named(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write(".claude/skills/other/SKILL.md", skeleton("other")["SKILL.md"])
    commit = publish(host, source)
    assert add(f"octo/checks@{commit}") == 2
    named = f"octo/checks/.claude/skills/other@{commit}, octo/checks/skills/{NAME}@{commit}"
    assert capsys.readouterr().err == f"reviewbot: error: octo/checks has 2 skills; name one: {named}\n"
    assert not Path(".reviewbot").exists()


def test_only_what_a_review_reads_is_copied_and_the_rest_is_said(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write(f"skills/{NAME}/scripts/setup.sh", "#!/bin/sh\ntouch /tmp/never\n", 0o755)
    source.link(f"skills/{NAME}/references/passwd", "/etc/passwd")
    source.link(f"skills/{NAME}/rules/up.yml", "../../../secret")
    source.write("README.md", "x")
    commit = publish(host, source)
    assert add(f"octo/checks@{commit}") == 0
    assert sorted(tree()) == sorted([*TAKEN, "provenance.json"])
    assert capsys.readouterr().out.splitlines()[1:4] == [
        "  left out: references/passwd: it is a link or a submodule",
        "  left out: rules/up.yml: it is a link or a submodule",
        "  left out: scripts/setup.sh: no review reads it",
    ]


def test_nothing_is_executable(host: GitHost, source: Repo) -> None:
    source.file(f"skills/{NAME}/SKILL.md").chmod(0o755)
    commit = publish(host, source)
    assert add(f"octo/checks@{commit}") == 0
    modes = [path.stat().st_mode & 0o111 for path in Path(PLACE).rglob("*") if path.is_file()]
    assert modes == [0] * 7


def test_a_link_in_place_of_the_skill_file_is_no_skill(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    source.rm(f"skills/{NAME}/SKILL.md")
    source.link(f"skills/{NAME}/SKILL.md", "/etc/passwd")
    commit = publish(host, source)
    assert add(f"octo/checks@{commit}") == 2
    assert "no skill in the usual folders; there is no SKILL.md" in capsys.readouterr().err


def crafted(source: Repo, entries: list[tuple[str, str, str]]) -> str:
    """A commit whose tree git would never write: (mode, name, object id) as they are given."""
    rows = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(id) for mode, name, id in entries)
    tree = source.git("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=rows)
    return tree


@pytest.mark.parametrize("name", ["..", ".git", "."])
def test_a_crafted_tree_leads_nowhere(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    skill = source.git("hash-object", "-w", f"skills/{NAME}/SKILL.md")
    inner = crafted(source, [("100644", "evil.yml", skill)])
    rules = crafted(source, [("40000", name, inner)])
    folder = crafted(source, [("100644", "SKILL.md", skill), ("40000", "rules", rules)])
    skills = crafted(source, [("40000", NAME, folder)])
    root = crafted(source, [("40000", "skills", skills)])
    commit = source.git("commit-tree", root, "-m", "evil")
    source.git("update-ref", "refs/heads/evil", commit)
    host.publish(source.path, "octo/checks")
    assert add(f"octo/checks@{commit}") == 2
    assert "leads out of the skill; nothing was taken; do not trust it" in capsys.readouterr().err
    assert not Path(".reviewbot").exists()
    assert list(Path("..").rglob("evil.yml")) == []


def test_a_file_of_ten_megabytes(host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    source.write(f"skills/{NAME}/references/big", b"x" * 10_000_000)
    commit = publish(host, source)
    assert add(f"octo/checks@{commit}") == 2
    assert "references/big is too large; a file may have 1 MB" in capsys.readouterr().err
    assert not Path(".reviewbot").exists()


def test_too_many_files(host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    skill = source.git("hash-object", "-w", f"skills/{NAME}/SKILL.md")
    many = "".join(f"100644 blob {skill}\t{number}.md\n" for number in range(2_000))
    references = source.git("mktree", stdin=many.encode())
    rows = f"100644 blob {skill}\tSKILL.md\n040000 tree {references}\treferences\n"
    root = source.git("mktree", stdin=rows.encode())
    commit = source.git("commit-tree", root, "-m", "many")
    source.git("update-ref", "refs/heads/many", commit)
    host.publish(source.path, "octo/checks")
    assert add(f"octo/checks@{commit}") == 2
    assert "is one file too many; a skill may hold 2,000" in capsys.readouterr().err


def test_hooks_filters_and_modules_of_the_repository_do_not_run(
    host: GitHost, source: Repo, tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    source.write(".gitattributes", "* filter=evil diff=evil\n")
    source.write(".gitmodules", f'[submodule "m"]\n\tpath = m\n\turl = {host.url}/octo/other.git\n')
    commit = publish(host, source)
    template = tmp_path / "template"
    (template / "hooks").mkdir(parents=True)
    for hook in ("post-checkout", "reference-transaction", "pre-auto-gc"):
        (template / "hooks" / hook).write_text(f"#!/bin/sh\ntouch {mark}\n")
        (template / "hooks" / hook).chmod(0o755)
    (tmp_path / "home/.gitconfig").write_text(
        f"[init]\n\ttemplateDir = {template}\n[core]\n\thooksPath = {template}/hooks\n"
        f'[filter "evil"]\n\tsmudge = touch {mark}\n[diff "evil"]\n\ttextconv = touch {mark}\n'
        f"[credential]\n\thelper = !touch {mark}\n[submodule]\n\trecurse = true\n"
        f'[url "ext::touch {mark} "]\n\tinsteadOf = {host.url}/\n'
    )
    assert add(f"octo/checks@{commit}") == 0
    source.write(f"skills/{NAME}/SKILL.md", skeleton(NAME)["SKILL.md"] + b"\nMore.\n")
    host.remove("octo/checks")
    assert add("--update", f"octo/checks@{publish(host, source)}") == 0
    assert not mark.exists()
    assert {path.split("?")[0].split(".git/")[0] for path, _ in host.requests} == {"/octo/checks"}


def test_no_credentials_are_sent(host: GitHost, source: Repo, tmp_path: Path) -> None:
    (tmp_path / "home/.netrc").write_text("machine 127.0.0.1 login me password secret\n")
    assert add(f"octo/checks@{publish(host, source)}") == 0
    assert [
        headers for _, headers in host.requests if "authorization" in headers or "cookie" in headers
    ] == []


def test_one_that_is_there_is_not_written_over(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    commit = publish(host, source)
    add(f"octo/checks@{commit}")
    before = tree()
    capsys.readouterr()
    assert add(f"octo/checks@{commit}") == 2
    assert (
        f"{PLACE} is there already; to change it: reviewbot skills add --update octo/"
        in capsys.readouterr().err
    )
    assert tree() == before


def test_an_update_shows_what_it_changes(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    add(f"octo/checks@{publish(host, source)}")
    source.rm(f"skills/{NAME}/rules/world-writable.yml")
    source.write(f"skills/{NAME}/references/new.md", "new \x1b[2J\n")
    host.remove("octo/checks")
    commit = publish(host, source)
    capsys.readouterr()
    assert add("--update", f"octo/checks@{commit}") == 0
    out = capsys.readouterr().out
    assert "diff --git a/references/new.md b/references/new.md\nnew file mode 100644\n" in out
    assert "\n+new \\x1b[2J\n" in out
    assert "deleted file mode 100644\n" in out
    assert f'+  "commit": "{commit}",\n' in out
    assert f"\n{PLACE}: 7 files\n" in out
    kept = {*TAKEN, "provenance.json", "references/new.md"} - {"rules/world-writable.yml"}
    assert tree().keys() == kept


def test_an_update_to_the_same_commit_changes_nothing(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    commit = publish(host, source)
    add(f"octo/checks@{commit}")
    before = {path: os.stat(f"{PLACE}/{path}").st_mtime_ns for path in tree()}
    capsys.readouterr()
    assert add("--update", f"octo/checks@{commit}") == 0
    assert capsys.readouterr().out.startswith("nothing has changed\n")
    assert {path: os.stat(f"{PLACE}/{path}").st_mtime_ns for path in tree()} == before


@pytest.mark.parametrize("edit", ["change", "extra", "removal"])
def test_an_update_does_not_take_local_edits_away(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str], edit: str
) -> None:
    commit = publish(host, source)
    add(f"octo/checks@{commit}")
    mine = Path(PLACE, "references/mine.md" if edit == "extra" else "SKILL.md")
    if edit == "removal":
        mine.unlink()
    else:
        mine.parent.mkdir(exist_ok=True)
        mine.write_text("mine")
    before = tree()
    capsys.readouterr()
    assert add("--update", f"octo/checks@{commit}") == 2
    assert (
        f"was edited here ({mine.relative_to(PLACE)}); keep your edits elsewhere" in capsys.readouterr().err
    )
    assert tree() == before


def test_an_update_of_one_that_was_never_added(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    commit = publish(host, source)
    assert add("--update", f"octo/checks@{commit}") == 2
    assert f"there is no {Path.cwd() / PLACE} to update; leave out --update" in capsys.readouterr().err
    Path(PLACE).mkdir(parents=True)
    Path(PLACE, "SKILL.md").write_text("mine")
    assert add("--update", f"octo/checks@{commit}") == 2
    assert "was not added by `skills add`: it has no provenance.json" in capsys.readouterr().err


def test_a_skill_that_does_not_load_is_not_taken(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write(f"skills/{NAME}/SKILL.md", "no front matter\n")
    commit = publish(host, source)
    assert add(f"octo/checks@{commit}") == 2
    err = capsys.readouterr().err
    assert f"octo/checks/skills/{NAME}/SKILL.md:1:1 S002 " in err
    assert err.endswith("nothing was written\n")
    assert not Path(".reviewbot").exists()


def test_a_skill_with_a_rule_that_ast_grep_refuses_is_not_taken(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = (path for path in skeleton(NAME) if path.startswith("rules/"))
    text = skeleton(NAME)[path].decode()
    head, _, rest = text.partition("\nrule:\n")
    _, _, tail = rest.partition("\nbad:")
    source.write(f"skills/{NAME}/{path}", f"{head}\nrule:\n  regex: '('\nbad:{tail}")
    commit = publish(host, source)
    assert add(f"octo/checks@{commit}") == 2
    err = capsys.readouterr().err
    assert " R006 the regex `(` does not parse" in err
    assert not Path(".reviewbot").exists()


def test_a_link_that_leads_out_of_the_repository_is_not_followed(
    host: GitHost, source: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "elsewhere").mkdir()
    Path(".reviewbot").mkdir()
    Path(".reviewbot/skills").symlink_to(tmp_path / "elsewhere")
    commit = publish(host, source)
    assert add(f"octo/checks@{commit}") == 2
    assert "leads out of the repository" in capsys.readouterr().err
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_repository_or_a_commit_that_is_not_there(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    commit = publish(host, source)
    for asked in (f"octo/nothing@{commit}", f"octo/checks@{'0' * 40}"):
        assert add(asked) == 2
        assert "or is not public; see that the commit is pushed there, and" in capsys.readouterr().err


def test_a_tag_or_a_tree_is_no_commit(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(host, source)
    for name in ("HEAD^{tree}", f"HEAD:skills/{NAME}/SKILL.md"):
        assert add(f"octo/checks@{source.git('rev-parse', name)}") == 2
        assert "reviewbot: error: " in capsys.readouterr().err
    assert not Path(".reviewbot").exists()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            "octo/checks@main",
            "'main' is no full commit id (40 hex digits); a branch, a tag or a short id can ",
        ),
        ("octo/checks", "is no OWNER/REPO[/PATH]@SHA; for example "),
    ],
)
def test_what_is_asked_for_must_be_exact(
    host: GitHost, capsys: pytest.CaptureFixture[str], asked: str, message: str
) -> None:
    assert add(asked) == 2
    assert message in capsys.readouterr().err
    assert host.requests == []


@pytest.mark.parametrize(
    "url",
    [
        "http://github.example.invalid",
        "http://127.0.0.1.example.invalid",
        "http://me:secret@127.0.0.1",
        "https://me@github.example.invalid",
        "git://127.0.0.1",
        "file:///etc",
        "ext::sh -c touch",
        "https://",
        "http://[bad",
        "/etc",
    ],
)
def test_only_https_or_this_machine(
    host: GitHost, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("GITHUB_SERVER_URL", url)
    assert add(f"octo/checks@{'0' * 40}") == 2
    err = capsys.readouterr().err
    assert "GITHUB_SERVER_URL" in err
    assert "secret" not in err


def test_a_redirect_does_not_lead_away_from_this_machine(
    host: GitHost, source: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    commit = publish(host, source)
    host.redirect("octo/moved", "octo/checks")
    assert add(f"octo/moved@{commit}") == 2
    assert "cannot fetch" in capsys.readouterr().err
    assert {path.split("/")[2] for path, _ in host.requests} == {"moved.git"}
