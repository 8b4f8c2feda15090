"""Placeholders and globs of gate lines that execute, at the front door: no shell reads them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.repos import Repo

SKILL = """\
---
name: gates
description: Review by gates.
---
# Gates

## Files in scope

| Stage | File |
|---|---|
| convert | `convert-<model>.sh` |
| arms | `arms/<model>/<arm>.sh` |
| all | `**` |

## Defect classes

1. **A gate fails.** It stays red. Fix: mend it.

## Gates

```bash gate
{lines}
```
"""
SAY = '#!/bin/bash\nprintf \'%s,\' "$#" "$@"\n'


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write("say.sh", SAY, 0o755)
    monkeypatch.chdir(repo.path)
    return repo


def change(repo: Repo, files: dict[str, str]) -> None:
    """What is there is base; a change adds or edits these."""
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "head")
    for name, text in files.items():
        repo.write(os.fsencode(name), text, 0o755)
    repo.commit("head")


class Reviewed:
    def __init__(self, code: int, document: dict[str, Any]) -> None:
        self.code = code
        self.document = document
        self.ran = [(" ".join(g["command"]), g["status"]) for g in document["gates"]]
        self.tails = [g["tail"] for g in document["gates"]]
        self.reasons = [g["reason"] for g in document["gates"]]


@pytest.fixture
def review(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def ask(*lines: str, skill: str = SKILL) -> Reviewed:
        path = tmp_path / "SKILL.md"
        path.write_text(skill.format(lines="\n".join(lines)))
        code = cli.run(["diff", "main", "--skill", str(path), "--format", "json"])
        out, err = capsys.readouterr()
        assert err == ""
        return Reviewed(code, json.loads(out))

    return ask


# --- <each> -------------------------------------------------------------------------------


def test_each_is_a_process_for_each_changed_file_of_its_pattern(repo: Repo, review: Any) -> None:
    repo.write("lib/old.sh", "true\n")
    change(repo, {"lib/a.sh": "true\n", "lib/b c.sh": "true\n", "lib/x.py": "1\n", "d/lib/e.sh": "true\n"})
    found = review("./say.sh lib/<each>.sh")
    assert found.ran == [("./say.sh lib/a.sh", "passed"), ("./say.sh lib/b c.sh", "passed")]
    assert found.tails == ["1,lib/a.sh,", "1,lib/b c.sh,"]


def test_each_alone_is_every_changed_file_in_scope(repo: Repo, review: Any) -> None:
    change(repo, {"a.sh": "true\n", "d/b": "x\n"})
    assert review("./say.sh <each>").tails == ["1,a.sh,", "1,d/b,"]


def test_no_changed_file_of_the_pattern_is_skipped_and_not_passed(repo: Repo, review: Any) -> None:
    change(repo, {"a.sh": "true\n"})
    found = review("./say.sh tests/<each>.bats", "./say.sh <arm>")
    assert found.ran == [("./say.sh tests/<each>.bats", "skipped"), ("./say.sh <arm>", "skipped")]
    assert found.reasons == [
        "no changed file matches tests/<each>.bats",
        "no changed file matches arms/<model>/<arm>.sh",
    ]


@pytest.mark.parametrize("name", ["-rf", "$(touch x)", "a\nb", "caf\udce9", "a;b", "* ?", "'"])
def test_a_name_is_one_word_and_no_option(repo: Repo, review: Any, name: str) -> None:
    script = "import os, sys\nprint(len(sys.argv), os.path.exists(sys.argv[1]), sys.argv[1][0])\n"
    repo.write("say.py", script)
    change(repo, {name: "x\n"})
    first = "." if name == "-rf" else name[0]
    assert review("python3 say.py <each>").tails == [f"2 True {first}"]


def test_a_changed_script_is_started_and_no_program_of_its_name(repo: Repo, review: Any) -> None:
    change(repo, {"true.sh": "#!/bin/bash\necho ours\n"})
    assert review("./<each>.sh").tails == ["ours"]


def test_the_failure_of_each_file_is_a_finding_of_its_own(repo: Repo, review: Any) -> None:
    repo.write("check.sh", '#!/bin/bash\n! grep -q bad "$1"\n', 0o755)
    change(repo, {"lib/a": "bad\n", "lib/b": "good\n", "lib/c": "bad\n"})
    found = review("./check.sh lib/<each>")
    assert [status for _, status in found.ran] == ["failed", "passed", "failed"]
    titles = [f["title"] for f in found.document["findings"]]
    assert titles == ["`./check.sh lib/a` fails", "`./check.sh lib/c` fails"]
    assert len({f["fingerprint"] for f in found.document["findings"]}) == 2


def test_files_beyond_the_limit_are_named_and_the_review_is_incomplete(repo: Repo, review: Any) -> None:
    change(repo, {f"lib/{number:03}.txt": "x\n" for number in range(203)})
    found = review("true lib/<each>.txt")
    assert [status for _, status in found.ran] == ["passed"] * 200 + ["refused"]
    why = "more than 200 processes for one line; not run: "
    assert found.reasons[-1] == why + ", ".join(f"true lib/{number}.txt" for number in range(200, 203))
    assert found.code == 3


# --- bound placeholders -------------------------------------------------------------------


def test_a_placeholder_of_the_scope_stands_for_what_the_changed_files_have_there(
    repo: Repo, review: Any
) -> None:
    repo.write("convert-old.sh", "true\n")
    change(repo, {"convert-a.sh": "true\n", "tools/convert-b c.sh": "true\n"})
    found = review("./say.sh <model> tests/<model>.txt")
    assert found.tails == ["2,a,tests/a.txt,", "2,b c,tests/b c.txt,"]


def test_placeholders_of_one_row_come_from_one_file(repo: Repo, review: Any) -> None:
    change(repo, {"arms/x/1.sh": "true\n", "arms/y/2.sh": "true\n"})
    assert review("./say.sh <arm> --of=<model>").tails == ["2,1,--of=x,", "2,2,--of=y,"]


def test_each_beside_a_bound_placeholder_is_the_file_that_binds_it(repo: Repo, review: Any) -> None:
    change(repo, {"convert-a.sh": "true\n", "other.sh": "true\n"})
    assert review("./say.sh <each> <model>").tails == ["2,convert-a.sh,a,"]


@pytest.mark.parametrize(
    ("name", "word", "why"),
    [
        ("convert--x.sh", "<model>", "`-x` would be read as an option"),
        ("convert-...sh", "<model>/a", "`../a` reaches outside the repository"),
    ],
)
def test_a_value_that_is_no_plain_word_is_refused(
    repo: Repo, review: Any, name: str, word: str, why: str
) -> None:
    change(repo, {name: "true\n"})
    found = review(f"./say.sh {word}")
    assert (found.code, found.reasons) == (3, [why])


def test_a_placeholder_that_nothing_binds_is_refused(repo: Repo, review: Any) -> None:
    change(repo, {"convert-a.sh": "true\n"})
    found = review("./say.sh <corpus>")
    assert (found.code, found.reasons) == (3, ["nothing says what <corpus> stands for"])


# --- globs --------------------------------------------------------------------------------


def test_globs_are_the_files_of_the_tree(repo: Repo, review: Any) -> None:
    for name in ("t/b.x", "t/a.x", "t/.hidden.x", "t/Z.x", "t/deep/c.x", "-o.x", "t/c y.x"):
        repo.write(name, "")
    repo.link("t/away", "/etc")
    repo.link("t/l.x", "nowhere")
    change(repo, {"t/new.x": ""})
    cases = {
        "t/*.x": "t/Z.x,t/a.x,t/b.x,t/c y.x,t/l.x,t/new.x",
        "t/[ab].x": "t/a.x,t/b.x",
        "t/[!a-z].x": "t/Z.x",
        "t/?.x": "t/Z.x,t/a.x,t/b.x,t/l.x",
        "*.x": "./-o.x",
        "t/.*.x": "t/.hidden.x",
        "**/a.x": "t/a.x",
        "./t/a*": "./t/a.x,./t/away",
        "t/*/": "t/deep/",
        "t/*/hosts": "t/*/hosts",
        "no/*.x": "no/*.x",
        "'t/*.x'": "t/*.x",
        't/"*"[a].x': "t/*[a].x",
        "t/\\*.x": "t/*.x",
        "'t'/a.*": "t/a.x",
    }
    found = review(*(f"./say.sh {line}" for line in cases))
    assert [tail.partition(",")[2].rstrip(",") for tail in found.tails] == list(cases.values())
    assert found.document["gates"][1]["command"] == ["./say.sh", "t/a.x", "t/b.x"]


def test_a_captured_name_is_no_glob(repo: Repo, review: Any) -> None:
    repo.write("t/a.x", "")
    change(repo, {"convert-*.sh": "true\n", "t/*.x": ""})
    found = review("./say.sh t/<model>.x t/a*", "./say.sh t/<each>.x t/a*")
    assert found.tails == ["2,t/*.x,t/a.x,", "2,t/*.x,t/a.x,"]


def test_base_is_run_on_the_files_of_base(repo: Repo, review: Any) -> None:
    repo.write("fail.sh", '#!/bin/bash\ncat "$1"\nexit 1\n', 0o755)
    repo.write("t/a.x", "a\n")
    change(repo, {"t/b.x": "b\n"})
    found = review("./fail.sh t/*.x")
    (gate,) = found.document["gates"]
    assert gate["command"] == ["./fail.sh", "t/a.x", "t/b.x"]
    assert (gate["status"], gate["blame"]) == ("failed", "preexisting")


def test_a_glob_that_has_no_file_at_base_is_new(repo: Repo, review: Any) -> None:
    repo.write("fail.sh", "#!/bin/bash\nexit 1\n", 0o755)
    change(repo, {"t/b.x": "b\n"})
    (gate,) = review("./fail.sh t/*.x").document["gates"]
    assert (gate["status"], gate["blame"]) == ("failed", "new")


def test_a_result_that_was_kept_has_the_command_that_ran(repo: Repo, review: Any) -> None:
    repo.write("fail.sh", "#!/bin/bash\nexit 1\n", 0o755)
    repo.write("t/a.x", "a\n")
    change(repo, {"t/b.x": "b\n"})
    lines = "./say.sh t/*.x", "./say.sh 't/*.x'", "./say.sh t/*", "./fail.sh t/[b].x"
    found, again = review(*lines), review(*lines)
    assert found.ran == [
        ("./say.sh t/a.x t/b.x", "passed"),
        ("./say.sh t/*.x", "passed"),
        ("./say.sh t/a.x t/b.x", "passed"),
        ("./fail.sh t/b.x", "failed"),
    ]
    assert (again.ran, again.tails) == (found.ran, found.tails)
    assert all(reason.startswith("kept from ") for reason in again.reasons)


# --- the procedure that reviewbot was written for ------------------------------------------


PROCEDURE = """\
---
name: campaign
description: Review the scripts of a campaign for what wastes its hours.
---
# Campaign

