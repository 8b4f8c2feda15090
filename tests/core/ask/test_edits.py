"""A model's replacement writes nothing into the code that the code did not have and no person would see."""

from __future__ import annotations

import pytest

from reviewbot.core.types import Edit
from tests.core.ask.claims import claimed, finding, said, sources, weighed

TOKEN = "gh" + "p_" + "a1B2" * 10


def edit(head: str, quote: str, text: str, line: int, lines: tuple[int, int] | None = None) -> Edit | None:
    """What becomes of a replacement of `lines` (those of the quote), for a quote at `line` of run.sh."""
    first, last = lines or (line, line + quote.count("\n"))
    offered = {"start_line": first, "line": last, "text": text}
    own = finding(quote=quote, line=line, replacement=offered, evidence=[], failure=[said("It fails.")])
    (checked,) = weighed(sources({"run.sh": head}), own).checked
    return checked.candidate.edit


def test_a_line_that_was_seen_as_it_is_may_be_replaced():
    assert edit("set -x\nmake all\n", "make all", "make all || exit 1", 2) == Edit(2, 2, "make all || exit 1")
    assert edit("set -x\nmake all\n", "make all", "", 2) == Edit(2, 2, "")


@pytest.mark.parametrize(
    ("old", "quote", "new"),
    [
        (f"run {TOKEN} # x", "run [redacted:github] # x", "run [redacted:github]"),
        (f"run {TOKEN} # x", "run [redacted:github] # x", "run"),
        ("run a\u200bb", "run a\\u200bb", "run a\\u200bb -x"),
        ("run a\xadb", "run a\\xadb", "run ab"),
        ("\ufeffrun it", "run it", "run it now"),
        ("run it\rmake", "run it\\rmake", "run it"),
    ],
    ids=["placeholder", "a secret lost", "escape", "a hyphen lost", "byte order mark", "lone CR"],
)
def test_a_line_that_was_shown_otherwise_than_it_is_is_not_replaced(old: str, quote: str, new: str):
    """The placeholder was written into the code, as a suggestion that applies and parses."""
    assert edit(f"{old}\nset -x\n", quote, new, 1) is None


def test_a_line_that_was_cut_is_not_replaced():
    long = "run " + "x" * 3_000
    shown = f"{long[:2_000]}[… 1,004 more characters of this line are not shown]"
    assert edit(f"set -x\n{long}\n", shown, "run", 2) is None


@pytest.mark.parametrize(
    "new",
    [
        "login [redacted:github]",
        "echo [… 1,004 more characters of this line are not shown]",
        "echo a\\u200bb",
    ],
)
def test_our_own_marks_are_not_written_into_other_lines(new: str):
    """They were copied from a line near by."""
    assert edit(f"login {TOKEN}\necho a\u200bb\nmake all\n", "make all", new, 3) is None


def test_an_escape_of_the_code_itself_stays_one():
    assert (
        edit("echo a\u200bb\nprintf '\\u200b'\n", "printf '\\u200b'", "printf '\\u200b' >&2", 2) is not None
    )
    assert edit("make all\r\nrun\r\n", "make all", "printf '\\r\\n'", 1) == Edit(1, 1, "printf '\\r\\n'")


@pytest.mark.parametrize("hidden", ["\u202e", "\u2066", "\u200b", "\r", "\x1b", "\u2028", "\ufe01", "\ud800"])
def test_what_cannot_be_seen_is_not_written_into_the_code(hidden: str):
    assert edit("set -x\nmake all\n", "make all", f"make {hidden}all", 2) is None


@pytest.mark.parametrize("lines", [(1, 10), (3, 4), (4, 5), (5, 5), (1, 1)])
def test_no_line_is_replaced_that_the_quote_does_not_show(lines: tuple[int, int]):
    """A quote of line 4 deleted the file."""
    head = "".join(f"step {n}\n" for n in range(1, 11))
    assert edit(head, "step 4", "", 4, lines) is None
    assert edit(head, "step 4", "", 4, (4, 4)) == Edit(4, 4, "")


def test_a_secret_that_was_quoted_as_it_was_shown_does_not_come_out_in_the_report():
    """A claim about an old line of a file of secrets had the token in its quote and its receipts."""
    head = {"prod.env": f"PORT=1\nTOKEN={TOKEN}\n", "run.sh": "make all\n"}
    quote = "TOKEN=[redacted:github]"
    stated = {"path": "prod.env", "line": 2, "quote": quote}
    checked = claimed(
        sources(head),
        **stated,
        also=[stated],
        evidence=[{**stated, "kind": "quote", "text": quote}],
        failure=[said("It is in the repository.", 0)],
        cause={"path": "run.sh", "line": 1, "quote": "make all"},
    )
    assert checked.candidate.site.quote == quote
    assert checked.receipts[0].claim == f"`{quote}` stands at prod.env:2"
    assert TOKEN not in str(checked)


def test_the_first_line_of_a_file_with_a_byte_order_mark_stands_without_it():
    checked = claimed(sources({"run.sh": "\ufeffmake all\n"}), path="run.sh", line=1, quote="make all")
    assert (checked.candidate.site.start_line, checked.candidate.site.quote) == (1, "make all")
