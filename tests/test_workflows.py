"""Our workflows, our action, and the examples that others copy: clean under zizmor, and by the rules below.

zizmor runs without a network. actionlint runs in `make workflows`, which CI does: its package fetches a
program from GitHub, and the tests need a package index and nothing more. What must not be left to that run
is asked here too. Each check is shown a workflow that it has to refuse.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
EXAMPLES = sorted((ROOT / "docs" / "action").glob("*.yml"))
ACTIONS = sorted((ROOT / ".github" / "actions").glob("*/action.yml"))
ALL = [*WORKFLOWS, *EXAMPLES, *ACTIONS]
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+(?: .*)?")
USES = re.compile(r"^\s*(?:- )?uses: (?P<what>.+)$", re.M)
EXPRESSION_IN_SHELL = re.compile(r"\$\{\{")


def zizmor(*paths: Path) -> tuple[int, str]:
    tool = Path(sys.executable).parent / "zizmor"
    argv = (tool, "--offline", "--quiet", "--no-config", "--format", "plain", *paths)
    done = subprocess.run(argv, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def unpinned(text: str) -> list[str]:
    """What a workflow uses of others without a whole commit and the version that it is."""
    used = [match["what"] for match in USES.finditer(text)]
    return [what for what in used if not what.startswith("./") and not PINNED.fullmatch(what)]


def loaded(text: str) -> dict[Any, Any]:
    made: dict[Any, Any] = yaml.safe_load(text)
    return made


def steps(document: dict[Any, Any]) -> Iterator[dict[str, Any]]:
    """Of a workflow or of a composite action."""
    for job in document.get("jobs", {}).values():
        yield from job.get("steps", ())
    yield from document.get("runs", {}).get("steps", ())


def loose(text: str) -> list[str]:
    """What a workflow leaves open that costs nothing to close."""
    document = loaded(text)
    said = [] if document.get("permissions") == {} else ["permissions of the whole workflow are not {}"]
    said += [] if "concurrency" in document else ["no concurrency"]
    for name, job in document["jobs"].items():
        said += [] if "permissions" in job else [f"{name}: no permissions of its own"]
        said += [] if "timeout-minutes" in job or "uses" in job else [f"{name}: no timeout"]
    for step in steps(document):
        if step.get("uses", "").startswith("actions/checkout@"):
            kept = step.get("with", {}).get("persist-credentials", True)
            said += ["a checkout keeps its credentials"] if kept else []
    return said


def spliced(text: str) -> list[str]:
    """Commands into which GitHub writes a value before any shell reads them."""
    commands = [str(step.get("run", "")) for step in steps(loaded(text))]
    return [command for command in commands if EXPRESSION_IN_SHELL.search(command)]


def test_there_is_something_to_look_at() -> None:
    assert [path.stem for path in WORKFLOWS] == ["ci", "nightly", "release", "review"]
    assert EXAMPLES
    assert ACTIONS


def test_zizmor_finds_nothing() -> None:
    status, said = zizmor(*ALL)
    assert status == 0, said


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_others_wrote_is_pinned_and_nothing_is_spliced(path: Path) -> None:
    text = path.read_text()
    assert unpinned(text) == []
    assert spliced(text) == []


@pytest.mark.parametrize("path", [*WORKFLOWS, *EXAMPLES], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_workflow_may_do_little_and_ends(path: Path) -> None:
    assert loose(path.read_text()) == []


def test_one_action_has_one_commit_for_each_version() -> None:
    """Two commits that call themselves the same version: one of them is not it."""
    pins: dict[str, set[str]] = {}
    for path in ALL:
        for match in USES.finditer(path.read_text()):
            if pinned := re.match(r"(\S+)@([0-9a-f]{40}) # (v[\d.]+)", match["what"]):
                pins.setdefault(f"{pinned[1]} {pinned[3]}", set()).add(pinned[2])
    assert pins
    assert {name: commits for name, commits in pins.items() if len(commits) > 1} == {}


PLANTED = """\
name: planted
on: pull_request_target
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          ref: ${{ github.event.pull_request.head.sha }}
      - run: echo "${{ github.event.pull_request.title }}"
"""


def test_a_bad_workflow_fails_each_check(tmp_path: Path) -> None:
    planted = tmp_path / ".github" / "workflows" / "planted.yml"
    planted.parent.mkdir(parents=True)
    planted.write_text(PLANTED)
    status, said = zizmor(*ALL, planted)
    assert status != 0
    assert {"dangerous-triggers", "template-injection", "unpinned-uses"} <= set(
        re.findall(r"\[([a-z-]+)\]", said)
    )
    assert unpinned(PLANTED) == ["actions/checkout@v4"]
    assert spliced(PLANTED) == ['echo "${{ github.event.pull_request.title }}"']
    assert loose(PLANTED) == [
        "permissions of the whole workflow are not {}",
        "no concurrency",
        "build: no permissions of its own",
        "build: no timeout",
        "a checkout keeps its credentials",
    ]


@pytest.mark.parametrize(
    "pin", ["@v6", "@8e8c483", f"@{'a' * 40}", f"@{'a' * 40} # latest", f"@{'a' * 40} # v6"]
)
def test_a_pin_without_its_whole_commit_or_version_is_none(pin: str) -> None:
    assert unpinned(f"      - uses: actions/checkout{pin}\n") == [f"actions/checkout{pin}"]


# --- what the workflows promise ------------------------------------------------------------


def test_ci_waits_for_every_job_of_it() -> None:
    jobs = loaded((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    assert set(jobs["all-green"]["needs"]) == set(jobs) - {"all-green"}


def test_ci_runs_every_supported_python() -> None:
    jobs = loaded((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]
    assert jobs["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]


def test_targets_and_scripts_that_workflows_call_are_there() -> None:
    commands = "\n".join(
        str(step.get("run", "")) for path in WORKFLOWS for step in steps(loaded(path.read_text()))
    )
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    called = set(re.findall(r"\bmake (?:-C \S+ )?([a-z]+)", commands))
    assert called >= {"lint", "workflows", "test", "wheel", "docs", "fuzz", "bench"}
    assert called - targets == set()
    scripts = set(re.findall(r"\b((?:scripts|bench)/[\w.-]+)", commands))
    assert scripts >= {"scripts/bootstrap", "scripts/smoke", "scripts/release-notes"}
    assert [name for name in scripts if not (ROOT / name).is_file()] == []


def test_what_may_write_to_the_world_runs_no_build() -> None:
    """The job that holds the identity publishes what another one built, and runs no code of ours."""
    jobs = loaded((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    for name in ("attest", "publish"):
        assert jobs[name]["permissions"]["id-token"] == "write"
        assert [step for step in jobs[name]["steps"] if "run" in step] == []
    assert "id-token" not in jobs["build"]["permissions"]
    assert set(jobs["attest"]["needs"]) == {"ci", "build"}


def test_the_reviewer_is_that_of_the_base() -> None:
    """Else a pull request could bring the reviewer that approves of it, with a token that may write."""
    job = loaded((ROOT / ".github/workflows/review.yml").read_text())["jobs"]["review"]
    assert job["steps"][0]["with"]["ref"] == "${{ github.event.pull_request.base.sha }}"