## Files in scope

| Stage | File |
|---|---|
| all | `*.sh` |
| all | `*.py` |

## Defect classes

1. **A lost hour.** Nobody gives it back. Fix: look first.

## Procedure

1. Read it all.
2. Mechanical gates:
```bash
python3 -m py_compile scripts/*.py
bash -n scripts/<each>.sh
shellcheck -S warning scripts/<each>.sh # never pass .py to it
./tests/run.sh
```
3. Try it where the data is:
```bash
ssh box 'python3 - --corpus <corpus> --out /tmp/<x>' \\
< scripts/cut.py
```
"""


def test_the_second_shell_file_is_caught_and_the_fence_with_ssh_is_nobodys(
    repo: Repo, review: Any, tmp_path: Path
) -> None:
    suite = '#!/bin/bash\nset -eu\n! test -e .git\ntest "$(id -u)" != 0\necho suite\nls -A scripts\n'
    repo.write("tests/run.sh", suite, 0o755)
    for name in ("one", "two"):
        repo.write(f"scripts/{name}.sh", "#!/bin/bash\nexit 0\n")
    change(
        repo,
        {
            "scripts/cut.py": "print(1)\n",
            "scripts/one.sh": "#!/bin/bash\nexit 1\n",
            "scripts/two.sh": "#!/bin/bash\nif true; then\n",
        },
    )
    found = review(skill=PROCEDURE.replace("{", "{{").replace("}", "}}"))
    assert found.ran == [
        ("python3 -m py_compile scripts/cut.py", "passed"),
        ("bash -n scripts/one.sh", "passed"),
        ("bash -n scripts/two.sh", "failed"),
        ("shellcheck -S warning scripts/one.sh", "passed"),
        ("shellcheck -S warning scripts/two.sh", "failed"),
        ("./tests/run.sh", "passed"),
    ]
    assert found.tails[-1] == "suite\ncut.py\none.sh\ntwo.sh"
    assert found.code == 1
    assert {f["path"] for f in found.document["findings"]} == {"scripts/two.sh"}
    assert found.document["incomplete"] == []
    assert not [name for _, _, files in os.walk(tmp_path) for name in files if name == ".sh"]
