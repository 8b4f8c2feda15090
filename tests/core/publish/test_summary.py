"""What the summary comment says, word for word, and what of it GitHub makes markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from reviewbot.core.publish import marker
from reviewbot.core.publish.cap import LIMIT, size
from reviewbot.core.publish.summary import (
    STAGES,
    Closing,
    Page,
    Tick,
    abandoned,
    duration,
    final,
    running,
)
from reviewbot.core.publish.table import Row, link
from reviewbot.core.types import GateStatus, Grade, Rejection, Remark, Review, Usage, Who
from tests import builders
from tests.core.expected import expected
from tests.core.publish.rendered import PULL, cells, folds, live, page
from tests.strategies import fewest, reviews

ME = Who("reviewbot", bot=True)
MEMORY = marker.Marker("summary", head="b" * 40, verdict="findings")
MARK = marker.write(MEMORY)
THREAD = "https://github.example/acme/launcher/pull/7#discussion_r1"
HELP = "`@reviewbot help` lists the commands; they start a line of a comment."
RUN = "https://bot.example/runs/1"


def remembered(body: str) -> marker.Marker | None:
    return marker.read(Remark(1, ME, body, "2026-11-30T00:00:00Z"), ME)


def unfolded(body: str) -> str:
    return body.partition("<details>")[0]


def test_a_summary_reads_like_this() -> None:
    found = builders.suggested()
    hint = builders.finding(
        grade=Grade.HINT, path="b.py", line=3, quote="os.system(cmd)", fingerprint="1" * 16
    )
    review = builders.review(
        found,
        hint,
        builders.finding(preexisting=True, line=90, fingerprint="2" * 16),
        uncovered=(("a.png", "binary"),),
        incomplete=(("gate", "shellcheck -S warning a.sh", "not installed"),),
        gates=(
            builders.gate(),
            builders.gate(GateStatus.FAILED, exit=2, blame="new", output="a.sh: line 1: no\n"),
        ),
        checked=(builders.checked("held", "Held class"), builders.checked("not-checked", "Other class")),
        rejections=(
            Rejection(builders.candidate(line=7), "disproved", "`./show.sh` exits 10, which denies it"),
        ),
    )
    shown = Page(
        pull=PULL,
        rows=(Row(found, THREAD, "still there"),),
        closed=(Closing("A wait without end", "run.sh", THREAD, "fixed in 1a2b3c4"),),
        notes=("Stacked on #6: merge that first.",),
        dismissed=(("A class", 2),),
        run_url=RUN,
        seconds=80.4,
    )
    assert final(review, shown, MARK) + "\n" == expected("summary.md")


def test_a_clean_review_says_so_in_few_lines() -> None:
    body = final(builders.review(), Page(PULL, ()), MARK)
    assert unfolded(body) == (
        "**Clean**: nothing found in this change. 1 of 1 changed file reviewed.\n\nNo model took part.\n\n"
        f"Reviewed bbbbbbb against aaaaaaa, 1 file. {HELP}\n\n{MARK}"
    )


def test_what_is_not_done_stands_before_what_was_found() -> None:
    body = final(
        builders.review(builders.finding(), incomplete=(("model", "a.sh", "cut off"),)), Page(PULL, ()), MARK
    )
    assert body.startswith("**Incomplete**: 1 planned step not done; ")
    assert body.index("- model: `a.sh`: cut off") < body.index("| Severity | Defect")


def test_3_000_things_not_done_leave_the_table_in_sight() -> None:
    gaps = tuple(("diff", f"f{n}.sh", "past GitHub's limit of 3,000 files") for n in range(3_000))
    body = final(builders.review(builders.finding(), incomplete=gaps), Page(PULL, (), run_url=RUN), MARK)
    assert size(body) <= LIMIT
    assert "3,000 planned steps not done" in body
    where = f"The [run page]({RUN}) has it, and `reviewbot pr acme/launcher#7` prints it."
    assert f"Left out for its length: 2,970 more. {where}\n" in body
    assert "| 🟠 warning | A failed step does not stop the launch<br>" in body
    assert remembered(body) == MEMORY


def test_a_finding_that_the_page_forgot_is_in_the_table() -> None:
    review = builders.review(builders.finding(), builders.finding(line=50, fingerprint="3" * 16))
    body = final(review, Page(PULL, (Row(review.findings[0], THREAD),)), MARK)
    assert f"[`runners/launch_h200.sh:41`]({THREAD})" in body
    assert ", `runners/launch_h200.sh:50` |" in body


def test_a_finding_without_a_comment_of_its_own_is_told_in_the_summary() -> None:
    found = builders.suggested()
    body = final(builders.review(found), Page(PULL, (Row(found),)), MARK)
    told = body.partition("<summary>Without a comment of their own: 1 finding</summary>")[2]
    assert found.candidate.failure in told
    assert f"```bash\n{found.candidate.site.quote}\n```" in told


def test_the_model_and_its_price_are_named() -> None:
    used = Usage(3, 12_000, 8_000, 900, 0.04, 12.0)
    body = final(builders.review(usage=used, reader="a-model"), Page(PULL, (), seconds=45), MARK)
    said = "Took 45 s. Model: a-model: 3 calls, 12,000 tokens in (8,000 cached), 900 out, \\$0.04, 12 s."
    assert said in unfolded(body)


def test_the_commands_mention_nobody() -> None:
    body = final(builders.review(), Page(PULL, (), name="acme-reviewer"), MARK)
    assert "`@acme-reviewer help` lists the commands" in body
    assert "@acme" not in re.sub(r"`[^`]*`", "", body)


def test_a_table_keeps_its_cells_whatever_stands_in_them() -> None:
    evil = "@octocat &#64;org/team #12 ![](http://e/?s) <details> <script> a|b `c|d` \\| e\n\u202ef"
    body = final(
        builders.review(builders.finding(title=evil, cost=evil, fix=evil, path="a|b.sh")),
        Page(PULL, ()),
        MARK,
    )
    assert cells(body) == [4, 4]
    assert live(body) == []
    assert "\u202e" not in body
    assert "\\u202e" in body.replace("\\\\", "\\")


@fewest
@given(reviews())
def test_no_text_of_a_stranger_becomes_markup(review: Review) -> None:
    evil = "@alice #12 https://evil.example <!-- reviewbot:1 {} --> [a](b)|"
    rows = tuple(Row(f, THREAD, evil) for f in review.findings[:1])
    shown = Page(PULL, rows, (Closing(evil, evil, THREAD, evil),), (evil,), ((evil, 1),), RUN, 80.4)
    body = final(review, shown, MARK)
    assert live(body) == []
    begun, ended = folds(body)
    assert begun == ended
    assert set(cells(body)) <= {3, 4}
    assert remembered(body) == MEMORY
    assert ("### Not done" in body) == bool(review.incomplete)
    assert "\u202e" not in body


def test_a_link_leads_to_a_plain_address_or_nowhere() -> None:
    assert link("a", THREAD) == f"[a]({THREAD})"
    for address in ("", "javascript:alert(1)", f"{THREAD}) x", f"{THREAD}\n", "https://e|x/"):
        assert link("a", address) == "a"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.9, "0 s"), (59.9, "59 s"), (80.4, "1 min 20 s"), (3_900, "1 h 5 min"), (-3, "0 s")],
)
def test_a_duration(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_while_it_runs_it_is_a_checklist_that_ticks() -> None:
    ticks = (Tick("change"), Tick("detectors", 12, 12), Tick("gates", 3, 7))
    body = running(PULL, ticks, 80.4, RUN, "", MARK, ("launchers", "silent-failures"))
    assert (
        body
        == f"""\
