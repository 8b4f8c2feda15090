"""argument-hole: what it predicts is what bash does, before the edit and after it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.rehearse import splice
from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.argument_hole import DETECTOR, find
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.script import ShellFile

ENDLESS = 99
# Ends a script after 500 commands: an endless loop is seen by a count, not by a clock.
COUNTED = "n_=0\nset -T\ntrap '[ $((n_ += 1)) -le 500 ] || exit 99' DEBUG\n"


def hits(code: str, path: str = "run.sh", *, partial: bool = False) -> list[Hit]:
    return list(find(ShellFile(Text(path, code, partial))))


def run(code: str, *words: str, timeout: float = 2) -> subprocess.CompletedProcess[str]:
    shell = "dash" if code.startswith("#!/bin/sh") else "bash"
    argv, env = [shell, "/dev/stdin", *words], {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    return subprocess.run(argv, input=code, capture_output=True, text=True, timeout=timeout, env=env)


def mended(code: str) -> str:
    (hit,) = hits(code)
    assert hit.edit
    return splice(Text("run.sh", code), hit.edit).content


@pytest.mark.parametrize(
    ("pattern", "label"),
    [("--configs*", "--configs"), ("-c* | --configs*", "--configs"), ("--out=*", "--out"), ("-*", "-*")],
)
def test_a_pattern_is_no_flag(pattern: str, label: str):
    (hit,) = hits(f"set -e\nwhile [ $# -gt 0 ]; do case $1 in {pattern}) V=$2; shift 2;; esac; done\n")
    assert hit.failure.startswith(f"`{label}` as the last argument")


def test_what_traces_its_commands_prints_something_and_still_names_no_flag():
    (hit,) = hits("set -xe\nwhile [ $# -gt 0 ]; do case $1 in --a) V=$2; shift 2;; esac; done\n")
    assert "no message names the flag" in hit.failure
    assert "printed" not in hit.failure + hit.cost


# --- the examples, run ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "flag", "exit", "output", "error", "said"),
    [
        (0, "--model", 1, "", "unbound variable", 'line 5 with "unbound variable"'),
        (1, "--steps", 1, "", "", "no message names the flag"),
        (3, "--out", 0, "out=\n", "", "`OUT` is left empty"),
        (4, "--data", 2, "", "can't shift that many", "can't shift that many"),
        (5, "--seed", 1, "", "unbound variable", 'line 8 with "unbound variable"'),
    ],
)
def test_an_example_does_what_is_said_of_it(number, flag, exit, output, error, said):
    code = DETECTOR.bad[number].code
    done = run(code, flag)
    assert (done.returncode, done.stdout) == (exit, output)
    assert error in done.stderr
    assert bool(done.stderr) == bool(error)
    assert said in hits(code)[0].failure


def test_the_endless_example_never_ends():
    code = DETECTOR.bad[2].code
    assert "the loop never ends" in hits(code)[0].failure
    with pytest.raises(subprocess.TimeoutExpired):
        run(code, "--gpus", timeout=0.5)


@pytest.mark.parametrize("number", range(len(DETECTOR.bad)))
def test_with_the_edit_the_flag_is_refused_by_name_and_its_value_taken(number):
    code = mended(DETECTOR.bad[number].code)
    flag = ("--model", "--steps", "--gpus", "--out", "--data", "--seed")[number]
    refused = run(code, flag)
    assert (refused.returncode, refused.stderr) == (2, f"missing value for {flag}\n")
    taken = run(code, flag, "7")
    assert (taken.returncode, taken.stdout) == (0, f"{flag[2:]}=7\n")


# --- the law ----------------------------------------------------------------------------

READS = (
    'V="{}"',
    "V={}",
    'export V="{}"',
    'W="{}"; V=$W',
    '[ "$X" = 0 ] || V="{}"',
    "if [ $X = 1 ]; then V={}; fi",
)
GUARDS = ("", "", 'echo "$1" > /dev/null; ', '[ -n "${{{0}:-}}" ] || exit 7; ', "[ $# -ge {0} ] || exit 7; ")
SHIFTS = {
    0: ("X=2",),
    1: ("shift", "shift || true", "shift 1", "{{ shift; }}", "shift || exit 7"),
    2: (
        "shift 2",
        "shift; shift",
        "shift 2 || true",
        "shift; shift || true",
        "shift 2 || exit 7",
        "shift; {{ shift; }}",
    ),
}


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """A parsing loop whose arm `--v` takes one value, in one of the ways that scripts do it."""
    before = draw(st.sampled_from([":", "key=$1", "key=$1; shift"]))
    behind = draw(st.sampled_from([":", "shift"]))
    gone = before.count("shift")
    at = 2 - gone
    value = draw(st.sampled_from([f"${at}", f"${{{at}}}", f"${{{at}:-}}"]))
    guard = draw(st.sampled_from(GUARDS)).format(at)
    read = draw(st.sampled_from(READS)).format(value)
    shift = draw(st.sampled_from(SHIFTS[at - behind.count("shift")])).format()
    return f"""#!/bin/bash
{draw(st.sampled_from([":", "set -e", "set -u", "set -eu", "set -euo pipefail"]))}
X=1 V=orig
while [ $# -gt 0 ]; do
  {before}
  case {'"$1"' if before == ":" else '"$key"'} in
    --v) {guard}{read}; {shift} ;;
    *) exit 8 ;;
  esac
  {behind}
