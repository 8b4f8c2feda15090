"""A review that was published on a public pull request, as a model's answer: its true finding stands, and
what is false in it is struck by what the file says.

The launcher is written anew with the figures of the real one: 2 of 9 clones, 2 of 6 checkouts and 2 of 6
copies stop the script, the call under review stands at 476, a comment at 478, and `unset` at 485.
"""

from __future__ import annotations

from typing import Any

from reviewbot.core.ask.evidence import weigh
from reviewbot.core.ask.merge import join, merge_passes
from reviewbot.core.types import ModelTerms
from reviewbot.core.verify import conclude
from tests.core.ask.claims import absent, count, finding, quote, read, said, sources

PATH = "runners/launch_gb200.sh"
INJECT = 'python3 "$ROOT/runners/inject_acceptance.py" "$CONFIG_PATH"'
GUARD = r"\|\|\s*exit 1"
CLONES = (280, 285, 290, 297, 309, 314, 335, 339, 343)
CHECKOUTS = (281, 286, 291, 298, 310, 315)
COPIES = (282, 287, 292, 299, 311, 316)


def launcher() -> str:
    rows = {n: f"echo step {n}" for n in range(1, 521)}
    for command, places in (("git clone", CLONES), ("git checkout", CHECKOUTS), ("cp -rT", COPIES)):
        for n, place in enumerate(places):
            rows[place] = f'{command} "$SOURCE_{place}"' + (" || exit 1" if n < 2 else "")
    rows |= {
        5: "set -x",
        448: 'mkdir -p "$OUT" || exit 1',
        476: f"    {INJECT}",
        478: "# leave the build environment",
    }
    rows |= {485: "unset VIRTUAL_ENV", 500: "srtctl apply", 510: "set +x"}
    return "\n".join(rows.values()) + "\n"


def published(**changes: Any) -> dict[str, Any]:
    """The finding in our words, with what it claims of the file as evidence."""
    whole = finding(
        title="A failed injection does not stop the launch",
        path=PATH,
        line=476,
        quote=INJECT,
        confidence=85,
        failure=[
            said("The injection can exit with an error, and no line of the script sets errexit.", 0, 1),
            said("Every `git clone` is guarded by `|| exit 1`, and this call is not.", 2),
            said("So the script goes on at line 478 and launches the old configuration.", 3),
        ],
        evidence=[
            quote(INJECT, 476, PATH),
            absent(r"^\s*set -\w*e", PATH),
            count(r"^\s*git clone\b", 9, GUARD, 9, PATH),
            quote("unset VIRTUAL_ENV", 478, PATH),
        ],
        replacement={"start_line": 476, "line": 476, "text": f"    {INJECT} || exit 1"},
    )
    return whole | changes


TREE = sources({PATH: launcher()}, added={PATH: range(470, 487)})


def test_the_true_finding_stands_and_what_is_false_in_it_does_not():
    again = published(title="The exit status is dropped", confidence=60, line=475)
    done = weigh(read(published(), again).drafts, TREE)
    assert done.rejections == ()
    merged = merge_passes([(0, c) for c in done.checked], {}, ModelTerms())
    (kept,) = merged.checked

    assert kept.candidate.title == "A failed injection does not stop the launch"
    assert kept.candidate.failure == (
        "The injection can exit with an error, and no line of the script sets errexit. "
        "So the script goes on at line 485 and launches the old configuration."
    )
    assert [(r.reason, r.candidate.title) for r in merged.rejections] == [
        ("duplicate", "The exit status is dropped")
    ]
    [alone] = weigh(read(published(failure=published()["failure"][1:2])).drafts, TREE).rejections
    assert "2 of them match" in alone.detail
    assert "9 lines: 280, 285, 290" in alone.detail
    told = [r.claim for r in kept.receipts if r.ok]
    assert "`unset VIRTUAL_ENV` stands at runners/launch_gb200.sh:485, not at line 478" in told
    assert not any("git clone" in claim for claim in told)
    struck = [r.claim for r in kept.receipts if not r.ok]
    assert struck == [f'"{published()["failure"][1]["text"]}"']

    (found,) = conclude(join((), merged.checked).checked, TREE.change, {}, 1)
    assert (found.placement, found.decides, found.preexisting) == ("inline", True, False)


def test_a_count_that_is_true_bears_no_claim_that_it_denies():
    honest = count(r"^\s*git clone\b", 9, GUARD, 2, PATH)
    checks = [*published()["evidence"][:2], honest]
    sentences = [
        said("The injection can fail.", 0, 1),
        said("Every clone is guarded.", 2),
        said("2 of 9 clones are.", 2),
    ]
    (kept,) = weigh(read(published(evidence=checks, failure=sentences)).drafts, TREE).checked
    assert kept.candidate.failure == "The injection can fail. 2 of 9 clones are."
