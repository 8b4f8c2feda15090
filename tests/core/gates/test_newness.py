"""A gate's failure is new if base does not have it, fault by fault."""

from __future__ import annotations

import pytest

from reviewbot.core.gates import apart, blame, both, read_gates, recheck, untold
from reviewbot.core.gates.places import MOST
from reviewbot.core.types import (
    Change,
    FileChange,
    GatePlan,
    GateResult,
    GateStatus,
    Grade,
    Side,
    Status,
    Text,
    Texts,
)
from tests.gate_cases import result, spec, texts

QUOTE = "note: Double quote to prevent globbing and word splitting. [SC2086]"


def head(said: str = f"a.sh:2:4: {QUOTE}\n") -> GateResult:
    return result("shellcheck", said, a_sh="echo\nrm $x\n", b_sh="true\n")


def blamed(base: GateResult, ours: GateResult | None = None) -> str:
    return blame([ours or head()], [base])[0][0].blame


class TestRecheck:
    def test_the_same_command_on_what_base_had_of_the_faulty_files(self):
        passed = result("bash-n", "", GateStatus.PASSED, b_sh="true\n")
        (run,) = recheck([passed, head()], texts({"a.sh": "old\n", "b.sh": "old\n"})).runs
        assert run.argv == ("shellcheck", "a.sh")
        assert run.files == (Text("a.sh", "old\n"),)
        assert run.side is Side.LEFT

    def test_a_renamed_file_keeps_its_name_at_head(self):
        before = Texts(Side.LEFT, {"a.sh": Text("old/name.sh", "old\n")})
        (run,) = recheck([head()], before).runs
        assert run.files == (Text("a.sh", "old\n"),)

    def test_a_new_file_has_nothing_to_run(self):
        (run,) = recheck([head()], texts({}, **{"a.sh": "absent"})).runs
        assert (run.verdict, run.reason) == (GateStatus.SKIPPED, "there is no such file at base")

    def test_a_file_that_cannot_be_read_is_not_called_new(self):
        (run,) = recheck([head()], texts({}, **{"a.sh": "not UTF-8"})).runs
        assert (run.verdict, run.reason) == (GateStatus.REFUSED, "not UTF-8")
        assert blamed(GateResult(run, GateStatus.REFUSED)) == "unknown"

    def test_a_failure_that_names_no_file_runs_on_all(self):
        (run,) = recheck([head("")], texts({"a.sh": "1\n", "b.sh": "2\n"})).runs
        assert run.argv == ("shellcheck", "a.sh", "b.sh")


class TestBlame:
    @pytest.mark.parametrize("status", [GateStatus.PASSED, GateStatus.SKIPPED])
    def test_new_where_base_passes_or_has_no_such_file(self, status: GateStatus):
        assert blamed(result("shellcheck", "", status, a_sh="echo\n")) == "new"

    def test_preexisting_where_base_has_the_same_fault_at_another_line(self):
        assert blamed(result("shellcheck", f"a.sh:1:4: {QUOTE}\n", a_sh="  rm  $x\n")) == "preexisting"

    def test_new_where_base_fails_for_another_fault(self):
        assert blamed(result("shellcheck", f"a.sh:1:4: {QUOTE}\n", a_sh="rm $y\n")) == "new"

    def test_new_where_head_has_the_fault_once_more(self):
        ours = result("shellcheck", f"a.sh:1:4: {QUOTE}\na.sh:2:4: {QUOTE}\n", a_sh="rm $x\nrm $x\n")
        assert blamed(result("shellcheck", f"a.sh:1:4: {QUOTE}\n", a_sh="rm $x\n"), ours) == "new"

    @pytest.mark.parametrize("status", [GateStatus.TIMEOUT, GateStatus.MISSING, GateStatus.REFUSED])
    def test_unknown_where_base_came_to_no_result(self, status: GateStatus):
        assert blamed(result("shellcheck", "", status, a_sh="rm $x\n")) == "unknown"

    def test_a_gate_that_holds_is_left_alone_and_keeps_the_order(self):
        passed = result("bash-n", "", GateStatus.PASSED, a_sh="x\n")
        made, _ = blame([passed, head()], [result("shellcheck", "", GateStatus.PASSED, a_sh="x\n")])
        assert made[0] is passed
        assert made[1].blame == "new"

    def test_a_missing_result_of_base_is_an_error(self):
        with pytest.raises(ValueError, match="zip"):
            blame([head()], [])

    def test_a_gate_that_fails_only_for_suppressed_codes_says_so(self):
        said = "a.sh:1:6: note: Expressions don't expand in single quotes. [SC2016]\n"
        ours = result("shellcheck", said, a_sh="echo '$x'\n")
        ((made,), _) = blame([ours], [result("shellcheck", "", GateStatus.PASSED, a_sh="x\n")])
        assert made.reason == "only SC2016, never reported here"


