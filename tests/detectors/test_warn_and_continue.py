"""warn-and-continue: which conditions and messages say that an assumption is broken."""

from __future__ import annotations

import pytest

from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.warn_and_continue import DETECTOR, find_python, find_shell


def shell(code: str) -> list[Hit]:
    return list(find_shell(ShellFile(Text("run.sh", code))))


def python(code: str, path: str = "tool.py") -> list[Hit]:
    return list(find_python(PythonFile(Text(path, code))))


def warned(condition: str, *body: str) -> str:
    return f"if {condition}:\n" + "".join(f"    {line}\n" for line in body) + "go_on()\n"


@pytest.mark.parametrize(
    "warning",
    [
        'logger.warning("shape mismatch: %s", a)',
        'warnings.warn(f"expected {n} shards but found {m}")',
        'print("WARNING: counts do not match")',
        'logging.error("hidden size is not a multiple of 64")',
        'self.log.warning("unexpected keys: " + ", ".join(k))',
        'rank_zero_warn("the tables are inconsistent")',
    ],
)
def test_what_speaks_of_a_broken_assumption(warning: str):
    (hit,) = python(warned("a != b", warning))
    assert (hit.start_line, hit.line, hit.grade) == (1, 2, Grade.HINT)
    assert hit.failure.startswith("When `a != b` holds")


@pytest.mark.parametrize(
    "warning",
    [
        'logger.info("shape mismatch")',
        'print("counts do not match")',
        'logger.warning("shape mismatch, using the smaller one")',
        'logger.warning("version mismatch: %s", v)',
        'logger.warning("mismatched keys will be ignored")',
        'logger.warning("this may indicate a mismatch")',
        'logger.warning("large input")',
        'self.fail("shape mismatch")',
        "warn = mismatch",
    ],
)
def test_what_does_not(warning: str):
    assert python(warned("a != b", warning)) == []


@pytest.mark.parametrize(
    "condition", ["debug", "not ready", "x is None", "isinstance(a, B)", "x is not None"]
)
def test_a_condition_that_compares_nothing(condition: str):
    assert python(warned(condition, 'logger.warning("shape mismatch")')) == []


def test_it_must_be_all_that_happens_and_something_must_follow():
    warning = 'logger.warning("shape mismatch")'
    assert python(warned("a != b", warning, 'logger.error("corrupt file")')) != []
    for also in ("raise ValueError", "return", "a = b", "fix(a)", "continue"):
        assert python(f"for _ in x:\n    if a != b:\n        {warning}\n        {also}\n    go_on()\n") == []
    assert python(f"def f():\n    if a != b:\n        {warning}\n") == []
    assert python(f"def f():\n    if c:\n        if a != b:\n            {warning}\n    go_on()\n") != []
    assert python(f"if a != b:\n    {warning}\nelif c:\n    pass\ngo_on()\n") == []
    assert python(f"if c:\n    pass\nelif a != b:\n    {warning}\ngo_on()\n") != []


@pytest.mark.parametrize(
    "settles", ["return a", "return self.a, None", "a = c", "b = 0", "pads = [0] * (b - a)"]
)
def test_what_stands_behind_may_settle_it(settles: str):
    code = f'def f(a, b, c):\n    if a != b:\n        warn("mismatch")\n    {settles}\n    go(a)\n'
    assert python(code) == []


@pytest.mark.parametrize("leaves", ["return f(a)", "return a + b", "a = a[:3]", "c = b", "x = [0] * (c - d)"])
def test_what_stands_behind_may_work_on_it(leaves: str):
    code = f'def f(a, b, c):\n    if a != b:\n        warn("mismatch")\n    {leaves}\n    go(a)\n'
    assert len(python(code)) == 1


@pytest.mark.parametrize(
    ("comment", "found"),
    [("# two heads may differ", 0), ("# still written: the reader copes", 0), ("# do the sizes match?", 1)],
)
def test_a_comment_may_say_that_it_is_meant(comment: str, found: int):
    assert len(python(f'{comment}\nif a != b:\n    warn("mismatch")\ngo(a)\n')) == found
    assert len(python(f'if a != b:\n    warn("mismatch")\n    {comment}\ngo(a)\n')) == found
    assert len(python(f'{comment}\n\nif a != b:\n    warn("mismatch")\ngo(a)\n')) == 1


def test_a_strict_that_is_no_argument_is_nobodys_choice():
    code = 'x = load(s, strict={})\nif x != y:\n    warn("unexpected keys: mismatch")\ngo(x)\n'
    assert python(code.format("strict")) == []
    assert len(python(code.format("False"))) == 1


