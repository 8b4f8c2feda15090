from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.publish import marker
from reviewbot.core.publish.delivery import own_marker
from reviewbot.core.publish.marker import Dismissal, Marker
from reviewbot.core.publish.standing import (
    Continued,
    Standing,
    compare,
    digest,
    dismissed,
    quoted,
    remembered,
)
from reviewbot.core.types import (
    ClassResult,
    Finding,
    GateStatus,
    Origin,
    Remark,
    Review,
    Said,
    Side,
    Text,
    Thread,
    Uncovered,
    Who,
)
from tests.builders import gate
from tests.core.publish.sinks import HEADS, HUMAN, ME, SLUG, reviewed, texts_of
from tests.strategies import few

BASE = {"a.sh": "one\n"}
BAD = {"a.sh": "one\nbad 1\n"}


def key(kind: str, **fields: Any) -> str:
    return marker.write(Marker(kind, **fields))


def thread(f: Finding, **changes: Any) -> Thread:
    """As it stands right after it was posted."""
    site = f.candidate.site
    remark = Remark(
        1, ME, f"words\n\n{own_marker(f, HEADS[0])}", "2026-11-30T10:00:00Z", "https://github.test/1"
    )
    made = Thread("T1", site.path, site.line, None, Side.RIGHT, False, None, False, True, (remark,))
    return made._replace(**changes)


def with_remarks(t: Thread, *remarks: Remark) -> Thread:
    return t._replace(remarks=(*t.remarks, *remarks))


def ours(state: str) -> Remark:
    return Remark(2, ME, key("reply", state=state), "2026-11-30T10:01:00Z")


def first(files: dict[str, str] = BAD, **changes: Any) -> Finding:
    return reviewed(BASE, files, **changes).findings[0]


def standing(
    t: Thread, files: dict[str, str], review: Review | None = None, model: bool = False, **changes: Any
) -> Standing:
    review = review or reviewed(BASE, files, **changes)
    return compare(review, Said(ME, (), (t,)), texts_of(files), model).standing[0]


def test_the_first_time_everything_is_fresh() -> None:
    review = reviewed(BASE, {"a.sh": "one\nbad 1\nbad 2\n"})
    found = compare(review, Said(ME), texts_of(BAD), False)
    assert found == Continued(review.findings, (), ())


def test_a_thread_whose_line_stands_is_still_there() -> None:
    s = standing(thread(first()), BAD)
    assert (s.state, s.silent) == ("still", True)
    assert s.finding == first()


def test_only_our_own_threads_count() -> None:
    """D42: a person can paste our marker."""
    pasted = thread(first())
    pasted = pasted._replace(remarks=(pasted.remarks[0]._replace(author=HUMAN),))
    found = compare(reviewed(BASE, BAD), Said(ME, (), (pasted,)), texts_of(BAD), False)
    assert found.standing == ()
    assert len(found.fresh) == 1


def test_a_new_line_above_moves_nothing_that_matters() -> None:
    files = {"a.sh": "one\ntwo\nbad 1\n"}
    assert standing(thread(first(), line=3), files).state == "still"
    assert standing(thread(first(), line=None, outdated=True), files).state == "moved"


def test_another_indentation_is_the_same_finding() -> None:
    files = {"a.sh": "one\nif x\n    bad   1\n"}
    s = standing(thread(first(), line=None, outdated=True), files)
    assert s.state == "moved"


def test_a_rename_keeps_the_thread() -> None:
    files = {"b.sh": BAD["a.sh"]}
    review = reviewed(BASE, files, renames={"b.sh": "a.sh"})
    assert standing(thread(first()), files, review).state == "moved"
    found = compare(review, Said(ME, (), (thread(first()),)), texts_of(files), False)
    assert found.fresh == ()


def test_a_rename_of_a_file_that_the_change_adds_keeps_the_thread() -> None:
    """No diff against base names the path it had before."""
    was = reviewed({}, {"new.sh": "bad 1\n"}).findings[0]
    review = reviewed({}, {"newer.sh": "bad 1\n"})
    found = compare(review, Said(ME, (), (thread(was),)), texts_of({"newer.sh": "bad 1\n"}), False)
    assert found.fresh == ()
    assert found.standing[0].state == "moved"


def test_a_rename_that_git_does_not_see_keeps_the_thread() -> None:
    review = reviewed(BASE, {"b.sh": BAD["a.sh"]})
    found = compare(review, Said(ME, (), (thread(first()),)), texts_of({"b.sh": BAD["a.sh"]}), False)
    assert found.fresh == ()


