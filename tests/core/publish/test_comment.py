"""What a comment on a line says, word for word, and what of it GitHub makes markup."""

from __future__ import annotations

import pytest
from hypothesis import given

from reviewbot.core.publish import marker
from reviewbot.core.publish.cap import LIMIT, size
from reviewbot.core.publish.comment import Offer, inline, on_file
from reviewbot.core.types import Edit, Finding, Receipt, Refutation, Remark, Site, Suggestion, Who
from tests import builders
from tests.core.publish.rendered import fences, folds, live
from tests.strategies import few, findings

ME = Who("reviewbot", bot=True)
MARK = marker.write(marker.Marker("finding", head="b" * 40, fingerprints=("0123456789abcdef",)))
HERE = Offer(41, 41, block=True)

WHOLE = """\
🟠 **Warning: A failed step does not stop the launch**

```bash
python3 "$ROOT/runners/inject_acceptance.py" "$CONFIG_PATH" "$FRAMEWORK"
```

**Why it matters.** `python3` can fail and the script goes on to `sbatch` with the configuration as it was. \
The allocation is spent on a run that measures the old configuration under the new name.

**Fix.** Stop the launch when the step fails: append `|| exit 1`, as six other lines of this script do.

```suggestion
python3 "$ROOT/runners/inject_acceptance.py" "$CONFIG_PATH" "$FRAMEWORK" || exit 1
```

**Proof**, each step checked by reviewbot:

1. No line sets errexit
2. 6 lines stop the script by `|| exit 1` (6 lines: 7, 9)

<details><summary>Details</summary>

- The edit was tried before it was offered: it applies, the result parses, the gates say no more than \
before, the finding is gone.
- Grade: strong: what was checked stands by itself.
- Found by detector `swallowed-failure`, for class a-failed-step-does-not-stop-the-launch of the skill \
launcher-adversarial-review.
- Its name in commands: `01234567`.

</details>

Not useful? Reply `@reviewbot dismiss <reason>`

"""


def replacing(text: str) -> Finding:
    """A finding whose suggestion puts `text` in the place of line 41."""
    checked = Suggestion(Edit(41, 41, text), (builders.INJECT,), ("applies",))
    return builders.finding(suggestion=checked)


def remembered(body: str) -> marker.Marker | None:
    return marker.read(Remark(1, ME, body, "2026-11-30T00:00:00Z"), ME)


def test_a_comment_reads_like_this() -> None:
    assert inline(builders.suggested(), HERE, MARK, "reviewbot") == WHOLE + MARK


def test_a_comment_that_is_quoted_in_an_answer_invites_no_reply() -> None:
    assert "Not useful?" not in inline(builders.suggested(), HERE, MARK)


def test_a_long_proof_is_folded() -> None:
    steps = tuple(Receipt("absence", f"no line has {n}", "a.sh", 41, True) for n in range(3))
    body = inline(builders.finding(receipts=steps), HERE, MARK)
    folded = body.partition("<details><summary>Proof: 3 steps, each checked</summary>\n\n")[2]
    assert folded.startswith("1. No line has 0\n2. No line has 1\n3. No line has 2\n\n</details>\n\n")
    assert "**Proof**" not in body


@pytest.mark.parametrize(
    "text",
    [
        "```\n````",
        "~~~\ncode\n~~~",
        "a `````````b",
        "\tmake all\n\t\tdeeper  ",
        "> q",
        "<!-- x -->",
        "- \n- [ ] \n",
        "one\n\ntwo",
        "@octocat closes #12 ![](http://e/?s) <img src=x> &amp;",
        "    four\n",
        "```suggestion\nother\n```",
    ],
)
def test_a_suggestion_is_one_block_with_exactly_its_text(text: str) -> None:
    body = inline(replacing(text), HERE, MARK)
    assert fences(body, "suggestion") == [text + "\n"]
    assert live(body) == []


def test_an_empty_suggestion_deletes_the_lines() -> None:
    body = inline(replacing(""), HERE, MARK)
    assert "\n\n```suggestion\n```\n\n" in body
    assert fences(body, "suggestion") == [""]


