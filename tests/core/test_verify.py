"""Anchoring, receipts, newness and placement: the laws as properties, the traps by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import (
    Candidate,
    Change,
    Claim,
    Edit,
    FileChange,
    Grade,
    Hunk,
    Origin,
    Rejection,
    Severity,
    Side,
    Site,
    Status,
    Text,
    Texts,
)
from reviewbot.core.verify import (
    MAX_INLINE,
    anchor,
    check,
    compare,
    conclude,
    digest,
    find_quote,
    fingerprint,
)


def candidate(quote: str = "step", start: int = 1, *, path: str = "run.sh", **changes: object) -> Candidate:
    site = Site(path, start, start + quote.count("\n"), quote)
    made = Candidate(
        skill="s",
        slug="swallowed",
        rank=1,
        title="A step is swallowed",
        severity=Severity.WARNING,
        origin=Origin.DETECTOR,
        detector="swallowed-failure",
        grade=Grade.STRONG,
        site=site,
        failure="f",
        cost="c",
        fix="x",
    )
    return made._replace(**changes)  # type: ignore[arg-type]


def texts(**files: str) -> Texts:
    named = {name.replace("_", "."): content for name, content in files.items()}
    return Texts(Side.RIGHT, {name: Text(name, content) for name, content in named.items()})


def change(*hunks: Hunk, path: str = "run.sh", old_path: str | None = "run.sh") -> Change:
    return Change("b", "h", (FileChange(path, Status.MODIFIED, old_path=old_path, hunks=hunks),))


ADD_ALL = Hunk(0, 0, 1, 3, ("+one", "+step", "+three"))


# --- anchor --------------------------------------------------------------------------------


def test_a_quote_at_its_line_is_kept_as_it_is():
    c = candidate("step", 2)
    assert anchor(c, texts(run_sh="one\nstep\n")) == c


def test_a_wrong_line_number_is_corrected_by_the_quote_and_loses_its_edit():
    c = candidate("step", 1, edit=Edit(1, 1, "step || exit 1"))
    moved = anchor(c, texts(run_sh="one\n  step\n"))
    assert isinstance(moved, Candidate)
    assert (moved.site.start_line, moved.site.quote, moved.edit) == (2, "  step", None)


def test_an_ambiguous_quote_is_declined_with_both_places():
    rejection = anchor(candidate("step", 2), texts(run_sh="step\none\nstep\n"))
    assert isinstance(rejection, Rejection)
    assert (rejection.reason, rejection.detail) == ("unquoted", "the quote stands at lines 1, 3")


def test_a_quote_that_is_nowhere_is_a_rejection():
    rejection = anchor(candidate("other", 1), texts(run_sh="step\n"))
    assert isinstance(rejection, Rejection)
    assert rejection.detail == "the quote does not stand in the file"


LINES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=6), min_size=1, max_size=12
)


@given(LINES, st.data())
def test_an_anchored_quote_always_stands_where_the_finding_says(lines: list[str], data: st.DataObject):
    text = Text("run.sh", "\n".join(lines) + "\n")
    start = data.draw(st.integers(1, len(text.lines))) if text.lines else 1
    quote = data.draw(st.sampled_from([text.quote(start), *text.lines, "x y z"]))
    result = anchor(candidate(quote, data.draw(st.integers(1, 14))), Texts(Side.RIGHT, {"run.sh": text}))
    if isinstance(result, Candidate):
        assert text.quote(result.site.start_line, result.site.line) == result.site.quote
    else:
        assert len(find_quote(quote, text)) != 1


def test_form_feed_and_line_separator_do_not_end_a_line():
    text = Text("run.sh", "a\x0cb\u2028c\rd\nstep\r\n")
    assert text.lines == ("a\x0cb\u2028c\rd", "step")
    assert find_quote("step", text) == [2]


# --- claims --------------------------------------------------------------------------------

SCRIPT = "set -x\nmkdir a || exit 1\nstep\nrsync b || exit 1\n"


@pytest.mark.parametrize(
    ("claim", "ok", "detail"),
    [
        (Claim("absent", "no errexit", "run.sh", r"^\s*set\s+-\w*e"), True, "no line"),
        (Claim("absent", "no trace", "run.sh", r"^set -x"), False, "1 line: 1"),
        (Claim("count", "two guards", "run.sh", r"\|\| exit", expected=2), True, "2 lines: 2, 4"),
        (Claim("count", "every step is guarded", "run.sh", r"\|\| exit", expected=3), False, "2 lines: 2, 4"),
        (Claim("absent", "none in the block", "run.sh", "set -x", within=(2, 4)), True, "no line"),
        (Claim("absent", "none in the block", "run.sh", "step", within=(3, 3)), False, "1 line: 3"),
        (Claim("count", "one there", "run.sh", "exit", expected=1, within=(3, 4)), True, "1 line: 4"),
        (Claim("count", "two there", "run.sh", "exit", expected=2, within=(3, 4)), False, "1 line: 4"),
        (Claim("quote", "the copy", "run.sh", "rsync b", line=4), True, "line 4"),
        (Claim("quote", "the copy", "run.sh", "rsync b", line=3), False, "line 3 reads otherwise"),
        (Claim("quote", "beyond the end", "run.sh", "rsync b", line=99), False, "line 99 reads otherwise"),
        (Claim("count", "elsewhere", "gone.sh", "x", expected=1), False, "gone.sh was not read"),
        (Claim("run", "it hangs", "run.sh", ""), False, "executed by reviewbot"),
    ],
)
def test_every_claim_is_run_and_a_false_one_costs_the_finding(claim: Claim, ok: bool, detail: str):
    kept, rejected = check([candidate("step", 3, claims=(claim,))], texts(run_sh=SCRIPT))
    if ok:
        assert kept[0].receipts[1].detail == detail
        assert not rejected
    else:
        assert not kept
        assert (rejected[0].reason, rejected[0].detail) == ("disproved", f"{claim.text}: {detail}")


def test_two_claims_on_one_place_and_class_leave_one_finding():
    kept, rejected = check(
        [candidate("step", 3), candidate("step", 3, grade=Grade.HINT)], texts(run_sh=SCRIPT)
    )
    assert [k.candidate.grade for k in kept] == [Grade.STRONG]
    assert [r.reason for r in rejected] == ["duplicate"]


def test_two_faults_that_gates_name_on_one_line_are_two_findings():
    said = [
        candidate("step", 3, origin=Origin.GATE, detector=None, title=f"shellcheck SC{n}") for n in (1, 2)
    ]
    kept, rejected = check(said, texts(run_sh=SCRIPT))
    assert ([k.candidate.title for k in kept], rejected) == (["shellcheck SC1", "shellcheck SC2"], [])


@given(st.lists(st.tuples(st.sampled_from(["step", "set -x", "nowhere"]), st.integers(1, 5)), max_size=8))
def test_nothing_is_dropped(places: list[tuple[str, int]]):
    candidates = [candidate(quote, line) for quote, line in places]
    kept, rejected = check(candidates, texts(run_sh=SCRIPT))
    findings = conclude(kept, change(ADD_ALL), {})
    assert len(findings) + len(rejected) == len(candidates)


# --- newness -------------------------------------------------------------------------------


def compared(head: list[Candidate], base: list[Candidate], text: str, what: Change) -> list[bool]:
    kept, _ = check(head, texts(run_sh=text))
    return [c.preexisting for c in compare(kept, base, what)]


def test_what_base_had_is_preexisting_also_when_moved_and_indented():
    head = [candidate("    step", 2)]
    assert compared(head, [candidate("step", 40)], "if x; then\n    step\nfi\n", change(ADD_ALL)) == [True]


def test_a_guard_removed_from_afar_makes_an_old_line_new():
    assert compared(
        [candidate("step", 2)], [], "one\nstep\n", change(Hunk(1, 2, 1, 1, ("-set -e", " one")))
    ) == [False]


def test_a_second_copy_is_new_and_it_is_the_added_one():
    head = [candidate("step", 1), candidate("step", 3)]
    what = change(Hunk(1, 1, 1, 3, (" step", "+one", "+step")))
    assert compared(head, [candidate("step", 1)], "step\none\nstep\n", what) == [True, False]
    what = change(Hunk(1, 1, 1, 3, ("+step", "+one", " step")))
    assert compared(head, [candidate("step", 1)], "step\none\nstep\n", what) == [False, True]


def test_a_hint_that_becomes_strong_is_new():
    head, base = [candidate("step", 1)], [candidate("step", 1, grade=Grade.HINT)]
    assert compared(head, base, "step\n", change(ADD_ALL)) == [False]


def test_one_new_arm_makes_the_whole_loop_new():
    arms = Site("run.sh", 3, 3, "three")
    head, base = [candidate("step", 2, also=(arms,))], [candidate("step", 2)]
    assert compared(head, base, "one\nstep\nthree\n", change(ADD_ALL)) == [False]


def test_what_a_gate_says_of_old_and_new_lines_is_left_with_the_new_ones():
    def said(line: int, also: tuple[Site, ...]) -> Candidate:
        return candidate(f"step{line}", line, origin=Origin.GATE, detector=None, also=also)

    head = [said(1, tuple(Site("run.sh", n, n, f"step{n}") for n in (2, 3)))]
    kept, _ = check(head, texts(run_sh="step1\nstep2\nstep3\n"))
    (new,) = compare(kept, [candidate("step1", 7, origin=Origin.GATE, detector=None)], change(ADD_ALL))
    assert not new.preexisting
    assert [s.start_line for s in (new.candidate.site, *new.candidate.also)] == [2, 3]


def test_a_syntax_error_stands_at_the_line_of_the_parser():
    """It stood where shellcheck, whose words are folded into it, saw the block begin."""
    also = (Site("run.sh", 1, 1, "one"),)
    (kept,), _ = check(
        [candidate("three", 3, origin=Origin.GATE, detector=None, also=also)],
        texts(run_sh="one\nstep\nthree\n"),
    )
    (new,) = compare([kept], [], change(ADD_ALL))
    assert [s.start_line for s in (new.candidate.site, *new.candidate.also)] == [3, 1]


def test_a_line_appended_to_a_script_that_never_parsed_is_no_new_error():
    title = "bash -n: syntax error: unexpected end of file"
    head = [candidate("step", 2, origin=Origin.GATE, detector=None, title=title)]
    base = [candidate("one", 1, origin=Origin.GATE, detector=None, title=title)]
    assert compared(head, base, "one\nstep\n", change(ADD_ALL)) == [True]


def test_all_that_a_style_linter_says_is_one_finding_and_the_rest_is_binned():
    said = [
        candidate(f"step{n}", n, origin=Origin.GATE, detector=None, slug="gate-ruff", title=f"ruff E{n}")
        for n in (1, 2, 3)
    ]
    kept, _ = check([*said, candidate("step1", 1)], texts(run_sh="step1\nstep2\nstep3\n"))
    new, capped = digest(compare(kept, [said[2]], change(ADD_ALL)))
    assert [(c.candidate.title, c.preexisting) for c in new] == [
        ("A step is swallowed", False),
        ("ruff E1", False),
        ("ruff E3", True),
    ]
    assert new[1].candidate.failure == "f. It names 1 more in 1 file."
    assert [(r.candidate.title, r.reason) for r in capped] == [("ruff E2", "capped")]


# --- what a finding looks like ---------------------------------------------------------------


def placed(c: Candidate, what: Change, text: str = "one\nstep\nthree\n") -> str:
    kept, _ = check([c], texts(run_sh=text))
    return conclude(compare(kept, [], what), what, {})[0].placement


def test_inline_only_within_one_hunk():
    assert placed(candidate("step", 2), change(ADD_ALL)) == "inline"
    assert placed(candidate("step", 2), change(Hunk(9, 1, 1, 1, (" one",)))) == "table"
    two = (Hunk(1, 0, 1, 2, ("+one", "+step")), Hunk(1, 0, 3, 1, ("+three",)))
    assert placed(candidate("step\nthree", 2), change(*two)) == "table"


def test_a_hint_is_never_inline():
    assert placed(candidate("step", 2, grade=Grade.HINT), change(ADD_ALL)) == "table"


def test_at_most_ten_inline_and_the_dearest_first():
    lines = [f"step{i}" for i in range(14)]
    head = [candidate(line, i + 1, rank=14 - i) for i, line in enumerate(lines)]
    kept, _ = check(head, texts(run_sh="\n".join(lines)))
    findings = conclude(kept, change(Hunk(0, 0, 1, 14, tuple("+" + line for line in lines))), {})
    assert [f.placement for f in findings] == ["inline"] * MAX_INLINE + ["table"] * 4
    assert [f.candidate.rank for f in findings] == list(range(1, 15))


def test_a_fingerprint_survives_moves_reindents_and_renames():
    base = conclude(check([candidate("step", 1)], texts(run_sh="step\n"))[0], change(ADD_ALL), {})
    renamed = change(ADD_ALL, path="go.sh", old_path="run.sh")
    moved = candidate("  step", 3, path="go.sh")
    head = conclude(check([moved], texts(go_sh="a\nb\n  step\n"))[0], renamed, {})
    assert head[0].fingerprint == base[0].fingerprint == fingerprint("swallowed", "step", "run.sh")


def test_identical_lines_have_different_fingerprints():
    kept, _ = check([candidate("step", 1), candidate("step", 2)], texts(run_sh="step\nstep\n"))
    assert len({f.fingerprint for f in conclude(kept, change(ADD_ALL), {})}) == 2
