"""What is said about a place in a script, next to a finding: each claim holds in the text as written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import Candidate, Claim, Grade, Origin, Severity, Side, Site, Text, Texts
from reviewbot.core.verify import check
from reviewbot.detectors.shell.facts import Facts, label
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node

PROBE = "git fetch\n"


def script(code: str, *, partial: bool = False) -> ShellFile:
    return ShellFile(Text("run.sh", code, partial=partial))


def command(file: ShellFile, name: str) -> Node:
    return next(c for c in file.commands if c.name == name)


def holds(file: ShellFile, claims: list[Claim]) -> bool:
    """Whether `verify` lets a finding with these claims stand."""
    site = Site("run.sh", 1, 1, file.text.quote(1, 1))
    candidate = Candidate(
        "s", "c", 1, "t", Severity.NOTE, Origin.DETECTOR, Grade.HINT, site, "", "", "", claims=tuple(claims)
    )
    kept, _ = check([candidate], Texts(Side.RIGHT, {"run.sh": file.text}))
    return len(kept) == 1


def options(code: str, *names: str) -> list[str]:
    file = script(code)
    claims = list(Facts(file).options(command(file, "git"), *names))
    assert holds(file, claims)
    return [claim.text for claim in claims]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (PROBE, ["No line of this script sets errexit."]),
        (f"set -eu\n{PROBE}", ["Line 1 sets errexit."]),
        (f"#!/bin/bash -ex\n{PROBE}", ["Line 1 sets errexit."]),
        (f"set -x\nshopt -so errexit\n{PROBE}", ["Line 2 sets errexit."]),
        (f"set -e\nset +e\n{PROBE}set -e\n", ["Line 2 switches off errexit."]),
        (f"set +e\nset -e\nset -x\n{PROBE}", ["Line 2 sets errexit."]),
        (f"{PROBE}set -e\n", ["Lines that speak of errexit; at line 1 it is off."]),
        (f"( set -e; a )\n{PROBE}", ["Lines that speak of errexit; at line 2 it is off."]),
        (f"set -e\nx=$({PROBE.strip()}; b)\n", ["Lines that speak of errexit; at line 2 it is off."]),
        (f"if a; then set -e; fi\n{PROBE}", ["Lines that speak of errexit; at line 2 it may be on or off."]),
        (f". ./lib.sh\n{PROBE}", ["No line of this script sets errexit.", "Line 1 may set errexit."]),
        (f"set $FLAGS\n{PROBE}", ["Line 1 may set errexit."]),
        (
            f"set -e\nif git fetch; then\n  {PROBE}fi\n",
            ["Line 2 runs it in a condition, where bash disregards errexit.", "Line 1 sets errexit."],
        ),
        (
            f"set -e\nf() {{\n  {PROBE}  b\n}}\nf || c\n",
            ["Line 6 runs it left of `&&` or `||`, where bash disregards errexit.", "Line 1 sets errexit."],
        ),
        (
            f"set -e\n! {PROBE}",
            ["Line 2 runs it behind `!`, where bash disregards errexit.", "Line 1 sets errexit."],
        ),
        (f"f() {{\n  {PROBE}}}\nset -e\nf\n", ["Lines that speak of errexit; at line 2 it is on."]),
        (f"set -e\nf() {{\n  {PROBE}}}\nf\n", ["Line 1 sets errexit."]),
        (f"f() {{\n  set -e\n  {PROBE}}}\nf\n", ["Line 2 sets errexit."]),
        (f"trap 'exit 1' ERR\n{PROBE}", []),
    ],
)
def test_what_errexit_is_and_which_line_has_decided_it(code: str, said: list[str]) -> None:
    assert options(code, "errexit") == said


def test_nounset_and_pipefail_are_told_in_the_same_way() -> None:
    assert options(f"set -u\n{PROBE}", "nounset", "pipefail") == [
        "Line 1 sets nounset.",
        "No line of this script sets pipefail.",
    ]
    assert options(f"set -euo pipefail\n{PROBE}", "pipefail", "nounset") == [
        "Line 1 sets pipefail.",
        "Line 1 sets nounset.",
    ]
    assert options(f"# set -u, pipefail\n{PROBE}", "nounset", "pipefail") == [
        "Lines that speak of nounset; at line 2 it is off.",
        "Lines that speak of pipefail; at line 2 it is off.",
    ]


def test_of_the_hunks_of_a_patch_nothing_is_counted() -> None:
    file = script(f"make || exit 1\n{PROBE}git gc\n", partial=True)
    facts, fetch = Facts(file), command(file, "git")
    assert [*facts.options(fetch, "errexit"), *facts.guards(fetch)] == []


@pytest.mark.parametrize(
    ("code", "counted"),
    [
        (PROBE, []),
        (f"{PROBE}make || exit 1\n", [1]),
        (f"{PROBE}make || exit 1\ngit checkout v1\ngit gc && ls\n", [1, 2]),
        (f"{PROBE}make || exit 1\nif a; then\n\tgit checkout v1\nfi\n", [1, 2]),
        (f"{PROBE}make || exit 1\ngit clone \\\n  x || exit 1\ngit gc\n", [2]),
        (f"{PROBE}make || exit 1\ngit gc\ncat <<EOF\ngit x\nEOF\n", [1]),
        (f"{PROBE}make || {{ echo no\n  exit 1; }}\ngit gc\n", [2]),
    ],
)
def test_guards_and_their_lack_are_counted_where_tree_and_text_agree(code: str, counted: list[int]) -> None:
    file = script(code)
    claims = list(Facts(file).guards(command(file, "git")))
    assert [claim.expected for claim in claims] == counted
    assert holds(file, claims)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ('srun train.py \\\n  "${CFG}"\n', "The launch reads `CFG` at line 2."),
        (
            'ARGS=(-x\n  -f "$CFG")\nsrun "${ARGS[@]}"\n',
            "Line 2 makes `ARGS`, which the launch reads, from `CFG`.",
        ),
        ('go() {\n  srun "$1"\n}\ngo "$CFG"\n', "Line 4 calls it with `CFG`."),
        ('A="$CFG"\nB="$A"\nsrun "$B"\n', None),
        ('srun "$CFG_2"\n', None),
        ('srun "$A"\nA="$CFG"\n', None),
    ],
)
def test_where_the_launch_reads_a_variable(code: str, said: str | None) -> None:
    file = script(code)
    launch = command(file, "srun")
    via = next((c for c in file.commands if c.name == "go"), launch)
    first, *reads = Facts(file).launch(launch, via, ["CFG"])
    assert first.text.startswith(f"Line {launch.line} is the launch: `srun ")
    assert [claim.text for claim in reads] == [said] * (said is not None)
    assert holds(file, [first, *reads])


def test_a_path_that_the_launch_reads_is_found_as_text() -> None:
    file = script("srun --cfg=./a+b/c.yaml\n")
    launch = command(file, "srun")
    assert [c.pattern for c in Facts(file).launch(launch, launch, ["a+b/c.yaml"])][1:] == ["a+b/c.yaml"]


PIECES = st.sampled_from(
    [
        "set -e\n",
        "set +e; set -u\n",
        "set $X\n",
        "# set -e || exit 1\n",
        "make || exit 1\n",
        "git gc \\\n || exit 1\n",
        "git fetch\n",
        "git add . && git commit\n",
        "  git gc # || exit\n",
        "if git x; then\n",
        "fi\n",
        "f() {\n",
        "}\n",
        "f\n",
        "f || die\n",
        "( set -eo pipefail\n",
        ")\n",
        "cat <<E\ngit fetch || exit 1\nE\n",
        "A=$CFG; srun $A\n",
        "git\x0cfetch\r\n",
        "\u2028set -e\n",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_no_claim_is_ever_false(code: str) -> None:
    file = script(code + PROBE)
    facts = Facts(file)
    for node in file.commands:
        claims = [
            *facts.options(node, "errexit", "nounset", "pipefail"),
            *facts.guards(node),
            *facts.launch(node, node, ["CFG", "A"]),
        ]
        assert holds(file, claims)


def test_a_label_is_short_and_holds_no_backtick() -> None:
    assert label(["cp", "`date`"]) == "cp 'date'"
    assert label(["python3", '"$A/very/long/path/to/a/script.py"', "x"]) == "python3 …/script.py x"
    assert len(label(["cp", *["word"] * 50])) == 60