@pytest.mark.parametrize(
    ("text", "offer", "why"),
    [
        ("exit 1", Offer(41, 41, False, "the file has CRLF line ends"), "the file has CRLF line ends"),
        ("exit 1", Offer(40, 41, True), "it changes other lines than those of this comment"),
        ("exit 1 # \u202e", HERE, "it holds characters that cannot be seen"),
        (
            "export TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            HERE,
            "what it puts there looks like a secret, which is not repeated here",
        ),
    ],
)
def test_where_there_is_no_block_it_says_why(text: str, offer: Offer, why: str) -> None:
    body = inline(replacing(text), offer, MARK)
    assert fences(body, "suggestion") == []
    assert len(fences(body, "diff")) == 1
    assert f"Change line 41 by hand ({why}):\n" in body
    assert "ghp_" not in body
    assert "\u202e" not in body


def test_a_private_key_in_a_suggestion_takes_the_block_away() -> None:
    half = "MIIEpAIBAAKCAQEA3Tz2mr7SZiAMfQyuvBjM9Oi9xZ2Hk3vQ1rYt8WcL0pXaNdEf"
    body = inline(replacing(f"-----BEGIN RSA PRIVATE KEY-----\n{half}\n{half}"), HERE, MARK)
    assert half not in body
    assert fences(body, "suggestion") == []


def test_without_a_suggestion_it_says_why_there_is_none() -> None:
    body = inline(builders.finding(unsuggested="the fix needs an import"), HERE, MARK)
    assert "\n\nNo one-click fix: the fix needs an import.\n\n" in body


def test_on_a_file_the_place_is_named_and_nothing_can_be_committed() -> None:
    body = on_file(builders.suggested(), MARK)
    assert "\n\n`runners/launch_h200.sh:41`\n\n```bash\n" in body
    assert fences(body, "suggestion") == []
    assert "(a comment on a file holds no suggestion):\n\n```diff\n" in body
    assert body.endswith("\n\n" + MARK)


def test_what_a_careful_reader_asks_for_is_folded() -> None:
    transcript = "$ bash a.sh\n```\n</details>\n(exit 1)"
    body = inline(
        builders.finding(
            receipts=(Receipt("run", "it stops", "a.sh", 41, True, transcript),),
            unproven="bubblewrap is not installed",
            refutation=Refutation("confirmed", "line 44 reads the file"),
            also=(Site("runners/launch_h200.sh", 50, 50, "x"), Site("b.sh", 9, 9, "x")),
        ),
        HERE,
        MARK,
    )
    folded = body.partition("<summary>Proof: 1 step, checked</summary>\n\n")[2]
    assert folded.startswith(f"1. It stops\n\n````console\n{transcript}\n````\n\n</details>")
    reasoning = body.partition("<summary>Details</summary>")[2]
    assert "- A second reading says: confirmed (line 44 reads the file).\n" in reasoning
    assert "- The same cause, at: line 50, b.sh:9.\n" in reasoning
    assert "- Not proven by running it: bubblewrap is not installed.\n" in reasoning
    assert folds(body) == (2, 2)


def test_a_secret_in_a_sentence_is_seen_before_the_sentence_is_made_inert() -> None:
    body = inline(builders.finding(failure="It calls https://bob:hunter22@db.example/x at once."), HERE, MARK)
    assert "hunter22" not in body
    assert "\\[redacted:secret\\]" in body


def test_a_quote_beyond_the_limit_leaves_the_sentences_and_the_marker() -> None:
    quote = "\n".join(f"echo {n}" for n in range(9_000))
    body = inline(builders.finding(quote=quote, line=1), Offer(1, 9_000, False), MARK)
    assert size(body) <= LIMIT
    assert (
        "\n\nLeft out for its length: a block of code. `reviewbot pr` prints it.\n\n**Why it matters.**"
        in body
    )
    assert remembered(body) == remembered(MARK)


@few
@given(findings())
def test_no_text_of_a_stranger_becomes_markup(finding: Finding) -> None:
    site = finding.candidate.site
    for body in (inline(finding, Offer(site.start_line, site.line, True), MARK), on_file(finding, MARK)):
        assert live(body) == []
        begun, ended = folds(body)
        assert begun == ended
        assert remembered(body) == remembered(MARK)
        assert len(fences(body, "suggestion")) <= 1
        assert "\u202e" not in body