**Reviewing** bbbbbbb for `main`: 1 min 20 s so far. [View job]({RUN})

- [x] Read the change
- [x] Run the detectors: 12 of 12
- [ ] Run the gates: 3 of 7
- [ ] Try each suggestion
- [ ] Post what was found

By the skills launchers, silent-failures.

{MARK}"""
    )


def test_a_stage_that_a_later_one_overtook_is_not_ticked_before_it_is_whole() -> None:
    body = running(PULL, (Tick("gates", 3, 7), Tick("model", 0, 2)), 1, "", "", MARK, model=True)
    assert "- [ ] Run the gates: 3 of 7\n- [ ] Ask the model, and have its claims refuted: 0 of 2\n" in body
    begun = running(PULL, (Tick("gates"),), 1, "", "", MARK)
    assert "- [ ] Run the gates: under way\n" in begun
    assert "- [x]" not in begun
    assert [name for name, _ in STAGES] == ["change", "detectors", "gates", "model", "suggestions", "posting"]


def test_the_last_review_stays_until_the_next_one_has_ended() -> None:
    earlier = marker.without(final(builders.review(builders.suggested()), Page(PULL, ()), MARK))
    begun = running(PULL, (), 1, "", earlier, MARK)
    kept = f"<details><summary>The last review</summary>\n\n{earlier}\n\n</details>\n\n{MARK}"
    assert begun.endswith(kept)
    crashed = abandoned(PULL, "it was interrupted", marker.without(begun), MARK)
    assert crashed.endswith(kept)
    again = running(PULL, (), 1, "", marker.without(crashed), MARK)
    assert again == begun
    assert folds(again)[0] == folds(earlier)[0] + 1
    assert cells(again) == cells(earlier)
    assert "The last review" not in abandoned(
        PULL, "it broke", marker.without(running(PULL, (), 1, "", "", MARK)), MARK
    )


def test_a_review_that_did_not_end_finds_nothing_clean() -> None:
    assert abandoned(PULL, "the head moved to `1a2b3c4`", "", MARK) == (
        "**Not reviewed**: the review of bbbbbbb did not end: the head moved to `1a2b3c4`. "
        f"Nothing is known about this head: it has not been found clean.\n\n{MARK}"
    )


def test_names_of_strangers_are_inert_while_it_runs() -> None:
    evil = "@alice/#12 <img src=x> ![x](y)"
    pull = PULL._replace(base_ref=evil)
    for body in (running(pull, (), 1, "", "", MARK, (evil,)), abandoned(pull, evil, "", MARK)):
        assert [found for found in live(body) if found != "input"] == []


def test_what_a_gate_printed_cannot_fold_the_rest_away() -> None:
    output = "```\n</details>\n<details><summary>The last review</summary>\n````"
    gate = builders.gate(GateStatus.FAILED, exit=2, blame="new", output=output)
    body = final(builders.review(gates=(gate,)), Page(PULL, ()), MARK)
    begun, ended = folds(body)
    assert begun == ended == 1
    assert page(body).rstrip().endswith(f"a line of a comment.</p>\n{MARK}")
    assert running(PULL, (), 1, "", marker.without(body), MARK).count("\n````\n") == body.count("\n````\n")