NOTHING = Change(None, None, ())
RAISED = 'Traceback (most recent call last):\n  File "a.py", line {}, in f\nKeyError: {}\n'
TWO = RAISED.format(1, "'k'") + RAISED.format(2, "'l'")


def at_head(said: str = RAISED.format(1, "'k'"), reason: str = "") -> GateResult:
    """What a gate that executes said."""
    return result("run", said, a_py="x['k']\nx['l']\n")._replace(reason=reason)


def at_base(status: GateStatus, said: str = "", reason: str = "") -> GateResult:
    named = (Text("a.py", "# old\nx['k']\n"),)
    run = at_head().run._replace(side=Side.LEFT)
    return GateResult(run, status, 1, output=said, reason=reason, named=named)


def whose(base: GateResult, ours: GateResult | None = None, *again: GateResult) -> GateResult:
    ((made,), _) = blame([(ours or at_head())._replace(base=base)], again)
    return made


def tried(again: GateResult, ours: GateResult, base: GateResult | None = None) -> GateResult:
    return whose(base or at_base(GateStatus.PASSED), ours, again)


def graded(made: GateResult) -> list[tuple[str, Grade]]:
    return [(c.title.rpartition(": ")[2], c.grade) for c in read_gates([made])]


class TestExecuting:
    def test_what_executes_runs_on_both_sides_head_first(self):
        runs = [result("bash-n", "", a_sh="").run, at_head().run, at_head().run._replace(skill="t")]
        off = at_head().run._replace(verdict=GateStatus.SKIPPED)
        planned = both(GatePlan((*runs, off))).runs
        assert planned[:4] == (*runs, off)
        assert planned[4:] == tuple(run._replace(side=Side.LEFT) for run in runs[1:])
        made = apart([GateResult(run, GateStatus.PASSED) for run in planned], NOTHING)
        assert [result.run for result in made] == [*runs, off]
        assert [result.base and result.base.run for result in made] == [None, *planned[4:], None]

    @pytest.mark.parametrize("status", [GateStatus.PASSED, GateStatus.FAILED, GateStatus.TIMEOUT])
    def test_what_names_a_file_that_base_has_not_is_skipped_there(self, status: GateStatus):
        ours = at_head()._replace(names=("a.py", "new.py"))
        made = apart([ours, at_base(status)._replace(names=("a.py",))], NOTHING)[0].base
        assert made is not None
        assert (made.status, made.reason) == (GateStatus.SKIPPED, "there is no new.py at base")

    def test_what_could_not_run_on_base_is_not_called_skipped(self):
        (made,) = apart([at_head()._replace(names=("a.py",)), at_base(GateStatus.REFUSED)], NOTHING)
        assert made.base == at_base(GateStatus.REFUSED)

    @pytest.mark.parametrize(
        ("status", "said", "wanted", "asks"),
        [
            (GateStatus.PASSED, "", "new", True),
            (GateStatus.SKIPPED, "", "new", True),  # base has no such script
            (GateStatus.FAILED, RAISED.format(2, "'k'"), "preexisting", False),
            (GateStatus.FAILED, RAISED.format(2, "'j'"), "new", True),
            (GateStatus.FAILED, "no place at all", "new", True),
            (GateStatus.REFUSED, "", "unknown", False),
            (GateStatus.TIMEOUT, "", "unknown", False),
            (GateStatus.MISSING, "", "unknown", False),
        ],
    )
    def test_whose_fault_it_is(self, status: GateStatus, said: str, wanted: str, asks: bool):
        """What looks new is tried once more on the same tree."""
        base = at_base(status, said)
        runs = recheck([at_head()._replace(base=base)], texts({})).runs
        assert runs == ((at_head().run._replace(attempt=2),) if asks else ())
        assert whose(base, None, *([at_head()] if asks else [])).blame == wanted

    def test_without_a_place_a_failure_of_both_is_old(self):
        base = at_base(GateStatus.FAILED, "nothing of use")
        made = whose(base, at_head("nothing of use"))
        assert made.blame == "preexisting"
        (old,) = read_gates([made.base])  # type: ignore[list-item]
        assert [c.title for c in read_gates([made])] == [old.title]

    def test_another_exit_is_not_excused_by_the_failure_that_base_had(self):
        """Base exited 1 and head 134, neither with a place: the two compared equal, and were called old."""
        made = whose(at_base(GateStatus.FAILED), at_head("")._replace(exit=134))
        assert (made.blame, untold(made, made.base)) == ("unknown", "it exits 134, and 1 on base")
        assert [c.title for c in read_gates([made.base])] == []  # type: ignore[list-item]

    @pytest.mark.parametrize("cut", [(9, 0), (0, 9)])
    def test_a_part_that_was_cut_is_not_called_old(self, cut: tuple[int, int]):
        base = at_base(GateStatus.FAILED, RAISED.format(2, "'k'"))._replace(cut=cut[0])
        made = whose(base, at_head()._replace(cut=cut[1]))
        assert (made.blame, untold(made, made.base)) == ("unknown", "not all of its output is known")

    @pytest.mark.parametrize(("count", "blame"), [(MOST, "preexisting"), (MOST + 1, "unknown")])
    def test_faults_behind_those_that_are_read_are_not_called_old(self, count: int, blame: str):
        """Base printed 60 and head 61, of which 50 were read."""
        said = "".join(f"a.py:1: wrong {'x' * n}\n" for n in range(count))
        base = at_base(GateStatus.FAILED, said.replace("a.py:1", "a.py:2"))
        assert whose(base, at_head(said)).blame == blame

    def test_what_both_sides_lack_is_missing(self):
        lacks = "the command x is not there for it to use"
        base = at_base(GateStatus.MISSING, reason=lacks)
        assert whose(base, at_head(reason=lacks)).status is GateStatus.MISSING
        assert whose(base).status is GateStatus.FAILED

    def test_what_failed_on_base_and_passes_is_fixed(self):
        passed = at_head()._replace(status=GateStatus.PASSED)
        assert whose(at_base(GateStatus.FAILED), passed).blame == "fixed"
        for status in set(GateStatus) - {GateStatus.FAILED}:
            assert whose(at_base(status), passed) == passed._replace(base=at_base(status))

    def test_the_results_of_base_are_told_from_a_second_attempt(self):
        base, checked = at_base(GateStatus.PASSED), result("shellcheck", "", GateStatus.PASSED, a_sh="x\n")
        checked = checked._replace(run=checked.run._replace(side=Side.LEFT))
        again = at_head()._replace(run=at_head().run._replace(attempt=2))
        made = blame([at_head()._replace(base=base), head()], [again, checked])[1]
        assert made == (base._replace(blame="new"), checked)


