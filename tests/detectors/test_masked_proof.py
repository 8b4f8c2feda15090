"""How masked-exit-code is shown by running it: the failure is taken for a success, or it is noticed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.types import Grade, Proof, Text
from reviewbot.detectors.masked_exit_code import DETECTOR, find
from reviewbot.detectors.masked_exit_code.between import Late
from reviewbot.detectors.masked_exit_code.pipes import Pipes
from reviewbot.detectors.masked_exit_code.proof import of_late, of_pipe
from reviewbot.detectors.masked_exit_code.readers import Readers
from reviewbot.detectors.masked_exit_code.reliance import Masked
from reviewbot.detectors.masked_exit_code.work import Trade
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.slicing.slice import Slicer
from tests.detectors.proving import HOSTILE, in_shell, outcome, stays_in_the_list

STRONG = [
    (example.path, hit)
    for example in DETECTOR.bad
    for hit in find(ShellFile(Text(example.path, example.code)))
    if hit.grade is Grade.STRONG
]
SHOWN = [pytest.param(hit.proof, id=f"{path}-{hit.failure[:40]}") for path, hit in STRONG if hit.proof]


def proofs(code: str, path: str = "run.sh") -> list[Proof | None]:
    return [hit.proof for hit in find(ShellFile(Text(path, code)))]


def only(code: str) -> Proof:
    [found] = proofs(code)
    assert found is not None
    return found


def built(code: str) -> Proof | None:
    """The proof of the first pipe and of whoever reads it, whatever the options are."""
    file = ShellFile(Text("run.sh", code))
    pipe = next(iter(Pipes(file, Trade(file))))
    reading = next(Readers(file).of(pipe.node), None)
    return of_pipe(Slicer(file), Masked(pipe, reading, Grade.STRONG, stops=reading is None))


# --- what is run ---

TAKEN = "printf 'reviewbot: taken for a success\\n' >&2\n"
NOTICED = "    printf 'reviewbot: the failure was noticed\\n' >&2\n    exit 1\n"


@pytest.mark.parametrize(
    ("code", "script"),
    [
        ("set -eu\n./work.sh | tee log\nls\n", f"set -e -u\nfalse | cat\n{TAKEN}"),
        ("./work.sh | tee log || exit 3\n", f"false | cat || {{\n{NOTICED}}}\n{TAKEN}"),
        ("cat a | ./work.sh | tee log && touch done\n", None),
        ("make bench | tee log && touch done\n", f"false | cat && {TAKEN}"),
        (
            "if ! make all 2>&1 | tee log; then\n    exit 1\nfi\n",
            f"if ! false | cat\nthen\n{NOTICED}else\n    {TAKEN}fi\n",
        ),
        (
            "make all | tail -1\nif [ $? -ne 0 ]; then exit 1; fi\n",
            f'false | cat\nif [ "$?" -eq 0 ]\nthen\n    {TAKEN}else\n{NOTICED}fi\n',
        ),
        (
            "make all\necho ok\n[ $? -eq 0 ] || exit 1\n",
            f'false\ntrue\nif [ "$?" -eq 0 ]\nthen\n    {TAKEN}else\n{NOTICED}fi\n',
        ),
    ],
)
def test_the_script_is_no_more_than_what_decides(code: str, script: str | None) -> None:
    [found] = proofs(code)
    if script is None:
        assert found is None
        return
    assert found is not None
    assert found.argv == ("bash", "run.sh")
    assert found.script is not None
    assert found.script.content == script
    assert outcome(found) == "proven"


def test_a_function_is_called_as_the_script_calls_it() -> None:
    found = only("logged() {\n    ./work.sh | tee log\n}\nif ! logged a; then exit 1; fi\necho fine\n")
    assert found.script is not None
    assert found.script.content == (
        f"logged() {{\n    false | cat\n}}\nif ! logged\nthen\n{NOTICED}else\n    {TAKEN}fi\n"
    )
    assert outcome(found) == "proven"


def test_the_verdict_of_a_ci_script_is_its_exit_code() -> None:
    [found] = proofs("cd tests || exit 1\npytest -x . | tee report.txt\n", "ci/test.sh")
    assert found is not None
    assert found.script is not None
    assert found.script.content == "false | cat\n"
    assert found.shows.exits == (0,)
    assert outcome(found) == "proven"


# --- how it ends ---


@pytest.mark.parametrize("found", SHOWN)
def test_every_strong_example_with_a_proof_is_proven(found: Proof) -> None:
    stays_in_the_list(found)
    assert outcome(found) == "proven"
    assert in_shell(found) == "proven"


def test_all_but_one_of_the_strong_examples_have_a_proof() -> None:
    """Not the handler of a trap: how a script comes to its end is not reduced."""
    assert len(SHOWN) == len(STRONG) - 1


@pytest.mark.parametrize(
    "code",
    [
        "set -eo pipefail\n./work.sh | tee log\nls\n",
        "#!/bin/bash -e\nset -o pipefail\n./work.sh | tee log\nls\n",
        "set -o pipefail\n./work.sh | tee log || exit 1\n",
        "set -o pipefail\nif ./work.sh | tee log; then touch done; fi\n",
        "set -o pipefail\nif ! ./work.sh | tee log; then exit 1; fi\n",
        "set -o pipefail\n./work.sh | tee log && touch done\n",
        "set -o pipefail\n./work.sh | tee log\n[ $? -eq 0 ] || exit 1\n",
        "set -o pipefail\np() { ./work.sh | tee log; }\np || exit 1\n",
        "set -o pipefail\nif true; then ./work.sh | tee log || exit 1; fi\n",
        "set -o pipefail\nv=$(./work.sh | tail -1) || exit 1\n",
    ],
)
def test_a_pipe_whose_status_is_right_disproves(code: str) -> None:
    found = built(code)
    assert found is not None
    stays_in_the_list(found)
    assert outcome(found) == "disproved"
    relaxed = built(code.replace("set -o pipefail", "ls").replace("set -eo pipefail", "set -e"))
    assert relaxed is not None
    assert outcome(relaxed) == "proven"


def test_a_status_that_is_read_at_once_disproves() -> None:
    file = ShellFile(Text("run.sh", "make all\n[ $? -eq 0 ] || exit 1\n"))
    meant, asks = file.tree.body
    found = of_late(Slicer(file), Late(asks, meant, meant))
    assert found is not None
    assert outcome(found) == "disproved"


# --- what is not reduced ---


@pytest.mark.parametrize(
    "code",
    [
        "while ./work.sh | tee log; do ls; done\n",
        "if [ -f a ]; then ls; elif ./work.sh | tee log; then ls; fi\n",
        'if [ -d "$A" ]; then ./work.sh | tee log || exit 1; fi\n',
        "cat() { :; }\n./work.sh | tee log || exit 1\n",
        "#!/bin/ksh\n./work.sh | tee log || exit 1\n",
        ". ./common.sh\n./work.sh | tee log || exit 1\n",
        "! ./work.sh | tee log || exit 1\n",
    ],
)
def test_there_is_no_proof_where_something_would_have_to_be_guessed(code: str) -> None:
    assert built(code) is None


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([example.code for example in DETECTOR.bad]), st.data())
def test_nothing_hostile_gets_through(code: str, data: st.DataObject) -> None:
    rows = code.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        rows.insert(data.draw(st.integers(0, len(rows))), data.draw(HOSTILE))
    for found in proofs("\n".join(rows)):
        if found is not None:
            stays_in_the_list(found)
            assert found.script is not None
            assert "touch" not in found.script.content
