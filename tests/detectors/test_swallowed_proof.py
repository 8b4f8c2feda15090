"""How swallowed-failure is shown by running it: the reduced script ends as the whole one does."""

from __future__ import annotations

import os
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.types import Grade, Proof, Text
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.swallowed_failure import DETECTOR, find_shell
from reviewbot.detectors.swallowed_failure.preparations import Preparation
from reviewbot.detectors.swallowed_failure.proof import proof
from reviewbot.detectors.swallowed_failure.steps import Script, Step
from tests.detectors.proving import HOSTILE, in_shell, outcome, stays_in_the_list

STRONG = [
    hit
    for example in DETECTOR.bad
    if not example.path.endswith(".py")
    for hit in find_shell(ShellFile(Text(example.path, example.code)))
    if hit.grade is Grade.STRONG
]


def proofs(code: str) -> list[Proof | None]:
    return [hit.proof for hit in find_shell(ShellFile(Text("run.sh", code)))]


def built(code: str) -> Proof | None:
    """The proof of a step that nobody has judged: the first `git checkout`, and the first launch."""
    script = Script(ShellFile(Text("run.sh", code)))
    command = next((c for c in script.file.commands if c.name == "git"), None)
    if command is None or not script.launches:  # the parser has lost its way
        return None
    errexit = script.file.options.errexit_at(command)
    launch = script.launches[0]
    return proof(script, Step(command, Preparation.PIN, errexit, launch, launch, (), Grade.STRONG))


def reduced(code: str) -> str:
    found = built(code)
    assert found is not None
    assert found.script is not None
    return found.script.content


# --- what is run ---


def test_the_script_is_no_more_than_what_decides() -> None:
    code = """\
#!/bin/bash
set -xu
MODEL="models/${NAME%%:*}"
mkdir -p out
if [[ "$PATCHED" == true ]]; then
    python3 tools/patch.py "$MODEL" 2>&1
fi
echo "patched"; ls out
ID=$(sbatch job.slurm "$MODEL") || exit 3
echo "$ID"
"""
    [found] = proofs(code)
    assert found is not None
    assert found.argv == ("bash", "run.sh")
    assert found.script is not None
    assert found.script.content == (
        "NAME=given\n"
        "PATCHED=true\n"
        "set -u\n"
        'MODEL="models/${NAME%%:*}"\n'
        'if [ "$PATCHED" = "true" ]\n'
        "then\n"
        "    false\n"
        "fi\n"
        "true\n"
        "ID=$(\n"
        "    printf 'reviewbot: launched, MODEL=%s\\n' \"$MODEL\" >&2\n"
        ") || exit 1\n"
    )
    assert found.shows.words == "reaches the launch although the step, here `false`, fails"
    assert outcome(found) == "proven"


def test_a_value_that_the_text_does_not_tell_is_a_stand_in_and_that_is_said() -> None:
    [found] = proofs('CONFIG="$1"\npython3 inject.py "$CONFIG"\nsrtctl apply -f "$CONFIG"\n')
    assert found is not None
    assert found.script is not None
    assert found.script.content.startswith("CONFIG=given\nfalse\n")
    assert found.shows.words.endswith("with a stand-in for `CONFIG`")


def test_a_launch_that_would_read_nothing_shows_nothing() -> None:
    [found] = proofs('CONFIG="${OTHER%%*}"\npython3 inject.py "$CONFIG"\nsrtctl apply -f "$CONFIG"\n')
    assert found is not None
    assert outcome(found) == "neither"


@pytest.mark.parametrize("shell", ["sh", "dash", "bash"])
def test_a_script_is_run_by_the_shell_that_it_names(shell: str) -> None:
    [found] = proofs(f"#!/bin/{shell} -u\ngit apply a.patch\nsbatch job.slurm\n")
    assert found is not None
    assert found.argv == (shell, "run.sh")
    assert found.script is not None
    assert found.script.content.startswith("set -u\nfalse\n")
    assert outcome(found) == "proven"


# --- how it ends ---


@pytest.mark.parametrize("hit", STRONG, ids=lambda hit: hit.failure[:40])
def test_every_strong_example_is_proven(hit) -> None:
    assert hit.proof is not None
    stays_in_the_list(hit.proof)
    assert outcome(hit.proof) == "proven"
    assert in_shell(hit.proof) == "proven"


