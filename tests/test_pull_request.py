"""The front door on GitHub: `reviewbot pr` against a pull request of a real repository on the fake GitHub.

Ten pushes to one pull request: whatever happens to the branch, nobody is told a thing twice.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from reviewbot.cli.pr import pull_named
from reviewbot.core.errors import UsageError
from tests.fakes.github import FakePull
from tests.pulls import Launched, documents, launched, reviewed

STEP = 'python3 "$ROOT/runners/inject_acceptance.py" "$CONFIG_PATH" "$FRAMEWORK"'
WAITS = """#!/usr/bin/env bash
set -euo pipefail

vllm serve --port 8000 &
SERVER_PID=$!
trap 'kill "$SERVER_PID"' EXIT
until curl --silent --fail http://localhost:8000/health > /dev/null; do
    sleep 5
done
"""


def new_defect(it: Launched) -> None:
    it.work.write("benchmarks/bench_eval.sh", WAITS)
    it.push("a second benchmark")


def fix(it: Launched) -> None:
    edit(it, "runners/launch_h200.sh", STEP, f"{STEP} || exit 1")
    it.push("stop when the step fails")


def move(it: Launched) -> None:
    script = it.work.file("benchmarks/bench_serving.sh").read_text()
    first, rest = script.split("\n", 1)
    it.work.write("benchmarks/bench_serving.sh", f"{first}\n" + "# a line above\n" * 20 + rest)
    verifier = it.work.file("tools/convert_checkpoint.py").read_text()
    at, end = verifier.index("def verify_values"), verifier.index('if __name__ == "__main__"')
    text = verifier[at:end]
    begin = verifier.index("def convert(")
    it.work.write(
        "tools/convert_checkpoint.py",
        verifier[:begin] + text + verifier[begin:at] + verifier[end:],
    )
    it.push("move things")


def rename(it: Launched) -> None:
    it.work.git("mv", "tools/quantize.sh", "tools/quantize_model.sh")
    it.push("a better name")


def rebase(it: Launched) -> None:
    upstream(it, "docs/upstream.md", "Something else.\n")
    it.work.git("rebase", "-q", "refs/remotes/origin/main")
    it.publish(force=True)


def force_push(it: Launched) -> None:
    it.work.git("reset", "-q", "--soft", "refs/remotes/origin/main")
    it.push("all in one", force=True)


def unrelated(it: Launched) -> None:
    it.work.write("docs/more.md", "Nothing to review.\n")
    it.push("documentation")


def revert(it: Launched) -> None:
    edit(it, "runners/launch_h200.sh", f"{STEP} || exit 1", STEP)
    it.push("revert the fix")


def merge(it: Launched) -> None:
    upstream(it, "tools/other.sh", "#!/usr/bin/env bash\nset -euo pipefail\necho other\n")
    it.work.git("merge", "-q", "--no-edit", "refs/remotes/origin/main")
    it.publish()


def same(it: Launched) -> None:
    """No push: the same head again."""


PUSHES = (new_defect, fix, move, rename, rebase, force_push, unrelated, revert, merge, same)
FRESH = {new_defect: 1}  # comments that are new after a push


def test_ten_pushes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    with launched(tmp_path, monkeypatch) as it:
        assert reviewed(capsys, "--post")[0] == 1
        assert len(it.pull.review_comments) == 4
        for push in PUSHES:
            before, writes = len(tops(it.pull)), len(it.github.writes)
            push(it)
            code, out, err = reviewed(capsys, "--post")
            assert code == 1, (push, out, err)
            assert len(tops(it.pull)) - before == FRESH.get(push, 0), push
            assert not [e for e in it.github.log if e.status == 422], push
            assert len(it.pull.comments) == 1, push
            assert len(told(it.pull)) == len(tops(it.pull)), push
            handled(it, push, len(it.github.writes) - writes)


def handled(it: Launched, push: Any, writes: int) -> None:
    """What this push is known for."""
    [launch] = [t for t in it.pull.threads if t.path == "runners/launch_h200.sh"]
    open_now = {t.path for t in it.open_threads()}
    if push in (new_defect, revert, merge, same):
        assert launch.path in open_now, push
    else:
        assert launch.resolved_by == "reviewbot[bot]", push
    replies = [c["body"] for c in launch.comments[1:]]
    assert len(replies) == {new_defect: 0, revert: 2, merge: 2, same: 2}.get(push, 1), replies
    assert len(it.open_threads()) == (5 if push in (new_defect, revert, merge, same) else 4)
    if push is same:
        assert writes == 0


def test_the_same_change_gives_the_same_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with launched(tmp_path, monkeypatch) as it:
        there = documents(capsys)
        monkeypatch.chdir(it.work.path)
        assert cli.run(["diff", "origin/main", "--format", "json"]) == 1
        here = json.loads(capsys.readouterr().out)
    assert timeless(there) == timeless(here)
    assert len(here["findings"]) == 5


def test_a_dry_run_prints_what_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with launched(tmp_path, monkeypatch) as it:
        code, out, _ = reviewed(capsys, "--dry-run")
        planned = json.loads(out)
        assert code == 1
        assert it.github.writes == []
        assert reviewed(capsys, "--post")[0] == 1
        sent = [(e.method, e.path) for e in it.github.writes]
        assert planned["schema"] == "reviewbot.publication/1"
        assert [(r["method"], with_ids(r["path"], it.pull)) for r in planned["requests"]] == sent
        for ours, theirs in zip(planned["requests"], it.github.writes, strict=True):
            assert comparable(ours["body"]) == comparable(theirs.body)


def tops(pull: FakePull) -> list[dict[str, Any]]:
    """The comments that began a thread."""
    return [c for c in pull.review_comments if not c.get("in_reply_to_id")]


def told(pull: FakePull) -> Counter[str]:
    """The fingerprints in the markers of our comments."""
    return Counter(c["body"].split('"fingerprints":["')[1].split('"')[0] for c in tops(pull))


def timeless(document: dict[str, Any]) -> dict[str, Any]:
    gates = [{**gate, "seconds": 0} for gate in document["gates"]]
    return {**document, "gates": gates, "usage": {**document["usage"], "seconds": 0}}


def comparable(body: Any) -> str:
    """Without the time of day, how long it took, and the number of a comment: a rehearsal has none."""
    import re

    text = re.sub(r"#discussion_r\d+", "", json.dumps(body, sort_keys=True))
    text = re.sub(r"Took [^.]*\.|\d+ s\b", "", text)
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "", text)


def with_ids(path: str, pull: FakePull) -> str:
    ids = {"{check_run_id}": pull.check_runs[0]["id"], "{comment_id}": pull.comments[0]["id"]}
    for placeholder, number in ids.items():
        path = path.replace(placeholder, str(number))
    return path


def edit(it: Launched, name: str, old: str, new: str) -> None:
    text = it.work.file(name).read_text()
    assert text.count(old) == 1
    it.work.write(name, text.replace(old, new))


def upstream(it: Launched, name: str, content: str) -> None:
    """A commit on the base branch by somebody else."""
    branch = it.work.git("rev-parse", "--abbrev-ref", "HEAD")
    it.work.git("checkout", "-q", "--detach", "refs/remotes/origin/main")
    it.work.write(name, content)
    it.work.commit("upstream")
    it.work.git("push", "-q", str(it.pull.repository.path), "HEAD:refs/heads/main")
    it.work.git("update-ref", "refs/remotes/origin/main", "HEAD")
    it.work.git("checkout", "-q", branch)


# --- which pull request is meant ------------------------------------------------------------


@pytest.mark.parametrize("text", ["../..#7", "acme/..#7", "acme/.#7", "./x#7", "acme#7", "a/b/c#7", "a/x#७"])
def test_what_names_no_pull_request_is_a_wrong_use(text: str) -> None:
    with pytest.raises(UsageError, match="names no pull request"):
        pull_named(text)


@pytest.mark.parametrize(
    ("server", "text", "wrong"),
    [
        ("", "https://github.com/acme/launcher/pull/7", ""),
        ("https://GHE.example", "https://ghe.example/acme/launcher/pull/7/", ""),
        ("https://ghe.example", "acme/launcher#7", ""),
        ("", "https://ghe.example/acme/launcher/pull/7", "on ghe.example, and github.com is asked"),
        ("https://ghe.example", "https://github.com/acme/launcher/pull/7", "and ghe.example is asked"),
        ("", "https://github.com/acme/../pull/7", "names no pull request"),
    ],
)
def test_the_address_of_another_server_is_not_taken_for_one_here(
    server: str, text: str, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host was thrown away: a pull request of the same name on another server was reviewed."""
    monkeypatch.setenv("GITHUB_SERVER_URL", server)
    if not wrong:
        assert pull_named(text) == ("acme/launcher", 7)
        return
    with pytest.raises(UsageError, match=wrong) as error:
        pull_named(text)
    assert ("GITHUB_SERVER_URL" in str(error.value)) == ("asked" in wrong)