def test_the_handler_below_is_not_what_follows():
    code = 'try:\n    f()\nexcept A:\n    if a != b:\n        warn("mismatch")\nexcept B:\n    g()\n'
    assert python(code) == []
    assert len(python(code + "h(a)\n")) == 1


def test_thousands_of_warnings_in_front_of_one_long_statement():
    row = 'elif c:\n    if a != b:\n        warn("mismatch")\n'
    code = f"if d:\n    e()\n{row * 800}x = [{'f(y), ' * 20_000}]\n"
    assert len(python(code)) == 800


def test_a_condition_that_is_nested_without_end_is_read():
    code = "if " + "a + " * 900 + 'b != c:\n    warn("mismatch")\ngo()\n'
    assert len(python(code)) == 1


def test_a_test_may_warn():
    assert python(warned("a != b", 'warnings.warn("mismatch")'), "tests/test_a.py") == []


def test_ten_thousand_branches_and_a_deep_one():
    one = 'if a != b:\n    log.warning("mismatch")\n'
    assert len(python((one + "x()\n") * 3000)) == 3000
    (row,) = python(one * 3000 + "x()\n")
    assert (row.start_line, len(row.also), row.also[-1]) == (1, 2999, (5999, 6000))
    deep = "".join(" " * i + "if a:\n" for i in range(90)) + " " * 90 + "pass\n"
    assert python(deep) == []


@pytest.mark.parametrize(
    "test",
    ['[ "$n" -eq 5 ]', '[[ "$a" == "$b" ]]', 'test "$a" = "$b"', '[ "$n" -ge "$m" ]'],
)
def test_shell_counts_that_are_off(test: str):
    (hit,) = shell(f'{test} || echo "WARNING: expected 5 files, got $n" >&2\n')
    assert (hit.start_line, hit.line, hit.claims) == (1, 1, ())
    assert shell(f'{test} || {{ echo "WARNING: expected 5 files, got $n"; exit 1; }}\n') == []
    assert shell(f'{test} || echo "expected 5 files, got $n"\n') == []
    assert shell(f'{test} || echo "WARNING: sizes differ, skipping"\n') == []
    assert shell(f'{test} || die "WARNING: expected 5 files, got $n"\n') == []


def test_a_warning_function_that_exits_is_no_warning():
    body = '[ "$a" = "$b" ] || warn "warning: checksum mismatch"\n'
    assert len(shell(body)) == 1
    assert shell('warn() {\n    echo "$1"\n    exit 1\n}\n' + body) == []


def test_what_a_launch_works_on_is_shown_by_claims():
    (hit,) = shell(
        'cp base.yaml "$CONFIG_FILE" || echo "warning: no config"\nvllm serve --config "$CONFIG_FILE"\n'
    )
    assert [(c.kind, c.line, c.pattern) for c in hit.claims] == [
        ("quote", 2, 'vllm serve --config "$CONFIG_FILE"'),
        ("quote", 2, "$CONFIG_FILE"),
    ]


@pytest.mark.parametrize(
    "command",
    ["wait_for_port 8000", "check_gpu_memory", "server_ready", "verify_weights m", "ensure_cache_cold"],
)
def test_a_launch_that_was_to_wait_for_an_answer(command: str):
    assert [h.start_line for h in shell(f'{command} || echo "WARN: no"\nvllm bench serve\n')] == [1]
    assert shell(f'{command} || echo "WARN: no"\necho end\n') == []


@pytest.mark.parametrize(
    "command", ["rm -rf x", "kill $PID", "curl -o other.txt url", "ulimit -n 4096", "modprobe x", "ls"]
)
def test_what_no_launch_works_on(command: str):
    assert shell(f'{command} || echo "WARN: no"\nvllm bench serve --model "$MODEL_PATH"\n') == []


@pytest.mark.parametrize(
    "title",
    [
        "Warnings where it should fail",
        "Warn and carry on",
        "A warning instead of an error",
        "A warning is logged and then continues",
    ],
)
def test_titles_that_bind(title: str):
    skill = Skill("s", "", "S", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert [b.defect.title for b in bind(skill, [DETECTOR])] == [title]


@pytest.mark.parametrize(
    "title", ["Compiler warnings", "Deprecation warnings in tests", "A loop without an end"]
)
def test_titles_that_do_not(title: str):
    skill = Skill("s", "", "S", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert bind(skill, [DETECTOR]) == ()