OTHER = at_head("a.py:2: other\n")


class TestFlaky:
    """What the second attempt on the same tree says of a failure that looks new."""

    def test_a_failure_that_passes_at_the_second_attempt_is_a_hint(self):
        made = tried(at_head()._replace(status=GateStatus.PASSED), at_head())
        words = "a second run of the same tree passed"
        assert (made.status, made.blame, made.reason) == (GateStatus.FAILED, "flaky", words)
        (candidate,) = read_gates([made])
        assert candidate.grade is Grade.HINT
        assert "A second run of the same tree passed." in candidate.failure
        assert candidate.fix == "Find out why `./run.sh <each>` fails at one run and not at another."

    def test_two_attempts_that_fail_at_other_places_are_not_flaky(self):
        """A gate that broke in another test each time was a hint, and clean."""
        made = tried(OTHER, at_head())
        assert (made.blame, made.reason) == ("new", "")
        assert graded(made) == [("'k'", Grade.HINT), ("`./run.sh <each>` fails", Grade.PROVEN)]
        assert "a second run of the same tree failed elsewhere" in read_gates([made])[1].failure

    def test_a_failure_without_a_place_comes_again_with_any_other(self):
        unplaced = at_head("nothing of use")
        assert tried(at_head(), unplaced).blame == "new"
        made = tried(at_head()._replace(status=GateStatus.PASSED), unplaced)
        assert made.blame == "flaky"
        assert [c.grade for c in read_gates([made])] == [Grade.HINT]

    def test_a_message_that_is_drawn_by_lot_makes_nothing_flaky(self):
        made = tried(at_head(RAISED.format(1, "'j'")), at_head())
        assert (made.blame, graded(made)) == ("new", [("KeyError", Grade.PROVEN)])
        assert read_gates([made])[0].failure.endswith("'k'.")

    def test_a_message_that_is_drawn_by_lot_makes_no_old_failure_new(self):
        """A random number in a message was another fault at each run."""
        old = at_base(GateStatus.FAILED, RAISED.format(2, "'i'"))
        made = tried(at_head(RAISED.format(1, "'j'")), at_head(), old)
        assert made.blame == "preexisting"
        assert [c.title for c in read_gates([made])] == ["KeyError"]
        assert next(c.title for c in read_gates([made.base])) == "KeyError"  # type: ignore[list-item]

    def test_of_two_faults_the_one_that_comes_again_stands(self):
        made = tried(at_head(), at_head(TWO))
        assert (made.blame, graded(made)) == ("new", [("'k'", Grade.PROVEN), ("'l'", Grade.HINT)])

    def test_an_old_fault_that_comes_again_does_not_hide_that_it_fails_elsewhere(self):
        old = at_base(GateStatus.FAILED, RAISED.format(2, "'k'"))
        made = tried(at_head(), at_head(TWO), old)
        assert (made.blame, graded(made)[:2]) == ("new", [("'k'", Grade.PROVEN), ("'l'", Grade.HINT)])
        assert graded(made)[2] == ("`./run.sh <each>` fails", Grade.PROVEN)

    @pytest.mark.parametrize("status", [GateStatus.TIMEOUT, GateStatus.MISSING, GateStatus.REFUSED])
    def test_a_second_attempt_without_a_result_says_nothing(self, status: GateStatus):
        made = tried(at_head()._replace(status=status), at_head())
        assert (made.blame, made.again, graded(made)) == ("new", None, [("'k'", Grade.PROVEN)])