CAUGHT = (
    'set -e\ngit checkout "$PIN"\nsbatch job.slurm\n',
    '#!/bin/bash -e\ngit checkout "$PIN"\nsbatch job.slurm\n',
    'git checkout "$PIN" || exit 1\nsbatch job.slurm\n',
    'git checkout "$PIN" || { echo no >&2; exit 7; }\nsbatch job.slurm\n',
    'if ! git checkout "$PIN"; then exit 1; fi\nsbatch job.slurm\n',
    'git checkout "$PIN" && sbatch job.slurm\n',
    'p() { git checkout "$PIN"; }\np || exit 1\nsbatch job.slurm\n',
    'p() { git checkout "$PIN" || return 1; echo; }\nset -e\np\nsbatch job.slurm\n',
    'set -eo pipefail\ngit checkout "$PIN" | tee log\nsbatch job.slurm\n',
    'set -e\nfor m in a b; do git checkout "$PIN"; sbatch job.slurm; done\n',
    'set -e\nmain() {\n  git checkout "$PIN"\n  sbatch job.slurm\n}\nmain "$@"\n',
)


@pytest.mark.parametrize("code", CAUGHT)
def test_a_guard_that_catches_it_disproves(code: str) -> None:
    found = built(code)
    assert found is not None
    stays_in_the_list(found)
    assert outcome(found) == "disproved"


LINE = st.sampled_from(
    ["set -e", "set +e", "set -o pipefail", "mkdir -p out", "set -u", "echo ready", "OUT=a"]
)
AROUND = st.sampled_from(
    [
        "{X}",
        "{X} || exit 1",
        "{X} || echo failed",
        "{X} || true",
        "{X} && echo fine",
        "{X} | tee log",
        "if ! {X}; then exit 1; fi",
        "if {X}; then echo fine; fi",
        "if {X}; then echo fine; else exit 2; fi",
        "if [ -n \"$SET\" ]; then\n{X}\nfi",
        "if [ \"$SET\" != x ]; then\n{X}\nelse\nexit 1\nfi",
        "for m in a b; do\n{X}\ndone",
        "{{\n{X}\n}}",
        "(\n{X}\n)",
        "(\nset -e\n{X}\necho fine\n)",
        "{{\n{X}\necho fine\n}}",
        "! {X}",
        "V=$({X})",
        "mkdir x && {X}",
        "{N}() {{\n{X}\n}}\n{N}",
        "{N}() {{\n{X}\necho fine\n}}\n{N} || exit 1",
        "{N}() {{\n{X} || return 1\necho fine\n}}\n{N}",
    ]
)  # fmt: skip


@st.composite
def scripts(draw: st.DrawFn) -> str:
    pieces = []
    for at, inner in enumerate(('git checkout "$PIN"', "sbatch job.slurm")):
        piece = inner
        for depth in range(draw(st.integers(0, 3))):
            around = draw(AROUND)
            whole = piece if depth == 0 else f"{{\n{piece}\n}}"
            piece = around.format(X=whole, N=f"f{at}{depth}")
        pieces += [*draw(st.lists(LINE, max_size=2)), piece]
    both = "\n".join(pieces)
    return draw(st.sampled_from(["{X}", "m() {{\n{X}\n}}\nm", "(\n{X}\n) || exit 1"])).format(X=both) + "\n"


def ended(code: str) -> tuple[bool, int]:
    """Whether the whole script launches, with a `git` that fails, and its exit code."""
    stubs = "git() { return 1; }\nsbatch() { echo LAUNCHED >&2; }\nmkdir() { :; }\ntee() { cat; }\n"
    environment = {"PATH": os.defpath, "PIN": "1", "SET": "given"}
    done = subprocess.run(["bash", "-c", stubs + code], capture_output=True, text=True, env=environment)
    return "LAUNCHED" in done.stderr, done.returncode


@settings(max_examples=150, deadline=None)
@given(scripts())
def test_the_reduced_script_ends_as_the_whole_one_does(code: str) -> None:
    found = built(code)
    if found is None:
        return
    stays_in_the_list(found)
    launched, exit_code = ended(code)
    said = in_shell(found)
    assert (said == "proven") is launched
    assert said != "disproved" or exit_code != 0


# --- what is not reduced ---


