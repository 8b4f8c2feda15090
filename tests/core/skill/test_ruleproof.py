"""The `proof` of a rule file: which commands there can be, and what is said of the others."""

from __future__ import annotations

import pytest

from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.ruleproof import FORM, read_proof


@pytest.mark.parametrize(
    ("command", "argv"),
    [
        ("./tools/show.sh <path> <line>", ("./tools/show.sh", "<path>", "<line>")),
        (
            "python3 tools/show.py --at=<path>:<line>  # shows it",
            ("python3", "tools/show.py", "--at=<path>:<line>"),
        ),
        ("grep -q 'a.*b' <path>", ("grep", "-q", "a.*b", "<path>")),
        ("./tools/show.sh", ("./tools/show.sh",)),
    ],
)
def test_a_command_that_runs_without_a_shell(command: str, argv: tuple[str, ...]) -> None:
    notes = Diagnostics("rules/a.yml")
    assert read_proof(command, (14, 1), notes) == argv
    assert notes.sorted() == ()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("", "the line is empty"),
        ("./show.sh <path> | grep x", "it needs a shell (`|`)"),
        ("./show.sh $FILE", "it needs a shell (a variable)"),
        ("cd tools", "it needs a shell (`cd`)"),
        ("curl x.org/<path>", "`curl` uses the network"),
        ("git push origin", "`git push` uses the network"),
        ("pip install x", "it installs something (`pip install x`), and gates have no network"),
        ("/bin/show <path>", "it reaches outside the repository"),
        ("./show.sh 'a", "it cannot be read: no closing quotation"),
        ("./show.sh <file>", "<file> means nothing there, `<path>` and `<line>` do"),
        ("./show.sh <each>", "<each> means nothing there, `<path>` and `<line>` do"),
        ("bash -n <path>", "it only parses, and a proof runs something"),
        ("./show.sh lib/*.sh", "it holds a glob; name the files, or put quotes around a text"),
        ("bash <path>", "the file that is reviewed cannot speak for itself; start a tool that looks at it"),
        ("./<path>", "the file that is reviewed cannot speak for itself; start a tool that looks at it"),
        ("./a.sh\n./b.sh", "it is more than one line, or than 1000 characters"),
        ("./a.sh " + "x" * 1000, "it is more than one line, or than 1000 characters"),
    ],
)
def test_any_other_is_a_fault_at_its_place(command: str, why: str) -> None:
    notes = Diagnostics("rules/a.yml")
    assert read_proof(command, (14, 8), notes) == ()
    assert [str(d) for d in notes.sorted()] == [
        f"rules/a.yml:14:8 R010 the proof cannot be run: {why}; {FORM}"
    ]