OLD = "a.py:1: old fault\n"
KNOWN = at_base(GateStatus.FAILED, "a.py:2: old fault\n")  # the line moved


def beside(said: str, old: str = "", *again: str) -> GateResult:
    """A gate that had the same placed fault on base, and these rows beside it."""
    base = KNOWN._replace(output=KNOWN.output + old)
    asked = recheck([at_head(OLD + said)._replace(base=base)], texts({})).runs
    return whose(base, at_head(OLD + said), *(at_head(OLD + (again or (said,))[0]) for _ in asked))


class TestBeside:
    """Both sides fail, and all that head places is old."""

    def test_the_same_and_no_more_is_old(self):
        assert beside("").blame == "preexisting"
        assert beside("2 tests ran\n").blame == "preexisting"
        assert beside("FAIL: x in 3.1 s\n", "FAIL: x in 2.7 s\n").blame == "preexisting"

    @pytest.mark.parametrize(
        ("said", "old", "told"),
        [
            ("2 failed in 0.1s\n", "1 failed in 0.2s\n", "failures: 2, and 1 on base"),
            ("Found 1 error in 1 file\n", "", "errors: 1, and 0 on base"),
            ("FAILED (failures=3)\n", "FAILED (failures=2)\n", "failures: 3, and 2 on base"),
            ("a: 3 failed\nb: 1 failed\n", "a: 3 failed\nb: 0 failed\n", "failures: 1, and 0 on base"),
        ],
    )
    def test_a_larger_count_of_failures_is_new(self, said: str, old: str, told: str):
        """The second failing test had no place, so the suite was called as red as before."""
        made = beside(said, old)
        assert (made.blame, made.told) == ("new", told)
        assert told in read_gates([made])[-1].failure

    def test_what_stands_in_a_traceback_and_is_no_part_of_it_is_not_lost(self):
        """A row between two frames was taken for the source of the first."""
        trace = (
            'Traceback (most recent call last):\n  File "a.py", line {}\n    x[k]\n    ^^^\n{}KeyError: k\n'
        )
        ours = result("run", trace.format(1, "  b.py:1: error: bad\n"), a_py="x[k]\n")
        base = result("run", trace.format(1, ""), a_py="x[k]\n")
        base = base._replace(run=base.run._replace(side=Side.LEFT))
        assert whose(base, ours, ours).blame == "unknown"
        assert whose(base, base._replace(run=ours.run)).blame == "preexisting"

    def test_a_smaller_count_is_old(self):
        assert beside("1 failed, 9 passed\n", "2 failed, 8 passed\n").blame == "preexisting"

    @pytest.mark.parametrize(
        "row",
        [
            "a.py:9: W391 beyond the end",
            "d/b.py:1: behind a link",
            "a:b.py:1: a name with a colon",
            f"a.py:1: {'m' * 1000}",
            "  a.py:1: indented",
            "a.py(1): as other compilers say it",
            "/pristine/b.py:1: of another tree",
            "b.py: error: no line",
            "Segmentation fault (core dumped)",
            "not ok 7 - it opens",
            "connection refused",
        ],
    )
    def test_a_failure_without_a_place_is_not_called_old(self, row: str):
        made = beside(f"{row}\n")
        assert made.blame == "unknown"
        assert untold(made, made.base) == f"it says what it does not on base, {row[:120]!r}"
        assert beside(f"{row}\n", f"{row}\n").blame == "preexisting"

    @pytest.mark.parametrize("row", ["a.py:1: info leak detected", "a.py:1: in production!"])
    def test_a_message_that_starts_like_a_remark_is_a_fault(self, row: str):
        """It was swallowed as a note, or as a frame."""
        assert beside(f"{row}\n").blame == "new"

    def test_a_row_that_the_second_attempt_has_not_is_drawn_by_lot(self):
        made = beside("FAIL: {'a', 'b'}\n", "FAIL: {'c', 'b'}\n", "FAIL: {'b', 'a'}\n")
        assert made.blame == "preexisting"

    def test_of_rows_that_are_drawn_by_lot_one_more_is_not_called_old(self):
        assert beside("FAIL: {'a', 'b'}\n", "", "FAIL: {'b', 'a'}\n").blame == "unknown"

    @pytest.mark.parametrize(
        "noise", ["12:30:41", "0x7f12", "/tmp/abc123/x", "1.5s", "7f3a9c21-4b2d-4e3f-9a1b-0123456789ab"]
    )
    def test_what_differs_from_run_to_run_is_not_compared(self, noise: str):
        assert beside(f"error at {noise}\n", "error at 99\n").blame == "preexisting"

    def test_where_nothing_has_a_place_every_row_counts(self):
        base = at_base(GateStatus.FAILED, "it broke\n")
        assert whose(base, at_head("it broke\n")).blame == "preexisting"
        ours = at_head("it broke\nelsewhere\n")
        assert whose(base, ours, ours).blame == "unknown"

    @pytest.mark.parametrize("row", ["a-" * 500, "a1-" * 300, "1:" * 500, "/tmp/" * 200, "error " * 160])
    def test_long_rows_are_compared_at_once(self, row: str):
        assert beside(f"error {row}\n" * 200, f"error {row}\n" * 200).blame == "preexisting"


