"""A gate's failure is new if base does not have it, fault by fault."""

from __future__ import annotations

import pytest

from reviewbot.core.gates import apart, blame, both, read_gates, recheck, untold
from reviewbot.core.gates.places import MOST
from reviewbot.core.types import GatePlan, GateResult, GateStatus, Grade, Side, Text, Texts
from tests.gate_cases import result, texts

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
        made = apart([GateResult(run, GateStatus.PASSED) for run in planned])
        assert [result.run for result in made] == [*runs, off]
        assert [result.base and result.base.run for result in made] == [None, *planned[4:], None]

    @pytest.mark.parametrize("status", [GateStatus.PASSED, GateStatus.FAILED, GateStatus.TIMEOUT])
    def test_what_names_a_file_that_base_has_not_is_skipped_there(self, status: GateStatus):
        ours = at_head()._replace(names=("a.py", "new.py"))
        made = apart([ours, at_base(status)._replace(names=("a.py",))])[0].base
        assert made is not None
        assert (made.status, made.reason) == (GateStatus.SKIPPED, "there is no new.py at base")

    def test_what_could_not_run_on_base_is_not_called_skipped(self):
        (made,) = apart([at_head()._replace(names=("a.py",)), at_base(GateStatus.REFUSED)])
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
        base = at_base(GateStatus.FAILED, RAISED.format(1, "'j'"))
        made = whose(base, at_head("nothing of use"))
        assert made.blame == "preexisting"
        (old,) = [c for c in read_gates([made.base]) if c.site.path.endswith("SKILL.md")]  # type: ignore[list-item]
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


class TestFlaky:
    """What the second attempt on the same tree says of a failure that looks new."""

    @pytest.mark.parametrize(
        ("again", "words"),
        [
            (result("run", "", GateStatus.PASSED), "a second run of the same tree passed"),
            (
                result("run", "a.py:2: other\n", a_py="\ny\n"),
                "a second run of the same tree failed elsewhere",
            ),
        ],
    )
    def test_a_failure_that_does_not_come_again_is_a_hint(self, again: GateResult, words: str):
        made = tried(again, at_head())
        assert (made.status, made.blame, made.reason) == (GateStatus.FAILED, "flaky", words)
        (candidate,) = read_gates([made])
        assert candidate.grade is Grade.HINT
        assert "A second run of the same tree" in candidate.failure

    def test_a_failure_without_a_place_comes_again_with_any_other(self):
        unplaced = at_head("nothing of use")
        assert tried(at_head(), unplaced).blame == "new"
        made = tried(at_head()._replace(status=GateStatus.PASSED), unplaced)
        assert made.blame == "flaky"
        assert [c.grade for c in read_gates([made])] == [Grade.HINT]

    def test_a_message_that_is_drawn_by_lot_makes_nothing_flaky(self):
        made = tried(at_head(RAISED.format(1, "'j'")), at_head())
        assert (made.blame, graded(made)) == ("new", [("'k'", Grade.PROVEN)])

    def test_of_two_faults_the_one_that_comes_again_stands(self):
        made = tried(at_head(), at_head(TWO))
        assert (made.blame, graded(made)) == ("new", [("'k'", Grade.PROVEN), ("'l'", Grade.HINT)])

    def test_an_old_fault_that_comes_again_does_not_save_a_new_one(self):
        old = at_base(GateStatus.FAILED, RAISED.format(2, "'k'"))
        made = tried(at_head(), at_head(TWO), old)
        assert (made.blame, graded(made)) == ("flaky", [("'k'", Grade.PROVEN), ("'l'", Grade.HINT)])

    @pytest.mark.parametrize("status", [GateStatus.TIMEOUT, GateStatus.MISSING, GateStatus.REFUSED])
    def test_a_second_attempt_without_a_result_says_nothing(self, status: GateStatus):
        made = tried(at_head()._replace(status=status), at_head())
        assert (made.blame, made.again, graded(made)) == ("new", None, [("'k'", Grade.PROVEN)])
