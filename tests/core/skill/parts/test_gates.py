"""Which fences are gates, and what may become of each of their lines."""

from __future__ import annotations

import pytest

from reviewbot.core.skill.parts.gateline import parse_gate
from tests.skillfiles import FRONT, codes, skill_of


def lines(body: str) -> list[str]:
    return [gate.line for gate in skill_of(body).gates]


@pytest.mark.parametrize(
    "body",
    [
        "```bash gate\nbash -n a.sh\n```\n",
        "~~~sh smoke\nbash -n a.sh\n~~~\n",
        "## Mechanical gates (all of them)\n\nText.\n\n```bash\nbash -n a.sh\n```\n",
        "## Preflight\n\n```sh\nbash -n a.sh\n```\n",
        "## Procedure\n\n1. First the mechanical\n   gates:\n\n   ```bash\n   bash -n a.sh\n   ```\n",
        "Gates:\n```bash\nbash -n a.sh\n```\n",
        "1. **Mechanical gates.**\n```bash\nbash -n a.sh\n```\n",
        "1. Run the gates\n```bash\nbash -n a.sh\n```\n",
        "## Procedure\n\n### 2. Pre-flight\n\n```bash\nbash -n a.sh\n```\n",
    ],
)
def test_a_fence_that_is_marked_holds_gates(body: str):
    assert lines(body) == ["bash -n a.sh"]


@pytest.mark.parametrize(
    "body",
    [
        "## Procedure\n\n```bash\nbash -n a.sh\n```\n",
        "## Procedure\n\n1. Gates: none.\n```bash\nbash -n a.sh\n```\n",
        "Gates:\n```python\nprint()\n```\n",
        "Gates:\n\nSee there.\n```bash\nbash -n a.sh\n```\n",
        "## Mechanical gates\n\n```yaml\na: b\n```\n",
        "## Bugs\n\n### Gates that come late\n\n```bash\nbash -n a.sh\n```\n",
        "## Output\n\n### Gates\n\n```bash\nbash -n a.sh\n```\n",
    ],
)
def test_no_other_fence_does(body: str):
    assert lines(body) == []


def test_only_the_first_fence_behind_the_word_holds_gates():
    body = "Gates:\n```bash\nbash -n a.sh\n```\n```bash\nrm -rf x\n```\n\nThen:\n```bash\nmake\n```\n"
    assert lines(body) == ["bash -n a.sh"]


def test_comments_blanks_prompts_and_continuations():
    body = "## Gates\n```bash\n# first\n\n$ bash -n \\\n    a.sh\nsh -n b.sh # note\n```\n"
    skill = skill_of(body)
    assert [(gate.argv, gate.note, gate.at) for gate in skill.gates] == [
        (("bash", "-n", "a.sh"), "", 9),
        (("sh", "-n", "b.sh"), "note", 11),
    ]


def test_a_fence_without_a_language_is_said():
    assert codes(FRONT + "## Gates\n\n```\nbash -n a.sh\n```\n", level="warning") == ["7:1 S107"]


def test_a_fence_that_reaches_the_network_is_refused_whole():
    body = "## Gates\n\n```bash\nbash -n a.sh\n  scp a.sh box:\n```\n"
    assert [(gate.kind, gate.reason) for gate in skill_of(body).gates] == [
        ("refused", "its fence uses the network (`scp`)"),
        ("refused", "`scp` uses the network"),
    ]
    assert codes(FRONT + body, level="warning") == ["8:1 S009", "9:3 S009"]


