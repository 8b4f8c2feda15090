"""How argument-hole is shown by running it: the reduced script, and what becomes of it in the sandbox."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import Proof, Sign, Text
from reviewbot.detectors.argument_hole import find
from reviewbot.detectors.argument_hole.examples import BAD
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.reduced import file_name
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.gates.parallel import parallel
from tests.detectors.proving import outcome

COMMANDS = {"set", "shift", "printf", "break", "true", ":", "test", "["}
KINDS = {
    "program", "command", "variable_assignment", "variable_assignments", "test_command", "list",
    "if_statement", "else_clause", "while_statement", "do_group", "case_statement", "case_item",
    "compound_statement",
}  # fmt: skip
REST = "    *) printf 'reviewbot: not this arm\\n'; break ;;\n  esac\n"
END = "printf 'reviewbot: end\\n'\n"


def hits(code: str, path: str = "run.sh") -> list[Hit]:
    return list(find(ShellFile(Text(path, code))))


def proof(code: str, path: str = "run.sh") -> Proof | None:
    [hit] = hits(code, path)
    return hit.proof


def loop(arm: str, options: str = "set -e", condition: str = "[ $# -gt 0 ]", behind: str = "") -> str:
    items = f"    --model) {arm} ;;\n    *) shift ;;\n"
    body = f'  case "$1" in\n{items}  esac\n{behind}'
    return f"#!/bin/bash\n{options}\nwhile {condition}; do\n{body}done\nrun $MODEL\n"


def reduced(code: str) -> str:
    found = proof(code)
    assert found is not None
    assert found.script is not None
    return found.script.content


def told(name: str) -> str:
    return f"[ -n \"${{{name}:-}}\" ] || printf 'reviewbot: {name} is empty\\n'\n"


# --- the reduced script -------------------------------------------------------------------


def test_unbound_the_options_and_the_arm_and_nothing_of_the_rest() -> None:
    assert reduced(BAD[0].code) == (
        "set -e\nset -u\n"
        'while [ $# -gt 0 ]; do\n  case "$1" in\n    --model)\n      MODEL="$2"\n      shift 2\n      ;;\n'
        f"{REST}done\n{told('MODEL')}{END}"
    )
    found = proof(BAD[0].code)
    assert found is not None
    assert found.argv == ("bash", "run.sh", "--model")
    assert found.shows == Sign(
        'stops with "unbound variable"', r": line 6: \$?\d+: unbound variable$", (1, 2, 127)
    )
    assert found.denies == Sign("goes on, and nothing is empty", r"\Areviewbot: end\n?\Z", (0,))


def test_silent_the_word_before_the_case_is_kept() -> None:
    assert reduced(BAD[1].code) == (
        'set -e\nwhile [[ $# -gt 0 ]]; do\n  key="$1"\n  case $key in\n    --steps)\n'
        f'      STEPS="${{2:-}}"\n      shift 2\n      ;;\n{REST}done\n{told("STEPS")}{END}'
    )


def test_endless() -> None:
    assert reduced(BAD[2].code) == (
        'while [ -n "$1" ]; do\n  case "$1" in\n    --gpus)\n      GPUS="$2"\n      shift 2\n      ;;\n'
        f"{REST}done\n{told('GPUS')}{END}"
    )
    found = proof(BAD[2].code)
    assert found is not None
    assert found.shows == Sign("was still running after 1 s", r"\A\Z", endless=True)


def test_empty_the_shift_behind_the_case_is_kept() -> None:
    assert reduced(BAD[3].code) == (
        'while (( $# )); do\n  case "$1" in\n    --out)\n      OUT="$2"\n      shift\n      ;;\n'
        f"{REST}  shift\ndone\n{told('OUT')}{END}"
    )
    found = proof(BAD[3].code)
    assert found is not None
    assert found.shows.words == "goes on with `OUT` empty"


def test_aborted_a_branch_of_an_if_under_dash() -> None:
    found = proof(BAD[4].code)
    assert found is not None
    assert found.argv == ("sh", "run.sh", "--data")
    assert reduced(BAD[4].code) == (
        'while [ $# -gt 0 ]; do\n  if [ "$1" = "--data" ]; then\n    DATA="$2"\n    shift 2\n  else\n'
        f"    printf 'reviewbot: not this arm\\n'; break\n  fi\ndone\n{told('DATA')}{END}"
    )


def test_what_the_script_knows_from_before_is_known_here_too_with_no_value() -> None:
    text = reduced(loop('ARGS="$ARGS --model $2"; shift 2', "set -eu; ARGS=x"))
    assert text.startswith('set -e\nset -u\nARGS=\nwhile [ $# -gt 0 ]; do\n  case "$1" in\n    --model)\n')


def test_a_value_of_more_than_the_missing_word_is_not_empty() -> None:
    assert proof(loop('MODEL="$ARGS --model $2"; shift', "ARGS=", behind="  shift\n")) is None


def test_an_export_is_an_assignment() -> None:
    assert '      MODEL="$2"\n      shift 2\n' in reduced(loop('export MODEL="$2"; shift 2'))


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b/run.sh", "run.sh"),
        ("-rf", "_-rf"),
        ("a/$(x) y\n.sh", "__x__y_.sh"),
        ("..", "_.."),
        ("é/é.sh", "_.sh"),
        ("", "_"),
        ("x" * 300, "x" * 80),
    ],
)
def test_the_name_of_the_script_can_be_typed(path: str, name: str) -> None:
    assert file_name(path) == name


# --- what is not run -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "arm",
    [
        'MODEL="$(rm x)$2"; shift 2',
        "MODEL=`rm x`$2; shift 2",
        "MODEL=${2:-$(x)}; shift 2",
        "MODEL=$2; X=${x@P}; shift 2",
        "MODEL=$2; X=${!2}; shift 2",
        "MODEL=$2; X=$((a[$(x)])); shift 2",
        "MODEL=$2; X=<(x); shift 2",
        "MODEL=$2; X[$(x)]=1; shift 2",
        "MODEL=$2; declare -i X=$2; shift 2",
        "MODEL=$2 # a\n rm x; shift 2",
        "MODEL=$2; X='a\n$(rm x)'; shift 2",
        "MODEL=$2; X=a\\\nb; shift 2",
        "MODEL=$2; shift 2 > x",
        "MODEL=$2 rm x; shift 2",
        "MODEL=$2; X=a & shift 2",
        "MODEL=$2; touch x; shift 2",
        "MODEL=$2; eval x; shift 2",
        "MODEL=$2; : ${X:=$(x)}; shift 2",
        "MODEL=$2; [[ -v a[$(x)] ]] && X=1; shift 2",
        "MODEL=$2; [[ $1 -eq 2 ]] && X=1; shift 2",
        "MODEL=$2; [ -f /etc/passwd ] && X=1; shift 2",
        "MODEL=$2; (( X++ )) || X=1; shift 2",
        "MODEL=$2; X=~root; shift 2",
        "MODEL=$2; X={a,b}; shift 2",
        "MODEL=$2; X=(*); shift 2",
        "MODEL=$2; X=\u00e9; shift 2",
        "MODEL=$2; { shift 2; }",
        "MODEL=$2; [ $GIVEN ] && X=1; shift 2",  # what the script knows of it is not known here
        *(
            f"{name}=$2; shift 2"
            for name in ("BASH_ENV", "PATH", "IFS", "LD_PRELOAD", "SHELLOPTS", "PS4", "ENV", "LC_ALL", "_")
        ),
    ],
)
def test_an_arm_with_more_than_words_has_no_proof(arm: str) -> None:
    [hit] = hits(loop(arm))
    assert hit.proof is None


@pytest.mark.parametrize(
    "code",
    [
        loop("MODEL=$2; shift 2").replace("--model)", "--model|$(rm x))"),
        loop("MODEL=$2; shift 2").replace('case "$1"', 'case "$(x)$1"'),
        loop("MODEL=$2; shift 2").replace("--model)", "-*) shift ;;\n --model)"),  # which comes first
        loop("MODEL=$2; shift 2", condition='[ -e "$1" ]'),
        loop("MODEL=$2; shift 2", condition="read -r x"),
        loop("MODEL=$2; shift 2", behind="  log $1\n"),
        loop("MODEL=$2; shift 2").replace("*) shift ;;", "*) shift ;;\n  esac\n  case $2 in\n a) ;;"),
        loop("MODEL=$2; shift 2").replace("done\n", "done < x\n"),
        loop("MODEL=$2; shift 2").replace("#!/bin/bash", "#!/bin/zsh"),
        loop("MODEL=$2; shift 2", "set -e; trap 'echo $1' ERR"),
        loop("MODEL=$2; shift 2", ". ./lib.sh"),
        loop("MODEL=$2; shift 2").replace("bash", "sh").replace("MODEL=$2", "X+=a; MODEL=$2"),
        loop("MODEL=$2; shift 2", "").replace("bash", "sh").replace("[ $# -gt 0 ]", "(( $# ))"),
    ],
)
def test_a_loop_with_more_than_words_has_no_proof(code: str) -> None:
    [hit] = hits(code)
    assert hit.proof is None


def test_a_trap_behind_the_loop_says_nothing_in_it() -> None:
    assert proof(f"{loop('MODEL=$2; shift 2')}trap 'echo $1' ERR\n")


def test_a_function_that_only_its_callers_feed_has_no_proof() -> None:
    code = loop("MODEL=$2; shift 2").replace("while", "parse() {\nwhile").replace("done\n", "done\n}\n")
    [hit] = hits(f"{code}\nparse --model x\n")
    assert (hit.grade.value, hit.proof) == ("hint", None)


# --- what it shows ---------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        "$2",
        '"$2"',
        '"${2:-}"',
        '"${1#--}"',
        "x",
        "'a b'",
        '"$ARGS --m $2"',
        "$(rm x)",
        "`x`",
        '"$(x)"',
        "a;x",
        "",
    ]
)
STATEMENTS = st.one_of(
    st.builds("{}={}".format, st.sampled_from(["MODEL", "ARGS", "X", "PATH"]), WORDS),
    st.builds("export MODEL={}".format, WORDS),
    st.sampled_from(
        ["shift", "shift 2", "shift 3", "shift && shift", 'ARGS+=("$2")', "[ -n x ] && X=$2", "true", "rm x"]
    ),
)
LOOPS = st.builds(
    loop,
    st.lists(STATEMENTS, min_size=1, max_size=4).map("; ".join),
    st.sampled_from(["", "set -e", "set -u", "set -eu"]),
    st.sampled_from(["[ $# -gt 0 ]", '[ -n "${1:-}" ]', "(( $# ))", "[[ $1 == -* ]]", "true", ":"]),
    st.sampled_from(["", "  shift\n", "  X=1\n"]),
)


def stays_in_the_list(found: Proof) -> None:
    """Read by the parser again, the script has no command and no construct but those of the list."""
    assert found.script is not None
    assert re.fullmatch(r"[ -~\n]*", found.script.content)
    file = ShellFile(found.script)
    assert {node.kind for node in file.nodes} <= KINDS
    assert {node.name for node in file.commands} <= COMMANDS
    assert not re.search(r"`|\$\(|[<>]\(|>>|<<|&(?!&)", found.script.content.replace("&&", ""))


def in_shell(found: Proof) -> str:
    """As the sandbox would say it, without one and without a clock: for scripts of the tests' own."""
    assert found.script is not None
    code = f"set -T; n_=0; trap '[ $((n_ += 1)) -le 500 ] || exit 99' DEBUG\n{found.script.content}"
    argv = ["bash", "-c", code, "run.sh", *found.argv[2:]]
    done = subprocess.run(argv, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    output = done.stdout + done.stderr

    def fits(sign: Sign) -> bool:
        if sign.endless or done.returncode == 99:
            return sign.endless and done.returncode == 99
        exits = done.returncode in sign.exits
        # One line stands before it here.
        expected = re.sub(r"(?<=: line )\d+", lambda at: str(int(at[0]) + 1), sign.output)
        return exits and re.search(expected, output, re.MULTILINE) is not None

    return "proven" if fits(found.shows) else "disproved" if fits(found.denies) else "neither"


@given(LOOPS)
def test_what_is_run_stays_in_the_list_and_what_is_predicted_is_not_denied(code: str) -> None:
    for found in (hit.proof for hit in hits(code)):
        if found:
            stays_in_the_list(found)
            assert in_shell(found) != "disproved"


@given(st.text(alphabet="$(){}`'\"\\;|&<>#!*=- \n\tax2\u00e9\r\0", max_size=12), LOOPS, st.integers(0, 300))
def test_what_a_stranger_writes_anywhere_is_not_run(text: str, code: str, at: int) -> None:
    for hit in hits(code[:at] + text + code[at:]):
        if hit.proof:
            stays_in_the_list(hit.proof)


def test_the_examples_and_each_outcome_are_proven_in_the_sandbox() -> None:
    found = [hit.proof for example in BAD for hit in hits(example.code)]
    given = [one for one in found if one is not None]
    assert len(given) == len(BAD)
    assert parallel(outcome, given, lambda: None) == ["proven"] * len(BAD)


def test_a_hole_that_is_none_is_denied_in_the_sandbox() -> None:
    """The prediction is put on an arm that looks first."""
    found = proof(loop("MODEL=$2; shift 2"))
    assert found is not None
    assert found.script is not None
    right = found.script.content.replace("MODEL=$2", "MODEL=${2:-base}").replace("shift 2", "shift")
    assert outcome(found._replace(script=Text("run.sh", right))) == "disproved"


def test_an_end_that_nobody_predicted_proves_nothing() -> None:
    found = proof(loop("MODEL=$2; shift 2"))
    assert found is not None
    assert outcome(found._replace(argv=("bash", "run.sh", "--other"))) == "neither"
