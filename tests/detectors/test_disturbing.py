"""A reduced script is no proof where something in the whole one may give its lines another meaning."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.types import Grade, Proof, Text
from reviewbot.detectors import argument_hole, masked_exit_code, swallowed_failure
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell import tree
from reviewbot.detectors.shell.script import ShellFile

# In front of anything they change what a command does, or whether the next one runs.
DISTURBING = [
    "printf() { :; }",
    "function test { exit 9; }",
    ":() { exit; }",
    "trap 'exit 5' DEBUG",
    "trap 'exit 5' ERR",
    "trap 'exit 5' RETURN",
    "trap 'exit 5' $SIGNAL",
    "\"trap\" 'exit 5' {ERR,EXIT}",
    "builtin trap 'exit 5' SIGDEBUG",
    "if true; then trap 'exit 5' ERR; fi",
    "alias false='exit 6'",
    "\\alias false='exit 6'",
    "shopt -s expand_aliases",
    "shopt -s extdebug",
    "shopt -s nocasematch",
    "enable -n printf",
    "set -o posix",
    "set -k",
    "export POSIXLY_CORRECT=1",
    "IFS=1",
    'eval "$CODE"',
    "source ./lib.sh",
    ". <(generate)",
    "source /dev/stdin <<< 'exit 1'",
    "exec bash -e job.sh",
    'hook() { eval "$1"; }; hook x',
    "inner() { trap 'exit 5' DEBUG; }\nouter() { inner; }\nouter",
    'declare -n "$NAME=x"',
]
# These look at the arguments of a script, or change them, or the variable of the arm.
LOOKING = [
    "shift() { builtin shift 2>/dev/null || exit 9; }",
    "function break { exit 9; }",
    'set -- "$@" ""',
    'set -- "$@" end end',
    "set a b",
    "if true; then set -- a b; fi",
    'eval set -- "$(getopts_long "$@")"',
    "shift",
    '"shift"',
    "builtin shift",
    "while getopts a: one; do :; done",
    'case "${!#}" in --*) exit 2 ;; esac',
    "[ $# -gt 1 ] || exit 2",
    "test $# -gt 1 || exit 2",
    "[[ $# -gt 1 ]] || { usage; exit 2; }",
    "if [ $# -gt 0 ]; then exit 2; fi",
    "if [ $# -eq 0 ]; then usage; else exit 2; fi",
    "[ $# -eq 0 ] || exit 2",
    "(( $# % 2 == 0 )) || exit 2",
    'for a; do case "$a" in --*) exit 2 ;; esac; done',
    "for a do echo; done",
    'for a in "$@"; do check "$a"; done',
    '[ -n "$2" ] || exit 2',
    ': "${2:?need}"',
    "X=${2:?need}",
    'check "$@"',
    'check "$@" > log',
    "COUNT=$#; [ $COUNT -gt 1 ] || exit 2",
    "COUNT=$#; ((COUNT > 1)) || exit 2",
    'ALL=("$@"); (( ${#ALL[@]} > 1 )) || exit 2',
    'ALL="$*"; REST="$ALL"; [ "${REST##* }" = x ] || exit 2',
    'i=1; [ -n "${!i}" ] && exit 2',
    '[ "${BASH_ARGV[0]}" = x ] && exit 2',
    "cat <<EOF\n${2:?}\nEOF",
    "exit 0",
    "readonly MODEL",
    "readonly MODEL=x",
    "command readonly MODEL=x",
    "declare -r MODEL=x",
    "declare -n MODEL=OTHER",
    "declare -u MODEL",
    "typeset -i MODEL",
    "declare -A MODEL",
]
# What launchers do all the time.
ORDINARY = [
    'cd "$(dirname "$0")"',
    "export X=1",
    "readonly ROOT=/data",
    "declare -a ARGS=()",
    'declare MODE=""',
    "source venv/bin/activate",
    "shopt -s nullglob",
    "exec > >(tee log) 2>&1",
    "exec 3>&1",
    "IFS=$'\\n\\t'",
    "COUNT=$(nvidia-smi | awk '{print $1}')",
    "trap 'kill 0' INT TERM",
    "set -x",
    "mkdir -p out || exit 1",
    "command -v jq >/dev/null || { echo no; exit 1; }",
    "for x in a b; do echo $x; done",
    'while read -r line; do echo "$line"; done < list',
    'build() { eval "$BUILD"; trap x ERR; }',
]
APART = ["( source ./lib.sh; check )", 'eval "$SERVER" &', 'eval "$RUN" | tee log', "trap - ERR"]
GUARDS = [
    "[ $# -eq 0 ] && usage",
    "[[ $# == 0 ]] && { usage; exit 1; }",
    "if [ $# -eq 0 ]; then usage; exit 1; fi",
    "if (( $# == 0 )); then usage; exit 1; fi",
    'if [ "$1" = "-h" ] || [ "$1" = "--help" ]; then usage; exit 0; fi',
    'if [[ "${1:-}" == "--help" || "${1:-}" == "-h" ]]; then usage; exit 0; fi',
    'ALL=("$@")',
    'echo "called with $@"',
    'usage() { echo "usage: $0 $1"; exit 1; }',
]
LOOP = """\
while [ $# -gt 0 ]; do
    case "$1" in
        --model) MODEL="$2"; shift 2 ;;
        *) shift ;;
    esac