def test_more_gates_than_anyone_runs_are_an_error():
    body = "## Gates\n\n```bash\n" + "bash -n a.sh\n" * 51 + "```\n"
    assert codes(FRONT + body) == ["58:1 S009"]


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m py_compile scripts/*.py",
        "python3.12 -m py_compile <each>",
        "bash -n scripts/<each>.sh",
        "sh -n <each>",
        "shellcheck -S warning -s bash <each>.sh",
        "shellcheck --severity=error --exclude=SC1091 x.sh",
        "ruff check <each>.py",
        "ruff check --select E,F .",
        "bash -n 'a b.sh'",
    ],
)
def test_commands_that_only_parse(line: str):
    gate = parse_gate(line, 3)
    assert (gate.kind, gate.reason, gate.line, gate.at) == ("parse-only", "", line, 3)


@pytest.mark.parametrize(
    "line",
    [
        "./tests/run.sh",
        "tests/run.sh --fast",
        "bash tests/run.sh",
        "python3 tools/check.py",
        "python3 -m pytest -q",
        "pytest -q tests",
        "bats tests/x.bats",
        "make lint",
        "./run.sh '$HOME'",
        "rm -rf build",
        "python3 -c 'x'",
        "ruff format --check .",
        "npm test",
        "true",
    ],
)
def test_commands_that_run_the_code_of_the_repository(line: str):
    gate = parse_gate(line, 1)
    assert (gate.kind, gate.reason) == ("executing", "it runs code of the repository")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("bash -n a.sh | tee log", "it needs a shell (`|`)"),
        ("bash -n a.sh; rm x", "it needs a shell (`;`)"),
        ("bash -n a.sh && make", "it needs a shell (`&&`)"),
        ("bash -n <a.sh", "it needs a shell (`<`)"),
        ("bash -n a.sh > log", "it needs a shell (`>`)"),
        ("shellcheck $(git ls-files)", "it needs a shell (a command substitution)"),
        ("shellcheck `git ls-files`", "it needs a shell (a command substitution)"),
        ("shellcheck $FILES", "it needs a shell (a variable)"),
        ('shellcheck "$FILES"', "it needs a shell (a variable)"),
        ('shellcheck "`ls`"', "it needs a shell (a command substitution)"),
        ("shellcheck ${FILES}", "it needs a shell (a variable)"),
        ("A=1 make", "it needs a shell (an assignment)"),
        ("(make)", "it needs a shell (`(`)"),
        ("bash -n 'a.sh", "it cannot be read: no closing quotation"),
        ("ssh box make", "`ssh` uses the network"),
        ("git push origin main", "`git push` uses the network"),
        ("/usr/bin/make", "it reaches outside the repository"),
        ("bash -n ../a.sh", "it reaches outside the repository"),
        ("bash -n ~/a.sh", "it reaches outside the repository"),
        ("./run.sh --corpus <corpus>", "nothing says what <corpus> stands for"),
        ("shellcheck --wrong a.sh", "reviewbot does not run `shellcheck` with `--wrong`"),
        ("ruff check --fix a.py", "reviewbot does not run `ruff check` with `--fix`"),
        ("bash -n", "the line names no file"),
    ],
)
def test_commands_that_are_refused_with_the_reason(line: str, reason: str):
    gate = parse_gate(line, 1)
    assert (gate.kind, gate.reason) == ("refused", reason)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("cd tests", "it needs a shell (`cd`)"),
        (". ./env.sh", "it needs a shell (`.`)"),
        ("bash -c 'make'", "it needs a shell (`bash -c`)"),
        ("sh -ec 'make'", "it needs a shell (`sh -c`)"),
        ("pip install -e .", "it installs something (`pip install -e`), and gates have no network"),
        ("python3 -m pip install .", "it installs something (`python3 -m pip`), and gates have no network"),
        ("npm ci", "it installs something (`npm ci`), and gates have no network"),
        ("git diff --check", "the sandbox has the files of a commit and no repository"),
        ("sudo make", "nobody is root in the sandbox"),
        ("docker build .", "no containers can be started in the sandbox"),
    ],
)
def test_what_would_fail_in_any_sandbox_is_refused(line: str, reason: str):
    gate = parse_gate(line, 1)
    assert (gate.kind, gate.reason) == ("refused", reason)


def test_installing_does_not_refuse_the_rest_of_a_fence():
    gates = skill_of("# T\n\n```bash gate\npip install .\npytest\n```\n").gates
    assert [gate.kind for gate in gates] == ["refused", "executing"]


@pytest.mark.parametrize(
    ("line", "kind", "reason"),
    [
        ("./a.sh <each>", "executing", "it runs code of the repository, once for each changed file"),
        ("./a.sh <model>", "executing", "it runs code of the repository, once for each <model>"),
        (
            "./a.sh <arm> '<model>'",
            "executing",
            "it runs code of the repository, once for each <arm> and <model>",
        ),
        ("./a.sh <model> <other>", "refused", "no row of the files in scope has all of <model>, <other>"),
        ("./a.sh <none>", "refused", "nothing says what <none> stands for"),
        ("./a.sh <left-out>", "refused", "nothing says what <left-out> stands for"),
    ],
)
def test_a_placeholder_is_bound_by_a_row_of_the_scope(line: str, kind: str, reason: str):
    rows = "| `<model>/<arm>.sh` |\n| `<other>.py` |\n| `!<left-out>.sh` |"
    (gate,) = skill_of(
        f"# T\n\n## Files in scope\n\n| File |\n|---|\n{rows}\n\n```bash gate\n{line}\n```\n"
    ).gates
    assert (gate.kind, gate.reason) == (kind, reason)


@pytest.mark.parametrize(
    ("line", "patterns"),
    [
        ("./a.sh t/*.x", ("./a.sh", "t/*.x")),
        ("./a.sh 't/*.x'", ()),
        ("./a.sh 't/*'* \\?b?", ("./a.sh", "t/[*]*", "[?]b?")),
        ('./a.sh "[a]"[b]', ("./a.sh", "[[]a][b]")),
        ("./a.sh a\1*", ()),
        ("bash -n t/*.sh", ()),
    ],
)
def test_only_a_glob_that_no_quote_protects_is_one(line: str, patterns: tuple[str, ...]):
    assert parse_gate(line, 1).patterns == patterns


@pytest.mark.parametrize("line", ["pytest tests/aws", "./run.sh ssh", "make az"])
def test_a_word_that_is_no_program_is_no_network(line: str):
    assert parse_gate(line, 1).kind == "executing"


def test_a_hash_in_a_word_or_a_quote_is_no_comment():
    gate = parse_gate("./run.sh a#b '# c' # d", 1)
    assert (gate.argv, gate.note) == (("./run.sh", "a#b", "# c"), "d")