done
echo "V=$V"
"""


def predicted(found: Sequence[Hit]) -> str:
    words = {
        "unbound": 'with "unbound variable"',
        "silent": "no message names the flag",
        "endless": "never ends",
        "empty": "left empty",
    }
    return next((o for o, text in words.items() if found and text in found[0].failure), "none")


def seen(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode == ENDLESS:
        return "endless"
    if "unbound variable" in done.stderr:
        return "unbound"
    if done.returncode == 0:
        return "empty" if done.stdout == "V=\n" else "none"
    return "none" if done.returncode == 7 else "silent"


@settings(max_examples=60)
@given(scripts())
def test_what_is_predicted_of_an_arm_is_what_bash_does(code: str):
    assert run(COUNTED + code, "--v", "7").stdout == "V=7\n"
    found, real = hits(code), seen(run(COUNTED + code, "--v"))
    # A default is the author's own choice: an empty value alone is then no hole.
    assert predicted(found) == real or (not found and real == "empty" and ":-}" in code)
    if found:
        assert run(mended(code), "--v").returncode == 2
        assert run(mended(code), "--v", "7").stdout == "V=7\n"


# --- what is reported -------------------------------------------------------------------

ARM = '    --a) A="$2"; shift 2 ;;\n'


def loop(*arms: str, head: str = "#!/bin/bash\n", cond: str = "[ $# -gt 0 ]", tail: str = "") -> str:
    return f'{head}while {cond}; do\n  case "$1" in\n{"".join(arms)}  esac\ndone\n{tail}'


def test_a_loop_is_one_finding_at_its_first_bad_arm_and_the_others_are_its_places():
    code = loop("    -v) V=1; shift ;;\n", *(ARM.replace("a", x) for x in "abcdefgh"))
    (hit,) = hits(code)
    assert (hit.start_line, hit.line) == (5, 5)
    assert hit.also == tuple((n, n) for n in range(6, 13))
    assert "The same hole: `--b`, `--c`, `--d`, `--e`, `--f`, `--g` …." in hit.failure
    assert mended(code).count('[ "$#" -ge 2 ]') == 8


def test_arms_that_stand_far_apart_get_no_edit_since_one_edit_would_not_mend_the_loop():
    (hit,) = hits(loop(ARM, *(f"    -{n}) N={n}; shift ;;\n" for n in range(20)), ARM.replace("a", "b")))
    assert hit.edit is None
    assert '[ "$#" -ge 2 ]' in hit.fix


def test_two_loops_are_two_findings_and_one_edit_takes_one_away():
    code = loop(ARM) + loop(ARM, head="")
    first, second = hits(code)
    assert (first.start_line, second.start_line) == (4, 9)
    assert first.edit
    (left,) = hits(splice(Text("run.sh", code), first.edit).content)
    assert left.start_line == 9


def test_an_arm_is_quoted_from_its_pattern_to_the_line_that_fails():
    code = loop(
        "    -m | --model )\n      # which\n      MODEL=$2\n      shift 2\n      ;;\n",
        head="#!/bin/bash -e\n",
    )
    (hit,) = hits(code)
    assert (hit.start_line, hit.line) == (4, 7)
    assert "`--model` as the last argument: `shift 2` fails" in hit.failure
    assert hit.edit
    assert (hit.edit.start_line, hit.edit.line) == (6, 6)
    assert hit.edit.replacement.split("\n")[0].startswith('      [ "$#" -ge 2 ] || {')


def test_the_options_where_the_loop_stands_decide_not_those_of_another_line():
    assert "never ends" in hits(loop(ARM, head="#!/bin/bash\nset -e\nset +e\n", tail="set -e\n"))[0].failure
    assert "unbound" in hits(loop(ARM, head="#!/bin/bash -eu\n"))[0].failure


def test_under_dash_the_message_is_that_of_dash():
    code = loop(ARM, head="#!/bin/sh\nset -u\n")
    assert "parameter not set" in run(code, "--a").stderr
    assert '"parameter not set"' in hits(code)[0].failure


def test_options_that_a_sourced_file_may_set_are_not_asserted():
    (hit,) = hits(loop(ARM, head="#!/bin/bash\n. ./common.sh\n"))
    assert hit.grade is Grade.STRONG
    assert "Under `set -u`" in hit.failure
    assert [claim.text for claim in hit.claims] == [
        "No line of this script sets errexit.",
        "Line 2 may set errexit.",
        "No line of this script sets nounset.",
        "Line 2 may set nounset.",
    ]


def test_in_the_hunks_of_a_patch_a_hole_is_a_hint():
    (hit,) = hits("\n\n" + loop(ARM), partial=True)
    assert (hit.start_line, hit.grade, hit.claims) == (6, Grade.HINT, ())
    assert hits("\n\n" + ARM, partial=True) == []


@pytest.mark.parametrize(
    ("call", "grade", "leave"),
    [
        ('run "$@"', Grade.STRONG, "exit 2"),
        ('main() { run "$@"; }\nmain "$@"', Grade.STRONG, "exit 2"),
        ("run --a 1", Grade.HINT, "return 2"),
        ('main() { run "$@"; }', Grade.HINT, "return 2"),
    ],
)
def test_a_parser_in_a_function_is_a_hint_unless_the_words_of_the_script_reach_it(call, grade, leave):
    (hit,) = hits("#!/bin/bash\nrun() {\n" + loop(ARM, head="") + "}\n" + call + "\n")
    assert hit.grade is grade
    assert f"{leave};" in hit.fix
    assert ("callers of `run`" in hit.failure) == (grade is Grade.HINT)


@pytest.mark.parametrize(
    ("around", "offered"),
    [
        ("out=$({})\n", False),
        ("({})\n", False),
        ("echo x | {}\n", False),
        ("{} | cat\n", False),
        ("{} &\n", False),
        ('p() {{ {}\n}}\nout=$(p "$@")\n', False),
        ('p() {{ {}\n}}\np "$@" | cat\n', False),
        ("out=$({}) || exit 2\n", True),
        ("({}) || exit 2\n", True),
        ("set -e\nout=$({})\n", True),
        ("set -e\n({})\n", True),
        ('p() {{ {}\n}}\nout=$(p "$@") || exit 2\n', True),
        ("{{ {}\n}}\n", True),
        ("if true; then {}\nfi\n", True),
    ],
)
def test_an_edit_is_offered_only_where_its_exit_ends_the_script(around, offered):
    parser = "while [ $# -gt 0 ]; do case $1 in --a) A=$2; shift 2;; *) shift;; esac; done"
    code = "#!/bin/bash\n" + around.format(parser) + "echo launched\n"
    (hit,) = hits(code)
    if offered:
        assert "launched" not in run(mended(code), "--a").stdout
        assert "launched" in run(mended(code), "--a", "1").stdout
    else:
        assert hit.edit is None
        assert "leaves only `$(…)` or `( … )`" in hit.fix


def test_a_refused_flag_in_a_function_that_is_called_with_its_own_words_needs_callers_that_stop():
    code = "#!/bin/bash\nrun() {\n" + loop(ARM, head="") + "}\nrun --a 1"
    (hit,) = hits(f"{code}\n")
    assert hit.edit is None
    assert "Each caller must stop too" in hit.fix
    (hit,) = hits(f"{code} || exit 2\n")
    assert hit.edit


def test_the_texts_speak_of_arguments_and_case_branches():
    (hit,) = hits(loop(ARM))
    assert "the same argument comes again" in hit.failure
    assert hit.fix.endswith("as the first command of the case branch.")
    (hit,) = hits(DETECTOR.bad[4].code)
    assert hit.fix.endswith("as the first command of the branch.")


def test_an_arm_that_wants_two_values_is_guarded_for_two():
    assert '[ "$#" -ge 3 ]' in mended(loop('    --r) LOW="$2"; HIGH="$3"; shift 3 ;;\n'))


def test_a_value_that_a_validator_refuses_is_no_hole():
    assert hits(loop('    --n) is_number "$2" || usage; N=$2; shift 2 ;;\n')) == []
    assert hits(loop('    --n) if ! is_number "$2"; then exit 2; fi; N=$2; shift 2 ;;\n')) == []
    assert hits(loop('    --n) case "$2" in a|b) N=$2 ;; *) exit 2 ;; esac; shift 2 ;;\n')) == []


def test_a_comparison_with_a_pattern_is_no_guard():
    assert hits(loop('    --n) [[ "$2" == -* ]] && exit 2; N="$2"; shift 2 ;;\n'))


def test_a_case_on_the_number_of_words_is_a_guard():
    nested = '    --n) case "$#,$1" in 1,*) exit 2 ;; *) N="$2"; shift ;; esac; shift ;;\n'
    assert hits(loop(nested)) == []


@pytest.mark.parametrize("cond", ["(( $# > 1 ))", '[ "$#" -gt 1 ]', "[[ $# -ge 2 ]]", '[ -n "$2" ]'])
def test_a_condition_that_wants_two_words_guards_every_arm(cond):
    assert hits(loop(ARM, cond=cond)) == []


def test_carriage_returns_and_a_mark_at_the_start_change_no_place():
    code = "\ufeff" + loop(ARM).replace("\n", "\r\n")
    (hit,) = hits(code)
    assert hit.start_line == 4
    assert hit.edit
    new = splice(Text("run.sh", code), hit.edit).content
    assert new.count("\r\n") == new.count("\n") == 6
    assert hits(new) == []


@pytest.mark.parametrize(
    "code",
    [
        "while [ $# -gt 0 ]; do\n"
        + 'if [ "$1" = --a ]; then\n' * 3000
        + "A=$2; shift 2\n"
        + "fi\n" * 3000
        + "done\n",
        "while :; do case $1 in a) " + "shift 2 || " * 2000 + "x ;; esac; done\n",
        'while [ $# -gt 0 ]; do case "$1" in --a) A="$2; shift 2 ;;\n' * 50,
        "while :; do shift 2; done <<< x ) fi\nesac ;; shift\n",
        "while :; do shift; \0 shift; done",
    ],
    ids=["3000 ifs", "2000 lists", "unterminated", "broken", "nul"],
)
def test_hostile_text_is_read_to_its_end(code):
    assert len(hits(code)) <= 1


def test_deep_nesting_keeps_the_line_numbers():
    deep = (
        "while [ $# -gt 0 ]; do\n"
        + "if x; then\n" * 1000
        + 'case "$1" in\n'
        + ARM
        + "esac\n"
        + "fi\n" * 1000
        + "done\n"
    )
    assert [hit.start_line for hit in hits(deep)] == [1003]


# --- which classes it speaks for --------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "body", "bound"),
    [
        ("`set -u` argument holes", "", True),
        ("Flags", '`--x) X="$2"; shift 2` dies with "unbound variable"', True),
        ("A flag without its value", "", True),
        ("A flag that silently does nothing", "The parser reads it and nothing uses it.", False),
        ("Gates after the expensive phase", "an unset figure: check it before the plan", False),
    ],
)
def test_the_words_of_a_class_bind_it(title, body, bound):
    skill = Skill("s", "", "", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, body),))
    assert bool(bind(skill, [DETECTOR])) is bound


EMPTIED = """\
#!/bin/bash
while [ $# -gt 0 ]; do
  case "$1" in
    --model) shift; MODEL="$1" ;;
  esac
  shift