@pytest.mark.parametrize(
    "code",
    [
        # what lies between may notice it
        'git checkout "$PIN"\n[ "$(git rev-parse HEAD)" = "$PIN" ] || exit 1\nsbatch job.slurm\n',
        'v() { [ -f "$PIN" ] || exit 1; }\ngit checkout "$PIN"\nmkdir x\nls\nls\nls\nv\nsbatch job.slurm\n',
        'git checkout "$PIN"\nif [ $? -ne 0 ]; then exit 1; fi\nsbatch job.slurm\n',
        'git checkout "$PIN"\nset -e\npython3 verify.py "$PIN"\nsbatch job.slurm\n',
        # options that nobody knows
        '. ./common.sh\ngit checkout "$PIN"\nsbatch job.slurm\n',
        'if [ "$CI" ]; then set -e; fi\ngit checkout "$PIN"\nsbatch job.slurm\n',
        'set $FLAGS\ngit checkout "$PIN"\nsbatch job.slurm\n',
        'eval "set -e"\ngit checkout "$PIN"\nsbatch job.slurm\n',
        'trap "exit 1" ERR\ngit checkout "$PIN"\nsbatch job.slurm\n',
        # conditions that look at more than a word
        'if [ -d .git ]; then\ngit checkout "$PIN"\nfi\nsbatch job.slurm\n',
        'if curl -f "$URL"; then\ngit checkout "$PIN"\nfi\nsbatch job.slurm\n',
        'while read -r m; do git checkout "$PIN"; sbatch job.slurm; done < list\n',
        'case "$1" in a) git checkout "$PIN" ;; esac\nsbatch job.slurm\n',
        'MODE=a\nif [ "$MODE" = b ]; then git checkout "$PIN"; fi\nsbatch job.slurm\n',
        'for m in $ALL; do if [ "$m" = b ]; then git checkout "$PIN"; fi; done\nsbatch job.slurm\n',
        # names and ways that mean another thing
        'false() { :; }\ngit checkout "$PIN"\nsbatch job.slurm\n',
        'p() { git checkout "$PIN"; }\np() { :; }\np\nsbatch job.slurm\n',
        'p() { git checkout "$PIN"; }\np || exit 1\np\nsbatch job.slurm\n',
        'p() { git checkout "$PIN"; q; }\nq() { p; }\nsbatch job.slurm\n',
        'git checkout "$PIN" &\nsbatch job.slurm\n',
        'git checkout "$PIN"\nexit 0\nsbatch job.slurm\n',
        'git checkout "$PIN"\n{ ls; die "not yet"; }\nsbatch job.slurm\n',
        'git checkout "$PIN"\nif a; then { exit 1; }; elif b; then exec c; else die; fi\nsbatch job.slurm\n',
        'git checkout "$PIN"\nif [ -f a ]; then exit 1; else exit 0; fi\nsbatch job.slurm\n',
        '#!/bin/zsh\ngit checkout "$PIN"\nsbatch job.slurm\n',
        'echo "$(sbatch job.slurm)" "$(git checkout "$PIN")"\nsbatch job.slurm\n',
    ],
)
def test_there_is_no_proof_where_something_would_have_to_be_guessed(code: str) -> None:
    assert built(code) is None


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([e.code for e in DETECTOR.bad if e.path.endswith(".sh")]), st.data())
def test_nothing_hostile_gets_through(code: str, data: st.DataObject) -> None:
    rows = code.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        rows.insert(data.draw(st.integers(0, len(rows))), data.draw(HOSTILE))
    for found in proofs("\n".join(rows)):
        if found is not None:
            stays_in_the_list(found)
            assert found.script is not None
            assert "touch" not in found.script.content


def test_of_a_script_with_many_steps_the_first_have_a_proof() -> None:
    found = proofs('git checkout "$PIN"\necho ready\n' * 200 + "sbatch job.slurm\n")
    made = sum(proof is not None for proof in found)
    assert 20 < made < 200
    assert None not in found[:made]


@pytest.mark.parametrize(
    "between",
    [
        f'echo "{"ready " * 40_000}"\n',  # more than is read of one script
        "log\n" * 300,  # a function is read again at every call
        "{\n" * 60 + "ls\n" + "}\n" * 60,  # deeper than a function that calls itself can follow
    ],
)
def test_a_way_that_would_take_too_long_to_follow_is_not_written(between: str) -> None:
    log = f"log() {{\n{'ls -l' * 200}\n}}\n"
    assert built(f'{log}git checkout "$PIN"\n{between}sbatch job.slurm\n') is None
    assert built(f'{log}git checkout "$PIN"\nlog\n{{\nls\n}}\nsbatch job.slurm\n') is not None