def test_a_second_file_with_the_same_words_is_a_second_finding() -> None:
    files = {**BAD, "b.sh": "bad 1\n"}
    found = compare(reviewed(BASE, files), Said(ME, (), (thread(first()),)), texts_of(files), False)
    assert [f.candidate.site.path for f in found.fresh] == ["b.sh"]


def test_a_copy_above_takes_the_fresh_comment_and_not_the_line_that_has_one() -> None:
    files = {"a.sh": "bad 1\none\nbad 1\n"}
    said = Said(ME, (Remark(9, ME, key("summary", fingerprints=(first().fingerprint,)), "t"),))
    found = compare(
        reviewed(BASE, files), said._replace(threads=(thread(first(), line=3),)), texts_of(files), False
    )
    assert [f.candidate.site.line for f in found.fresh] == [1]


def test_a_finding_that_is_gone_is_fixed_and_says_why() -> None:
    files = {"a.sh": "one\ngood 1\n"}
    s = standing(thread(first(), line=None, outdated=True), files)
    assert (s.state, s.why, s.silent) == ("fixed", "it is no longer found", False)


def test_a_deleted_file_is_fixed() -> None:
    s = standing(thread(first(), line=None, outdated=True), {})
    assert (s.state, s.why) == ("fixed", "the file was deleted")


def test_a_file_that_is_as_in_base_is_fixed() -> None:
    s = standing(thread(first(), line=None, outdated=True), BASE)
    assert (s.state, s.why) == ("fixed", "the file is no part of this pull request any more")


@pytest.mark.parametrize("stage", ["diff", "skill", "scope", "detect"])
def test_what_was_not_looked_at_is_never_fixed(stage: str) -> None:
    files = {"a.sh": "one\ngood\n"}
    assert standing(thread(first()), files, incomplete=[(stage, "a.sh", "too large")]).state == "unknown"


def test_a_failed_gate_says_nothing_of_a_detector() -> None:
    files = {"a.sh": "one\ngood\n"}
    assert standing(thread(first()), files, incomplete=[("gate", "pytest", "missing")]).state == "fixed"


def test_a_file_nobody_covered_is_never_fixed() -> None:
    files = {"a.sh": "one\ngood\n"}
    review = reviewed(BASE, files)._replace(uncovered=(Uncovered("a.sh", "too large"),))
    assert standing(thread(first()), files, review).state == "unknown"


def test_a_class_nobody_checked_is_never_fixed() -> None:
    files = {"a.sh": "one\ngood\n"}
    for rows in ((), (ClassResult("s", SLUG, "A class", 1, "not-checked"),)):
        review = reviewed(BASE, files)._replace(checked=rows)
        assert standing(thread(first()), files, review).state == "unknown"


def test_a_gate_that_did_not_run_fixes_nothing() -> None:
    files = {"a.sh": "one\ngood\n"}
    gate = thread(first())
    body = own_marker(first(), HEADS[0]).replace('"detector"', '"gate"')
    gate = gate._replace(remarks=(gate.remarks[0]._replace(body=body),))
    assert standing(gate, files).state == "unknown"


@pytest.mark.parametrize(("status", "state"), [(GateStatus.PASSED, "fixed"), (GateStatus.SKIPPED, "unknown")])
def test_a_gate_that_ran_on_the_file_fixes(status: GateStatus, state: str) -> None:
    files = {"a.sh": "one\ngood\n"}
    t = thread(first())
    own = marker.read(t.remarks[0], ME)
    assert own
    body = marker.write(own._replace(origin="gate", slug="gate-bash-n"))
    t = t._replace(remarks=(t.remarks[0]._replace(body=body),))
    for path, expected in (("a.sh", state), ("b.sh", "unknown")):
        ran = gate(status)
        ran = ran._replace(run=ran.run._replace(files=(Text(path, "one\n"),)))
        assert standing(t, files, reviewed(BASE, files)._replace(gates=(ran,))).state == expected


def test_fixed_is_said_once() -> None:
    files = {"a.sh": "one\ngood\n"}
    s = standing(with_remarks(thread(first()), ours("fixed")), files)
    assert (s.state, s.silent, s.why) == ("fixed", True, "")


def test_d44_where_a_person_wrote_nothing_is_sent() -> None:
    files = {"a.sh": "one\ngood\n"}
    s = standing(with_remarks(thread(first()), Remark(2, HUMAN, "thanks", "t")), files)
    assert (s.state, s.silent) == ("fixed", True)
    s = standing(with_remarks(thread(first()), Remark(2, Who("other-bot", True), "hm", "t")), files)
    assert (s.state, s.silent) == ("fixed", False)