done
"""


@pytest.mark.parametrize(
    "behind",
    [
        "MODEL=${MODEL:-llama}",
        ": ${MODEL:=x}",
        '[[ ! "$MODEL" ]] && exit 1',
        "[ ${#MODEL} -eq 0 ] && exit 1",
        'if test "$MODEL" = ""; then exit 1; fi',
        'case "$MODEL" in "") exit 1 ;; esac',
        'for v in MODEL TP; do [ -z "${!v}" ] && exit 1; done',
        'require MODEL "$MODEL"',
    ],
)
def test_a_variable_that_is_looked_at_behind_the_loop_is_not_silently_empty(behind):
    assert hits(EMPTIED + behind + "\n") == []
    assert hits(EMPTIED + 'run "$MODEL"\n')


def test_a_variable_that_a_function_looks_at_is_not_silently_empty():
    assert hits('#!/bin/bash\nvalid() { [ -n "$MODEL" ] || exit 1; }\n' + EMPTIED + "valid\n") == []


GUARDED = """\
#!/bin/bash
set -e
value() { [ $# -ge 2 ] || { echo "no value for $1" >&2; exit 2; }; echo "$2"; }
while [ $# -gt 0 ]; do
  case "$1" in
    %s
    *) shift ;;
  esac
done
"""


@pytest.mark.parametrize(
    "arms",
    [
        '--model) MODEL=$(value "$@"); shift 2 ;;',
        '--*) [ $# -ge 2 ] || exit 2 ;;&\n --model) M="$2"; shift 2 ;;',
    ],
)
def test_a_helper_that_exits_and_an_earlier_arm_guard_too(arms):
    assert hits(GUARDED % arms) == []
    assert hits(GUARDED % '-h*) exit ;;\n --model) MODEL="$2"; shift 2 ;;')
