"""The steps of a workflow: which shell runs each, and that no file costs more than it may."""

from __future__ import annotations

import pytest
import yaml

from reviewbot.detectors.workflow import normal, runs


def shells(content: str) -> list[tuple[str, str, int | None]]:
    """(script, command line, line that names it) of each step."""
    return [(run.script.value, run.shell, run.shell_line) for run in runs(normal(content))]


def fault(content: str) -> tuple[int | None, str]:
    with pytest.raises(SyntaxError) as error:
        list(runs(normal(content)))
    return error.value.lineno, error.value.msg


BASH = "bash --noprofile --norc -eo pipefail {0}"
DEFAULTS = """
defaults: {run: {shell: sh}}
jobs:
  a:
    steps:
      - run: of the workflow
  b:
    defaults: {run: {shell: bash}}
    steps:
      - run: of the job
      - run: of the step
        shell: bash -l {0}
"""


def test_a_step_has_the_shell_of_the_step_else_of_the_job_else_of_the_workflow():
    assert shells(DEFAULTS) == [
        ("of the workflow", "sh -e {0}", 2),
        ("of the job", BASH, 8),
        ("of the step", "bash -l {0}", 12),
    ]


@pytest.mark.parametrize(
    "runner", ["windows-latest", "[self-hosted, Windows]", "{labels: windows-2022}", "{labels: [windows]}"]
)
def test_a_windows_runner_has_another_shell_where_nothing_is_said(runner: str):
    content = f"jobs:\n  a:\n    runs-on: {runner}\n    steps:\n    - run: x\n    - {{run: y, shell: bash}}\n"
    assert [shell for _, shell, _ in shells(content)] == ["pwsh", BASH]


@pytest.mark.parametrize(
    "runner", ["ubuntu-latest", "${{ matrix.os }}", "[self-hosted, linux]", "{group: x}"]
)
def test_any_other_runner_has_bash_with_errexit_and_no_pipefail(runner: str):
    content = f"jobs:\n  a:\n    runs-on: {runner}\n    steps:\n    - run: x\n"
    assert shells(content) == [("x", "bash -e {0}", None)]


def test_a_composite_action():
    content = "runs:\n  using: composite\n  steps:\n    - run: x\n      shell: bash\n    - uses: ./a\n"
    assert shells(content) == [("x", BASH, 5)]


def test_a_step_that_is_repeated_by_an_alias_is_read_once_for_each_shell():
    content = (
        "jobs:\n  a:\n    steps: &s\n    - &one {run: x}\n    - *one\n"
        "  b: {steps: *s}\n  c: {steps: *s, defaults: {run: {shell: sh}}}\n"
    )
    assert [(script, shell) for script, shell, _ in shells(content)] == [
        ("x", "bash -e {0}"),
        ("x", "sh -e {0}"),
    ]


def test_every_document_is_read():
    assert [
        script for script, _, _ in shells("---\nruns: {steps: [{run: x}]}\n---\nruns: {steps: [{run: y}]}\n")
    ]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "# nothing\n",
        "jobs:\n",
        "jobs: [a]\n",
        "jobs: {a: {steps: {run: x}}}\n",
        "jobs: {a: {steps: [x, [run], {run: {a: b}}, {? [run] : x}]}}\n",
        "jobs: &j\n  a: *j\n  steps: *j\n",
        "run: x\n",
    ],
)
def test_what_is_no_step_is_none(content: str):
    assert shells(content) == []


def test_the_place_of_a_script_is_the_one_that_git_counts():
    content = "a: \x85 # \u2028 \r\r\njobs: {a: {steps: [{run: x}]}}\n"
    (run,) = runs(normal(content))
    assert (run.script.start, run.script.end) == ((2, 25), (2, 26))


# --- what is refused --------------------------------------------------------------------------

MUCH = "more in it than anybody writes into a workflow"


@pytest.mark.parametrize(
    ("content", "line", "why"),
    [
        ("a: b\nc: @d\n", 2, "found character that cannot start any token"),
        ("a:\n  - b\n c: d\n", 3, "did not find expected"),
        ("é: b\nc: \x01\n", 2, "control characters are not allowed"),
        ("a: b\nc: *d\n", 2, "no anchor is called d"),
        ("[" * 1_000_000, 1, ""),
        ("x:\n- " + "{a: " * 250_000, 2, MUCH),
        ("- " * 500_000, 1, MUCH),
        ("a: b\n" * 200_000, 9999, MUCH),
        ("".join(f"%TAG !a{n}! b\n" for n in range(60_000)) + "--- a", 21, "more than 20 lines that begin"),
    ],
)
def test_what_is_no_yaml_or_hostile_is_named_with_its_line(content: str, line: int, why: str):
    at, said = fault(content)
    assert (at, said[: len(why)]) == (line, why)


def test_aliases_multiply_steps_only_so_far():
    steps = "- run: x\n" * 2000
    content = f"x: &s\n{steps}jobs:\n" + "".join(f"  j{n}: {{steps: *s}}\n" for n in range(2000))
    assert fault(content) == (1, "more than 10,000 steps")


def test_without_libyaml_only_a_short_file_is_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert [shell for _, shell, _ in shells(DEFAULTS)] == ["sh -e {0}", BASH, "bash -l {0}"]
    assert fault("a: b\n" * 50_000)[1].startswith("more than 200,000 characters")