def test_the_person_behind_our_token_is_a_person() -> None:
    files, me = {"a.sh": "one\ngood\n"}, Who("octo-dev")
    t = thread(first())
    t = t._replace(remarks=(t.remarks[0]._replace(author=me), Remark(2, me, "I see", "t")))
    assert compare(reviewed(BASE, files), Said(me, (), (t,)), texts_of(files), False).standing[0].silent


def test_back_after_fixed_is_said_once() -> None:
    s = standing(with_remarks(thread(first()), ours("fixed")), BAD)
    assert (s.state, s.silent) == ("back", False)
    s = standing(thread(first(), resolved=True, resolved_by=ME), BAD)
    assert (s.state, s.silent) == ("back", False)
    s = standing(with_remarks(thread(first()), ours("fixed"), ours("back")), BAD)
    assert (s.state, s.silent) == ("still", True)


def test_what_a_person_resolved_stays_silent() -> None:
    for files in (BAD, {"a.sh": "one\ngood\n"}):
        s = standing(thread(first(), resolved=True, resolved_by=HUMAN), files)
        assert (s.state, s.silent) == ("declined", True)
    assert standing(thread(first(), resolved=True), BAD).state == "declined"


def test_with_a_persons_token_only_our_answer_tells_who_resolved_it() -> None:
    me = Who("octo-dev")

    def state(by: Who | None, *more: Remark) -> str:
        t = thread(first(), resolved=True, resolved_by=by)
        t = t._replace(remarks=tuple(r._replace(author=me) for r in (*t.remarks, *more)))
        return compare(reviewed(BASE, BAD), Said(me, (), (t,)), texts_of(BAD), False).standing[0].state

    assert state(me) == "declined"
    assert state(me, ours("fixed")) == "back"
    assert state(None, ours("fixed")) == "back"
    assert state(Who("someone"), ours("fixed")) == "declined"


def test_a_thumb_down_is_a_no() -> None:
    assert standing(thread(first(), thumbs_down=1), BAD).state == "declined"


def test_a_dismissal_holds_for_the_thread_and_for_the_finding() -> None:
    refused = Dismissal(first().fingerprint, SLUG, "on purpose", "octo-dev")
    said = Said(ME, (Remark(9, ME, key("summary", dismissed=(refused,)), "t"),), (thread(first()),))
    found = compare(reviewed(BASE, BAD), said, texts_of(BAD), False)
    assert (found.fresh, found.standing[0].state) == ((), "declined")
    assert compare(reviewed(BASE, BAD), said._replace(threads=()), texts_of(BAD), False).fresh == ()


def test_a_dismissal_that_only_its_reply_remembers_counts() -> None:
    """A review that was running meanwhile has edited the summary."""
    refused = Dismissal(first().fingerprint, SLUG, "on purpose", "octo-dev")
    reply = Remark(9, ME, key("reply", state="command", dismissed=(refused,)), "t")
    for said in (Said(ME, (reply,)), Said(ME, (), (with_remarks(thread(first()), reply),))):
        assert remembered(said).marker.dismissed == (refused,)


def test_dismissed_findings_are_rejections_with_who_and_why() -> None:
    review = reviewed(BASE, {"a.sh": "one\nbad 1\nbad 2\n"})
    gone, stays = review.findings
    left = dismissed(review, [Dismissal(gone.fingerprint, SLUG, "on purpose", "octo-dev")])
    assert left.findings == (stays,)
    (rejection,) = left.rejections
    assert rejection == (gone.candidate, "dismissed", "on purpose (octo-dev)")
    assert dismissed(left, [Dismissal(gone.fingerprint, SLUG, "on purpose", "octo-dev")]) == left


def test_what_base_has_by_now_is_neither_new_nor_fixed() -> None:
    files = {"a.sh": "one\nbad 1\ntwo\n"}
    s = standing(thread(first()), files, reviewed(BAD, files))
    assert (s.state, s.silent) == ("preexisting", True)


def test_what_stood_in_the_table_is_not_posted_later() -> None:
    said = Said(ME, (Remark(9, ME, key("summary", fingerprints=(first().fingerprint,)), "t"),))
    assert compare(reviewed(BASE, BAD), said, texts_of(BAD), False).fresh == ()


