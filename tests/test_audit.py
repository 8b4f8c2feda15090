"""`audit` at the front door: a whole tree, and the debts that are known of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.launchers import FIXED, GATED, LAUNCH, STEP, Ran, ran
from tests.repos import Repo
from tests.test_rules_with_proof import RULE, SAFE, TOOL, UNSAFE
from tests.test_rules_with_proof import SKILL as CLEANING

RUNNER = "runners/launch.sh"
OTHER = "runners/launch_other.sh"
BASELINE = ".reviewbot/baseline.json"
Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return lambda repo, *argv: ran(repo, capsys, monkeypatch, "audit", *argv)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write("README.md", "launchers\n")
    repo.write(RUNNER, LAUNCH, mode=0o755)
    repo.commit("all of it")
    return repo


def found(review: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(f["path"], f["preexisting"]) for f in review["findings"]]


# --- the tree ---------------------------------------------------------------------------------


def test_every_line_counts_as_new(repo: Repo, run: Run) -> None:
    done = run(repo, "--format", "json")
    assert found(done.review) == [(RUNNER, False)]
    assert (done.code, done.review["verdict"], done.err) == (1, "findings", "")
    assert (done.review["base"], done.review["head"]) == (None, repo.git("rev-parse", "HEAD"))


def test_what_nobody_looked_at_is_named(repo: Repo, run: Run) -> None:
    repo.write("a.bin", b"\0\1")
    repo.write("runners/launch_latin.sh", b"#!/bin/bash\necho caf\xe9\n")
    repo.commit()
    done = run(repo, "--format", "json")
    left = {row["path"]: row["reason"] for row in done.review["coverage"]["uncovered"]}
    assert left["README.md"] == "no skill claims it"
    assert left["runners/launch_latin.sh"].startswith("not UTF-8")
    assert left.keys() == {"README.md", "a.bin", "runners/launch_latin.sh"}
    assert (done.code, done.review["verdict"]) == (3, "incomplete")


def test_the_commit_is_read_unless_the_work_tree_is_asked_for(repo: Repo, run: Run) -> None:
    repo.write(RUNNER, FIXED)
    repo.write(OTHER, LAUNCH)
    assert found(run(repo, "--format", "json").review) == [(RUNNER, False)]
    assert found(run(repo, "--worktree", "--format", "json").review) == [(OTHER, False)]


def test_only_what_was_named(repo: Repo, run: Run) -> None:
    repo.write(OTHER, LAUNCH)
    repo.write("runners2/launch.sh", LAUNCH)
    repo.commit()
    assert found(run(repo, OTHER, "--format", "json").review) == [(OTHER, False)]
    done = run(repo, "runners", "./runners/", "--format", "json")
    assert found(done.review) == [(RUNNER, False), (OTHER, False)]
    assert done.review["coverage"]["files"] == 2
    within = Repo.__new__(Repo)
    within.path = repo.path / "runners"
    assert found(run(within, "launch.sh", "--format", "json").review) == [(RUNNER, False)]
    assert len(run(within, "..", "--format", "json").review["findings"]) == 3
    assert "tree below runners" in run(repo, "runners").out


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["none.sh"], "there is no tracked file at none.sh; name a file or a folder of the tree"),
        (["runners", "../elsewhere"], "../elsewhere is not in the repository"),
        ([""], "PATH is empty"),
        (["--model"], "--model: there is no key and no provider; set ANTHROPIC_API_KEY, or leave it out"),
        (["--model", "--no-model"], "--model and --no-model do not go together"),
        (["--max-cost", "2"], "--max-cost has no meaning without --model: an audit asks none"),
        (["--baseline", "none.json"], "cannot read the baseline "),
        (["--baseline", ""], "BASELINE is empty"),
        (["--write-baseline", "runners"], "cannot read the baseline "),
        (["--write-baseline", "no/where.json"], "--write-baseline "),
        (["--write-baseline", RUNNER], f"{RUNNER}:1: not JSON: "),
    ],
)
def test_wrong_use_is_one_line(repo: Repo, run: Run, argv: list[str], line: str) -> None:
    done = run(repo, *argv)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"reviewbot: error: {line}")
    assert repo.git("status", "--porcelain") == ""


def test_a_baseline_that_is_no_regular_file_is_not_read(repo: Repo, run: Run) -> None:
    place = repo.file(BASELINE)
    place.parent.mkdir()
    for make in (lambda: place.symlink_to("/dev/zero"), lambda: os.mkfifo(place)):
        make()
        done = run(repo)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"reviewbot: error: {BASELINE} ")
        named = run(repo, "--baseline", BASELINE)
        assert (named.code, named.err.count("is not a regular file")) == (2, 1)
        place.unlink()


@pytest.mark.parametrize("link", [".reviewbot", BASELINE, "debts"])
def test_no_baseline_is_written_through_a_link(repo: Repo, run: Run, tmp_path: Path, link: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    repo.file(link).parent.mkdir(exist_ok=True)
    repo.file(link).symlink_to(elsewhere / "new.json" if link == BASELINE else elsewhere)
    done = run(repo, "--write-baseline", *(["debts/known.json"] if link == "debts" else []))
    assert (done.code, done.out) == (2, "")
    assert "is a link, or lies behind what is no folder; move that away" in done.err
    assert list(elsewhere.iterdir()) == []


def test_a_baseline_outside_of_the_repository_is_where_its_user_says(
    repo: Repo, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert run(repo, "--write-baseline", "../link/known.json").code == 0
    assert run(repo, "--baseline", "../link/known.json").code == 0
    assert (tmp_path / "real/known.json").is_file()


@pytest.mark.parametrize("worktree", [[], ["--worktree"]])
@pytest.mark.parametrize(
    ("target", "line"),
    [
        ("../runners", "at/rl is a link to ../runners; name runners instead"),
        ("/etc", "at/rl is a link to /etc; it leads to no path of this repository"),
        ("..", "at/rl is a link to ..; it leads to no path of this repository"),
    ],
)
def test_a_link_that_is_named_is_not_clean(
    repo: Repo, run: Run, worktree: list[str], target: str, line: str
) -> None:
    repo.link("at/rl", target)
    repo.commit()
    done = run(repo, "at/rl", *worktree)
    assert (done.code, done.out, done.err) == (2, "", f"reviewbot: error: {line}\n")
    assert run(repo, "at", *worktree).code == 0


def test_a_branch_without_a_commit(tmp_path: Path, run: Run) -> None:
    done = run(Repo(tmp_path / "empty"))
    assert (done.code, done.err) == (
        2,
        "reviewbot: error: branch main has no commit yet; commit something first\n",
    )


def test_an_empty_tree_is_said_to_be_empty(tmp_path: Path, run: Run) -> None:
    repo = Repo(tmp_path / "empty")
    repo.commit()
    assert "the tree is empty" in run(repo).out


def test_a_submodule_and_a_link_are_named(repo: Repo, run: Run) -> None:
    repo.link("runners/launch_link.sh", "launch.sh")
    repo.git("add", "-A")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD')},sub")
    repo.git("commit", "-q", "-m", "link and submodule")
    reasons = {
        row["path"]: row["reason"] for row in run(repo, "--format", "json").review["coverage"]["uncovered"]
    }
    assert reasons == {
        "README.md": "no skill claims it",
        "runners/launch_link.sh": "symlink",
        "sub": "submodule",
    }


def test_a_path_with_a_line_end(repo: Repo, run: Run) -> None:
    repo.write("runners/launch\n2.sh", LAUNCH)
    repo.commit()
    done = run(repo, "runners/launch\n2.sh", "--write-baseline")
    assert done.code == 0
    assert json.loads(repo.file(BASELINE).read_text())["findings"][0]["path"] == "runners/launch\n2.sh"
    assert found(run(repo, "--format", "json").review) == [(RUNNER, False), ("runners/launch\n2.sh", True)]


def test_an_unmerged_index_a_sparse_checkout_and_a_detached_head(repo: Repo, run: Run) -> None:
    repo.git("checkout", "-q", "--detach")
    repo.git("sparse-checkout", "set", "--no-cone", "/*", f"!/{RUNNER}")
    assert not repo.file(RUNNER).exists()
    blob = repo.git("rev-parse", "HEAD:README.md")
    repo.git("rm", "-q", "--cached", "README.md")
    rows = "".join(f"100644 {blob} {stage}\tREADME.md\n" for stage in (1, 2, 3))
    repo.git("update-index", "--index-info", stdin=rows.encode())
    assert found(run(repo, "--format", "json").review) == [(RUNNER, False)]


def test_the_skills_and_gates_of_the_tree_itself_count(repo: Repo, run: Run) -> None:
    repo.write(".reviewbot/skills/gated/SKILL.md", GATED)
    repo.write("tests/run.sh", "#!/bin/bash\necho 'runners/launch.sh:2: error: no'; exit 1\n")
    repo.commit()
    done = run(repo, "--skill", "gated", "--format", "json")
    assert [s["origin"] for s in done.review["skills"]] == ["base"]
    assert "changed-rules" not in {f["class"] for f in done.review["findings"]}
    assert [(f["origin"], f["path"], f["start_line"]) for f in done.review["findings"]] == [
        ("gate", RUNNER, 2),
        ("detector", RUNNER, 5),
    ]
    assert [g["blame"] for g in done.review["gates"]] == ["new"]


def test_a_proof_has_the_tree_that_is_audited(tmp_path: Path, run: Run) -> None:
    repo = Repo(tmp_path / "repo")
    repo.write(".reviewbot/skills/cleaning/SKILL.md", CLEANING)
    repo.write(".reviewbot/skills/cleaning/rules/empty-folder.yml", RULE)
    repo.write("tools/show.sh", TOOL, 0o755)
    repo.write("ops/unsafe.sh", UNSAFE)
    repo.write("ops/safe.sh", SAFE)
    repo.commit()
    done = run(repo, "--skill", "cleaning", "--format", "json")
    assert [(f["path"], f["grade"]) for f in done.review["findings"]] == [("ops/unsafe.sh", "proven")]
    assert [(r["path"], r["reason"]) for r in done.review["rejections"]] == [("ops/safe.sh", "disproved")]


# --- the baseline -----------------------------------------------------------------------------


def test_what_is_known_is_counted_and_not_reported(repo: Repo, run: Run) -> None:
    done = run(repo, "--write-baseline")
    assert (done.code, done.err) == (0, f"reviewbot: the baseline {BASELINE} has 1 entry; commit it\n")
    done = run(repo)
    assert done.code == 0
    words = " ".join(done.out.split())
    assert "clean: nothing new found; 1 of 2 files reviewed; 1 known; the baseline is .reviewbot" in words
    assert STEP not in done.out


def test_a_gate_that_is_known_to_fail_is_new_where_it_fails_otherwise(repo: Repo, run: Run) -> None:
    repo.write(".reviewbot/skills/gated/SKILL.md", GATED)
    repo.write(RUNNER, FIXED)
    repo.write("tests/run.sh", 'echo "needle missing in $RANDOM"; exit 1\n')
    repo.commit()
    assert run(repo, "--skill", "gated", "--write-baseline").code == 0
    assert run(repo, "--skill", "gated").code == 0
    repo.write("tests/run.sh", "echo CATASTROPHE; exit 99\n")
    repo.commit()
    assert run(repo, "--skill", "gated").code == 1


def test_the_file_is_small_and_made_to_be_read(repo: Repo, run: Run) -> None:
    run(repo, "--write-baseline")
    text = repo.file(BASELINE).read_text()
    [entry] = json.loads(text)["findings"]
    assert entry == {
        "path": RUNNER,
        "class": "a-failed-step-does-not-stop-the-launch",
        "fingerprint": entry["fingerprint"],
    }
    assert text == (
        '{\n  "schema": "reviewbot.baseline/1",\n  "findings": [\n'
        f'    {{"path": "{RUNNER}", "class": "{entry["class"]}", "fingerprint": "{entry["fingerprint"]}"}}\n'
        "  ]\n}\n"
    )
    run(repo, "--write-baseline")
    assert repo.file(BASELINE).read_text() == text


def test_what_is_new_stands_out(repo: Repo, run: Run) -> None:
    run(repo, "--write-baseline")
    repo.write(OTHER, LAUNCH)
    repo.commit()
    done = run(repo, "--format", "json")
    assert found(done.review) == [(OTHER, False), (RUNNER, True)]
    assert done.code == 1


def test_entries_hold_when_lines_move(repo: Repo, run: Run) -> None:
    run(repo, "--write-baseline")
    repo.write(RUNNER, LAUNCH.replace("set -x\n", "set -x\n\n# more\n# of it\n"))
    repo.commit()
    assert found(run(repo, "--format", "json").review) == [(RUNNER, True)]


def test_a_second_copy_of_a_known_line_is_new(repo: Repo, run: Run) -> None:
    run(repo, "--write-baseline")
    repo.write(
        RUNNER,
        LAUNCH + 'python3 tools/inject.py "$CONFIG"\nsbatch --export="ALL,CONFIG=$CONFIG" b || exit 1\n',
    )
    repo.commit()
    assert sorted(found(run(repo, "--format", "json").review)) == [(RUNNER, False), (RUNNER, True)]


def test_what_stands_for_nothing_is_named(repo: Repo, run: Run) -> None:
    repo.write(OTHER, LAUNCH)
    repo.commit()
    run(repo, "--write-baseline")
    repo.write(RUNNER, FIXED)
    repo.rm(OTHER)
    repo.commit()
    done = run(repo)
    assert done.code == 0
    assert done.err.count("reviewbot: stale in the baseline: ") == 2
    assert f"{OTHER} (a-failed-step-does-not-stop-the-launch " in done.err
    assert f"2 entries of {BASELINE} stand for nothing any more: {RUNNER} (" in " ".join(done.out.split())
    run(repo, "--write-baseline")
    assert json.loads(repo.file(BASELINE).read_text())["findings"] == []
    assert run(repo).err == ""


def test_an_audit_of_a_part_neither_doubts_nor_drops_the_rest(repo: Repo, run: Run) -> None:
    repo.write("tools/launch_x.sh", LAUNCH)
    repo.commit()
    run(repo, "--write-baseline")
    whole = repo.file(BASELINE).read_text()
    done = run(repo, "tools", "--write-baseline")
    assert (done.code, repo.file(BASELINE).read_text()) == (0, whole)
    assert run(repo, "tools").err == ""
    assert run(repo, "--skill", "silent-failures").err == ""


def test_another_file(repo: Repo, run: Run) -> None:
    done = run(repo, "--write-baseline", "known.json", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert not repo.file(BASELINE).exists()
    assert run(repo).code == 1
    assert run(repo, "--baseline", "known.json").code == 0


def test_what_is_incomplete_stays_so_with_a_baseline(repo: Repo, run: Run) -> None:
    repo.write("runners/launch_latin.sh", b"#!/bin/bash\necho caf\xe9\n")
    repo.commit()
    assert run(repo, "--write-baseline").code == 3
    assert run(repo).code == 3


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", "1: not JSON"),
        ("<<<<<<< ours\n", "1: not JSON"),
        ('{\n  "schema": "reviewbot.baseline/1",\n  "findings": [\n=======\n', "4: not JSON"),
        ("[]", "1: it names no schema"),
        ('{\n"schema": "reviewbot.baseline/9", "findings": []}', "2: its schema is 'reviewbot.baseline/9'"),
        ('{"schema": "reviewbot.baseline/1"}', "1: it has `schema` and the list `findings`"),
        ('{"schema": "reviewbot.baseline/1", "findings": [],\n"more": 1}', "2: it has `schema`"),
        (
            '{"schema": "reviewbot.baseline/1", "findings": [\n'
            '{"path": "a", "class": "b", "fingerprint": "0123456789abcdef"},\n3]}',
            "3: an entry is an object",
        ),
        (
            '{"schema": "reviewbot.baseline/1", "findings": [\n\n{"path": "a", "class": "b"}]}',
            "3: an entry has a fingerprint, a text",
        ),
        (
            '{"schema": "reviewbot.baseline/1", "findings": [\n'
            '{"path": "a", "class": "b", "fingerprint": "x"}]}',
            "2: 'x' is no fingerprint of 16 hexadecimal digits",
        ),
        ("[" * 100_000, "1: "),
    ],
    ids=range(11),
)
def test_a_malformed_baseline_is_one_line(repo: Repo, run: Run, text: str, line: str) -> None:
    repo.write(BASELINE, text)
    for argv in ((), ("--write-baseline",)):
        done = run(repo, *argv)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert done.err.startswith(f"reviewbot: error: {BASELINE}:{line}")
        assert "`reviewbot audit --write-baseline`" in done.err
    assert repo.file(BASELINE).read_text() == text


def test_a_baseline_that_is_no_text(repo: Repo, run: Run) -> None:
    repo.write(BASELINE, b"{\n\n\xff}")
    assert run(repo).err.startswith(f"reviewbot: error: {BASELINE}:3: not UTF-8")


def test_diff_has_no_use_for_it(repo: Repo, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run(repo, "--write-baseline")
    repo.git("checkout", "-q", "-b", "work")
    repo.write(OTHER, LAUNCH)
    repo.commit()
    capsys.readouterr()
    assert cli.run(["diff", "main", "--format", "json"]) == 1
    assert found(json.loads(capsys.readouterr().out)) == [(OTHER, False)]


def test_help_says_that_no_model_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["audit", "--help"]) == 0
    out = capsys.readouterr().out
    words = " ".join(out.split())
    assert "ask a model too; without this none is asked, even where there is a key" in words