done
run $MODEL
"""
PLACES = [
    "{before}\n" + LOOP,
    "main() {{\n{before}\n" + LOOP + '}}\nmain "$@"\n',
    "main() {{\n" + LOOP + '}}\n{before}\nmain "$@"\n',
]


def parsed(before: str, place: str = PLACES[0]) -> str:
    return f"#!/bin/bash\nset -u\n{place.format(before=before)}"


def launched(before: str = "", between: str = "") -> str:
    step, launch = 'python3 prepare.py "$CONFIG" "$OUT"', 'sbatch --export="CONFIG=$CONFIG,OUT=$OUT" job'
    return f'#!/bin/bash\nCONFIG="$1"\n{before}\n{step}\n{between}\n{launch}\n'


def piped(before: str) -> str:
    pipe = 'python3 convert.py --out "$OUT" | tee log'
    return f'#!/bin/bash\nset -e\n{before}\n{pipe}\nrsync -a "$OUT/" "$SHARE/"\n'


def hits(code: str) -> list[Hit]:
    file = ShellFile(Text("run.sh", code))
    finds = (argument_hole.find, swallowed_failure.find_shell, masked_exit_code.find)
    return [hit for find in finds for hit in find(file) if hit.grade is Grade.STRONG]


def proofs(code: str) -> list[Proof]:
    return [hit.proof for hit in hits(code) if hit.proof is not None]


# --- arguments ---


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("line", [*LOOKING, *DISTURBING])
def test_a_loop_behind_what_decides_for_it_has_no_proof(line: str, place: str) -> None:
    assert proofs(parsed(line, place)) == []


@pytest.mark.parametrize("place", PLACES[::2])
@pytest.mark.parametrize("line", [*ORDINARY, *APART, *GUARDS])
def test_a_loop_behind_ordinary_lines_keeps_its_proof(line: str, place: str) -> None:
    assert len(proofs(parsed(line, place))) == 1


def test_what_comes_behind_the_loop_in_its_function_is_of_no_account() -> None:
    code = parsed("", PLACES[1]).replace("run $MODEL", 'eval "$RUN"; trap x ERR; build')
    assert len(proofs(code)) == 1
    assert len(proofs(code.replace("main()", 'build() { eval "$BUILD"; }\nmain()'))) == 1


@pytest.mark.parametrize(
    "call", ['main "$@" x', "main $1", 'main "$@"\nmain "$@"', 'while true; do main "$@"; done']
)
def test_a_loop_that_is_not_called_once_with_all_arguments_has_no_proof(call: str) -> None:
    assert proofs(parsed("", PLACES[1]).replace('main "$@"', call)) == []


@pytest.mark.parametrize(
    "around",
    [
        "if [ $# -gt 1 ]; then\n{}fi\n",
        'case "$2" in x)\n{};; esac\n',
        "for a in x y; do\n{}done\n",
        '[ -n "$2" ] && {{\n{}}}\n',
    ],
)
def test_a_loop_in_what_looks_at_the_arguments_has_no_proof(around: str) -> None:
    assert proofs(f"#!/bin/bash\nset -u\n{around.format(LOOP)}") == []


def test_a_flag_that_asks_for_help_may_be_answered_in_front_of_the_loop() -> None:
    for flag, proven in (("--host", 1), ("-h", 0)):
        code = parsed('[ "$1" = "-h" ] && usage').replace("--model", flag)
        assert len(proofs(code)) == proven


# --- steps and pipes ---


@pytest.mark.parametrize("line", DISTURBING)
def test_a_step_or_a_pipe_behind_what_changes_commands_has_no_proof(line: str) -> None:
    assert proofs(launched(line)) == []
    assert proofs(launched("", line)) == []
    assert proofs(piped(line)) == []


@pytest.mark.parametrize("line", ORDINARY)
def test_a_step_and_a_pipe_behind_ordinary_lines_keep_their_proof(line: str) -> None:
    assert len(proofs(launched(line))) == 1
    assert len(proofs(launched("", line))) == 1
    assert len(proofs(piped(line))) == 1


@pytest.mark.parametrize("name", ["python3", "sbatch"])
def test_a_function_with_the_name_of_the_step_or_the_launch(name: str) -> None:
    function = f'{name}() {{ command {name} "$@" || exit 1; }}'
    assert hits(launched(function))
    assert proofs(launched(function)) == []
    assert proofs(launched(function).replace("\npython3 ", "\ntime python3 ")) == []


@pytest.mark.parametrize(
    "wait",
    [
        'while ! [ -e "$OUT/done" ]; do sleep 1; done',
        "until curl -f localhost:80; do sleep 5; done",
        "while true; do sleep 1; done",
        "while [ $(squeue | wc -l) -gt 0 ]; do sleep 1; done",
        "for ((;;)); do sleep 1; done",
        "for i in 1 2 3; do curl localhost && break; [ $i = 3 ] && exit 1; done",
        "wait",
        "sleep infinity",
        "ready() { until curl -f localhost:80; do sleep 5; done; }\nready",
    ],
)
def test_a_launch_behind_a_loop_that_may_never_end_has_no_proof(wait: str) -> None:
    assert hits(launched("", wait))
    assert proofs(launched("", wait)) == []


def test_a_loop_with_an_end_keeps_the_proof() -> None:
    assert proofs(launched("", "i=0\nwhile [ $i -lt 9 ]; do i=$((i + 1)); done"))


def test_a_function_that_reads_the_status_of_the_step() -> None:
    assert proofs(launched("check() { [ $? -eq 0 ] || exit 1; }", "\ncheck")) == []


def test_a_filter_that_is_a_function_may_notice_the_failure() -> None:
    tee = 'tee() { command tee "$@"; [ ${PIPESTATUS[0]} = 0 ]; }'
    assert hits(piped(tee))
    assert proofs(piped(tee)) == []


def test_a_debug_trap_may_read_the_status_of_a_pipe() -> None:
    assert proofs(piped("trap '[ ${PIPESTATUS[0]} = 0 ] || exit 1' DEBUG")) == []


def test_a_trap_may_end_a_script_with_another_status() -> None:
    code = "cd tests || exit 1\n{}pytest -x . | tee report.txt\n"
    find = masked_exit_code.find
    for before, proven in (("", True), ("trap 'exit 3' EXIT\n", False)):
        [hit] = find(ShellFile(Text("ci/test.sh", code.format(before))))
        assert (hit.proof is not None) is proven


def test_a_late_status_of_code_that_is_not_in_the_text() -> None:
    for command, proven in (("make all", 1), ('eval "$BUILD"', 0)):
        assert len(proofs(f"{command}\necho ok\n[ $? -eq 0 ] || exit 1\n")) == proven


# --- lines that the grammar reads as one ---

TESTED = "[ $# -eq 0 ] && usage"


@pytest.mark.parametrize("line", DISTURBING)
@pytest.mark.parametrize("test", [TESTED, "[ $# -eq 0 ]", "[ ${#ALL[@]} -eq 0 ] || exit 2"])
def test_a_line_between_two_tests_with_a_redirection_disturbs(test: str, line: str) -> None:
    """The grammar took all of it for one test, and the step behind a DEBUG trap was proven."""
    for between in (f"{line}\nexec > >(tee log) 2>&1", f"exec > >(tee log) 2>&1\n{line}"):
        around = f"{test}\n{between}\n{test}"
        assert proofs(launched(around)) == []
        assert proofs(launched("", around)) == []
        assert proofs(piped(around)) == []


@pytest.mark.parametrize("line", ["trap 'exit 5' DEBUG > log", 'eval "$CODE" 2>&1', "source ./lib.sh < list"])
def test_a_redirected_line_below_a_pipe_of_three_disturbs(line: str) -> None:
    for pipe in ("a | b | c", "a | b | c  # d"):
        assert proofs(launched(f"{pipe}\n{line}")) == []


def test_where_lines_stay_read_as_one_there_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    code = launched(f"{TESTED}\nmkdir out\nexec > log\n{TESTED}")
    assert proofs(code)
    monkeypatch.setattr(tree, "_ROUNDS", 1)
    assert hits(code)
    assert proofs(code) == []


# --- laws ---


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*ORDINARY, *GUARDS]), max_size=4), st.data())
def test_among_any_lines_a_disturbing_one_leaves_no_proof(lines: list[str], data: st.DataObject) -> None:
    def among(disturbing: list[str]) -> str:
        at = data.draw(st.integers(0, len(lines)))
        return "\n".join([*lines[:at], data.draw(st.sampled_from(disturbing)), *lines[at:]])

    place = data.draw(st.sampled_from(PLACES))
    assert proofs(parsed(among([*LOOKING, *DISTURBING]), place)) == []
    assert proofs(launched(among(DISTURBING))) == []
    assert proofs(piped(among(DISTURBING))) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([*GUARDS, *LOOKING]), max_size=3))
def test_a_loop_with_a_proof_stops_as_it_says(lines: list[str]) -> None:
    """In bash, the whole script with its flag as the only argument."""
    code = parsed("\n".join(lines))
    if not proofs(code):
        return
    stubs = "usage() { :; }\n"
    done = subprocess.run(["bash", "-c", stubs + code, "run.sh", "--model"], capture_output=True, text=True)
    assert "$2: unbound variable" in done.stderr


def test_a_script_full_of_functions_and_disturbances_is_read_in_time() -> None:
    functions = "".join(f'f{i}() {{ f{i + 1}; readonly V{i}; eval "$1"; }}\n' for i in range(3000))
    assert proofs(functions + launched() * 50)
    assert proofs(f"{functions}f1\n{launched()}") == []