def test_what_has_no_line_in_the_diff_is_for_the_table() -> None:
    review = reviewed(BASE, BAD)
    review = review._replace(findings=tuple(f._replace(placement="table") for f in review.findings))
    found = compare(review, Said(ME), texts_of(BAD), False)
    assert (found.fresh, found.tabled) == ((), review.findings)


def test_d42_the_oldest_summary_is_edited_and_the_others_are_not_forgotten() -> None:
    old = Remark(5, ME, key("summary", head="1", fingerprints=("a",)), "2026-11-30T10:00:00Z")
    new = Remark(6, ME, key("summary", head="2", fingerprints=("b",), paused=True), "2026-11-30T11:00:00Z")
    memory = remembered(Said(ME, (new, old)))
    assert (memory.remark, memory.others) == (old, (new,))
    assert (memory.marker.head, memory.marker.fingerprints) == ("1", ("a", "b"))


def test_the_last_of_pause_and_resume_counts_whatever_the_summaries_say() -> None:
    one, two = (Remark(n, ME, key("summary", paused=True), f"2026-11-30T1{n}:00:00Z") for n in (5, 6))
    pause, resume = (
        Remark(n, ME, key("reply", state="command", verb=verb), f"2026-11-30T1{n}:00:00Z")
        for n, verb in ((7, "pause"), (8, "resume"))
    )
    inside = with_remarks(thread(first()), resume)
    assert remembered(Said(ME, (one, two))).marker.paused
    assert not remembered(Said(ME, (resume, two, pause, one))).marker.paused
    assert not remembered(Said(ME, (pause,), (inside,))).marker.paused
    assert remembered(Said(ME, (one._replace(body=key("summary")), pause))).marker.paused
    assert not remembered(Said(ME, (resume._replace(author=Who("octo-dev")),))).marker.paused


def test_what_was_dismissed_since_the_summary_was_written_is_untold() -> None:
    refused = Dismissal(first().fingerprint, SLUG, "on purpose", "octo-dev")
    reply = Remark(9, ME, key("reply", state="command", dismissed=(refused,)), "t")
    before, after = (Remark(5, ME, key("summary", dismissed=rows), "t") for rows in ((), (refused,)))
    assert remembered(Said(ME, (before, reply))).untold
    assert not remembered(Said(ME, (after, reply))).untold


# --- what only a model has seen -------------------------------------------------------------


def seen(files: dict[str, str] = BAD) -> Finding:
    return first(files, origin=Origin.MODEL)


def test_a_silent_model_has_not_said_that_it_is_fixed() -> None:
    """It finds what it finds: while the quote stands, the thread stands."""
    s = standing(thread(seen()), BAD, blind=["bad"], origin=Origin.MODEL, model=True)
    assert (s.state, s.finding) == ("still", None)
    files = {"a.sh": "one\ntwo\nbad 1\n"}
    s = standing(
        thread(seen(), line=None, outdated=True), files, blind=["bad"], origin=Origin.MODEL, model=True
    )
    assert s.state == "moved"


def gone(**changes: Any) -> str:
    made: dict[str, Any] = {"line": None, "outdated": True, "model": True, "incomplete": ()} | changes
    t = thread(seen(), line=made["line"], outdated=made["outdated"])
    files = made.get("files", {"a.sh": "one\ngood\n"})
    return standing(t, files, origin=Origin.MODEL, model=made["model"], incomplete=made["incomplete"]).state


def test_a_models_finding_is_fixed_under_the_safe_rules_only() -> None:
    assert gone() == "fixed"
    assert gone(model=False) == "unknown"
    assert gone(line=2, outdated=False) == "unknown"
    assert gone(incomplete=[("model", "a.sh", "cut off")]) == "unknown"
    assert gone(files={"a.sh": "one\nbad 1, written otherwise\n"}) == "unknown"


def test_a_model_that_quotes_more_lines_speaks_of_the_same() -> None:
    f = seen()
    longer = f._replace(
        candidate=f.candidate._replace(site=f.candidate.site._replace(start_line=1, quote="one\nbad 1"))
    )
    review = reviewed(BASE, BAD, origin=Origin.MODEL)._replace(
        findings=(longer._replace(fingerprint="f" * 16),)
    )
    found = compare(review, Said(ME, (), (thread(f),)), texts_of(BAD), True)
    assert (found.fresh, found.standing[0].state) == ((), "still")


def test_a_quote_is_found_whatever_its_white_space() -> None:
    own = Marker("finding", quote=digest("a b\n  c"), rows=2)
    assert quoted(own, Text("x", "z\n a  b\nc\nd\na b\nc\n")) == [2, 5]
    assert quoted(own._replace(rows=3), Text("x", "a b\nc\n")) == []


