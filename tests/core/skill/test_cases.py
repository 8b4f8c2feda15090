"""expect.toml: what a case of a skill must bring."""

from __future__ import annotations

import pytest

from reviewbot.core.errors import ConfigError
from reviewbot.core.skill.cases import GATES, Case, Expected, read_case
from tests.skillfiles import skill_of

SKILL = skill_of(
    "## Defect classes\n\n"
    "1. **An unbounded wait.** It never ends.\n"
    "2. **A masked exit code.** It is lost.\n"
    "3. **Single quotes on purpose: a false positive.** Do not report them.\n"
)
HEAD = ("run.sh", "tools/pack.py")


def read(text: str | bytes) -> Case:
    data = text.encode() if isinstance(text, str) else text
    return read_case("wait", data, "cases/wait/expect.toml", SKILL, HEAD)


def test_a_case_with_a_finding_at_its_line():
    case = read('class = "an-unbounded-wait"\n\n[[finding]]\npath = "run.sh"\nline = 4\n')
    assert case.expected == (Expected("an-unbounded-wait", "run.sh", 4, 3),)
    assert [c.rank for c in case.classes] == [1]
    assert not case.needs_model
    assert case.gates == frozenset()


@pytest.mark.parametrize("written", ['"an-unbounded-wait"', "1", '"1"', '"An unbounded wait"'])
def test_a_class_is_named_by_slug_number_or_title(written: str):
    assert [c.slug for c in read(f"class = {written}").classes] == ["an-unbounded-wait"]


def test_several_classes_and_a_finding_of_one_of_them():
    case = read('classes = [1, "a-masked-exit-code"]\n[[finding]]\npath = "run.sh"\nclass = 2\n')
    assert [c.rank for c in case.classes] == [1, 2]
    assert case.expected == (Expected("a-masked-exit-code", "run.sh", None, 2),)


def test_what_only_a_model_can_know():
    assert read('class = 1\nneeds = "model"').needs_model


def test_a_gate_that_is_expected_counts_and_no_other():
    case = read('class = 1\n[[finding]]\npath = "run.sh"\nclass = "gate-shellcheck"')
    assert case.gates == {"gate-shellcheck"}


def test_in_a_case_of_a_suppressing_class_every_gate_counts():
    case = read("class = 3")
    assert case.expected == ()
    assert case.gates == GATES == {"gate-bash-n", "gate-py-compile", "gate-ruff", "gate-shellcheck"}


FINDING = '[[finding]]\npath = "run.sh"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expect.toml:1: a case is about one class or about several; write class = "),
        ("class = 1\nclasses = [2]", "expect.toml:1: a case is about one class or about several"),
        ("classes = []", "expect.toml:1: a case is about one class or about several"),
        (
            '\nclass = "an-unbounded-wiat"',
            "toml:2: some-review has no class 'an-unbounded-wiat'; did you mean an-un",
        ),
        ("class = 4", "expect.toml:1: some-review has no class '4'; known here: a-masked-exit-code, "),
        ("class = true", "expect.toml:1: class: Input should be a valid string"),
        (
            "class = 1\nwibble = 3",
            "expect.toml:2: unknown key wibble; known here: class, classes, finding, needs",
        ),
        ('class = 1\nneeds = "modle"', "expect.toml:2: needs: Input should be 'model'"),
        (
            f"class = 1\n{FINDING}\n[[finding]]\npath = 'run.sh'\nlin = 3",
            "expect.toml:7: unknown key finding.lin; did you mean line?",
        ),
        ("class = 1\n[[finding]]\nline = 3", "expect.toml:2: finding.path: Field required"),
        (
            "class = 1\n\n[finding]\npath = 'run.sh'",
            "expect.toml:3: [finding] is a single table; write [[finding]], in two",
        ),
        (f"class = 1\n{FINDING}line = 0", "expect.toml:4: finding.line: Input should be greater than 0"),
        (f"class = 1\n{FINDING}line = '4'", "expect.toml:4: finding.line: Input should be a valid integer"),
        (
            "class = 1\n\n[[finding]]\npath = 'rum.sh'",
            "expect.toml:3: head/ has no file 'rum.sh'; did you mean run.sh?",
        ),
        (f"classes = [1, 2]\n{FINDING}", "expect.toml:2: this case is about several classes; add class = "),
        (
            f"class = 3\n{FINDING}",
            "expect.toml:2: single-quotes-on-purpose-a-false-positive says what is never",
        ),
        (
            f"class = 1\n{FINDING}class = 3",
            "expect.toml:2: single-quotes-on-purpose-a-false-positive says what",
        ),
        (
            f"class = 1\n{FINDING}class = 'gate-shelcheck'",
            "has no class 'gate-shelcheck'; did you mean gate-shellcheck?",
        ),
        ("class = ", "expect.toml:1: not TOML"),
        (b"class = 1\n\xff", "expect.toml:2: not UTF-8; save the file as UTF-8"),
    ],
)
def test_a_fault_names_its_line_and_the_remedy(text: str | bytes, message: str):
    with pytest.raises(ConfigError) as raised:
        read(text)
    assert message in str(raised.value)