class TestRenamed:
    def test_an_old_fault_in_a_renamed_file_is_old(self):
        """Base named the file as it was called there: every old fault of it was new."""
        ours = result("run", "./b.py:1: TODO\n", b_py="TODO\n")
        base = GateResult(ours.run._replace(side=Side.LEFT), GateStatus.FAILED, 1, output="./a.py:1: TODO\n")
        base = base._replace(named=(Text("a.py", "TODO\n"),))
        change = Change(None, None, (FileChange("b.py", Status.RENAMED, old_path="a.py"),))
        (made,) = apart([ours, base], change)
        ((blamed,), _) = blame([made], [])
        assert blamed.blame == "preexisting"


class TestKept:
    """A result at base from an earlier review is asked again before anything is said by it."""

    @pytest.mark.parametrize(
        ("status", "base", "sides"),
        [
            (GateStatus.FAILED, GateStatus.PASSED, [Side.RIGHT, Side.LEFT]),
            (GateStatus.PASSED, GateStatus.FAILED, [Side.LEFT]),
            (GateStatus.PASSED, GateStatus.PASSED, []),
        ],
    )
    def test_base_runs_once_more(self, status: GateStatus, base: GateStatus, sides: list[Side]):
        made = at_head()._replace(status=status, base=at_base(base, OLD)._replace(kept=True))
        runs = recheck([made], texts({})).runs
        assert [run.side for run in runs] == sides
        assert all(run.fresh for run in runs if run.side is Side.LEFT)

    def test_a_base_that_fails_by_now_makes_no_failure_new(self):
        """Base had passed in another week, and the change was blamed for what had broken since."""
        kept = at_base(GateStatus.PASSED)._replace(kept=True)
        now = at_base(GateStatus.FAILED, RAISED.format(2, "'k'"))
        assert whose(kept, None, at_head(), now).blame == "preexisting"

    def test_a_base_that_passes_by_now_is_not_fixed(self):
        kept = at_base(GateStatus.FAILED, OLD)._replace(kept=True)
        passed = at_head()._replace(status=GateStatus.PASSED)
        assert whose(kept, passed, at_base(GateStatus.PASSED)).blame == "unknown"


def test_a_gate_that_newly_fails_as_another_did_is_new():
    """The two are one finding, and that was old: nothing new was found."""
    old = at_head()._replace(base=at_base(GateStatus.FAILED, RAISED.format(2, "'k'")))
    other = at_head()._replace(base=at_base(GateStatus.PASSED))
    other = other._replace(run=other.run._replace(spec=spec("./other.sh", "executing")))
    made, _ = blame([old, other], [at_head()])
    assert [r.blame for r in made] == ["preexisting", "new"]
    assert "`./other.sh` fails" in [c.title for c in read_gates(made)]


def test_a_run_that_is_too_long_says_how_long_base_took():
    late = at_head()._replace(status=GateStatus.TIMEOUT, reason="ended after 2 s ([gates] timeout)")
    made = whose(at_base(GateStatus.PASSED)._replace(seconds=1.26), late)
    assert made.reason == "ended after 2 s ([gates] timeout); base passed in 1.3 s"