# --- for whatever was said ------------------------------------------------------------------

LINES = st.lists(st.sampled_from(["bad 1", "bad 2", " bad 1", "good", "bad?"]), max_size=6)


@st.composite
def pages(draw: st.DrawFn) -> tuple[dict[str, str], Review, Said]:
    files = {path: "".join(f"{line}\n" for line in draw(LINES)) for path in ("a.sh", "b.sh")}
    older = {path: "".join(f"{line}\n" for line in draw(LINES)) for path in ("a.sh", "b.sh")}
    threads = []
    for n, f in enumerate(reviewed({}, older).findings):
        if draw(st.booleans()):
            t = thread(f, line=draw(st.none() | st.integers(1, 6)), node=f"T{n}")
            t = t._replace(
                outdated=t.line is None,
                resolved=draw(st.booleans()),
                resolved_by=draw(st.sampled_from([None, ME, HUMAN])),
            )
            threads.append(
                with_remarks(t, *map(ours, draw(st.lists(st.sampled_from(["fixed", "back"]), max_size=2))))
            )
    return files, reviewed({}, files), Said(ME, (), tuple(threads))


@few
@given(pages())
def test_each_finding_is_fresh_or_in_one_thread(page: tuple[dict[str, str], Review, Said]) -> None:
    files, review, said = page
    found = compare(review, said, texts_of(files), False)
    spoken = [s.finding.fingerprint for s in found.standing if s.finding]
    assert len(spoken) == len(set(spoken))
    assert len(found.standing) == len(said.threads)
    new = [f.fingerprint for f in (*found.fresh, *found.tabled)]
    assert sorted(
        new + [s for s in spoken if s in {f.fingerprint for f in review.findings if f.decides}]
    ) == sorted(f.fingerprint for f in review.findings if f.decides)


@few
@given(pages())
def test_nothing_is_fixed_that_is_still_found(page: tuple[dict[str, str], Review, Said]) -> None:
    files, review, said = page
    left = [(f.candidate.site.path, digest(f.candidate.site.quote)) for f in review.findings]
    for s in compare(review, said, texts_of(files), False).standing:
        if s.state == "fixed":
            assert s.finding is None
        if s.finding is None:  # its place was taken by another thread of the same words
            own = [
                t for t in said.threads if (m := marker.read(t.remarks[0], ME)) and m.quote == s.marker.quote
            ]
            assert len(own) > left.count((s.marker.path, s.marker.quote)) or (
                left.count((s.marker.path, s.marker.quote)) == 0
            )


@few
@given(pages())
def test_fixed_is_not_said_of_words_that_are_still_found(page: tuple[dict[str, str], Review, Said]) -> None:
    files, review, said = page
    sites = [(f.candidate.slug, f.candidate.site) for f in review.findings]
    left = {(slug, site.path, digest(site.quote)) for slug, site in sites}
    names = {f.fingerprint for f in review.findings}
    for s in compare(review, said, texts_of(files), False).standing:
        own = s.marker
        if (own.slug, own.path, own.quote) in left or names.intersection(own.fingerprints):
            assert s.state != "fixed"


# --- two runs that posted the same -----------------------------------------------------------


def doubled(files: dict[str, str], *remarks: Remark) -> tuple[Standing, ...]:
    """Of two threads of one finding, `remarks` in the second."""
    one = thread(first())
    two = with_remarks(one._replace(node="T2"), *remarks)
    return compare(reviewed(BASE, files), Said(ME, (), (one, two)), texts_of(files), False).standing


def test_a_second_thread_of_one_finding_is_double_and_never_fixed() -> None:
    one, two = doubled(BAD)
    assert (one.state, two.state, two.silent) == ("still", "double", False)
    assert two.other == one.thread


def test_double_is_said_once() -> None:
    _, two = doubled(BAD, ours("double"))
    assert (two.state, two.silent) == ("double", True)


def test_a_double_in_which_people_talk_is_left_alone() -> None:
    _, two = doubled(BAD, Remark(3, HUMAN, "Why?", "2026-11-30T10:02:00Z"))
    assert (two.state, two.silent) == ("double", True)


def test_a_double_speaks_for_what_no_other_speaks_for() -> None:
    alone = with_remarks(thread(first()), ours("double"))
    back = standing(alone, BAD)
    assert (back.state, back.why) == ("back", "no other conversation is about it")
