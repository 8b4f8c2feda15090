"""A gate's failure is new if base does not have it, fault by fault."""

from __future__ import annotations

import pytest

from reviewbot.core.gates import blame, on_base
from reviewbot.core.types import GateResult, GateStatus, Side, Text, Texts
from tests.gate_cases import result, texts

QUOTE = "note: Double quote to prevent globbing and word splitting. [SC2086]"


def head(said: str = f"a.sh:2:4: {QUOTE}\n") -> GateResult:
    return result("shellcheck", said, a_sh="echo\nrm $x\n", b_sh="true\n")


def blamed(base: GateResult, ours: GateResult | None = None) -> str:
    return blame([ours or head()], [base])[0].blame


class TestOnBase:
    def test_the_same_command_on_what_base_had_of_the_faulty_files(self):
        passed = result("bash-n", "", GateStatus.PASSED, b_sh="true\n")
        (run,) = on_base([passed, head()], texts({"a.sh": "old\n", "b.sh": "old\n"})).runs
        assert run.argv == ("shellcheck", "a.sh")
        assert run.files == (Text("a.sh", "old\n"),)
        assert run.side is Side.LEFT

    def test_a_renamed_file_keeps_its_name_at_head(self):
        before = Texts(Side.LEFT, {"a.sh": Text("old/name.sh", "old\n")})
        (run,) = on_base([head()], before).runs
        assert run.files == (Text("a.sh", "old\n"),)

    def test_a_new_file_has_nothing_to_run(self):
        (run,) = on_base([head()], texts({}, **{"a.sh": "absent"})).runs
        assert (run.verdict, run.reason) == (GateStatus.SKIPPED, "there is no such file at base")

    def test_a_file_that_cannot_be_read_is_not_called_new(self):
        (run,) = on_base([head()], texts({}, **{"a.sh": "not UTF-8"})).runs
        assert (run.verdict, run.reason) == (GateStatus.REFUSED, "not UTF-8")
        assert blamed(GateResult(run, GateStatus.REFUSED)) == "unknown"

    def test_a_failure_that_names_no_file_runs_on_all(self):
        (run,) = on_base([head("")], texts({"a.sh": "1\n", "b.sh": "2\n"})).runs
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
        made = blame([passed, head()], [result("shellcheck", "", GateStatus.PASSED, a_sh="x\n")])
        assert made[0] is passed
        assert made[1].blame == "new"

    def test_a_missing_result_of_base_is_an_error(self):
        with pytest.raises(ValueError, match="zip"):
            blame([head()], [])

    def test_a_gate_that_fails_only_for_suppressed_codes_says_so(self):
        said = "a.sh:1:6: note: Expressions don't expand in single quotes. [SC2016]\n"
        ours = result("shellcheck", said, a_sh="echo '$x'\n")
        (made,) = blame([ours], [result("shellcheck", "", GateStatus.PASSED, a_sh="x\n")])
        assert made.reason == "only SC2016, never reported here"


class TestExecuting:
    """`files` of such a result are those that its output named."""

    RAISED = 'Traceback (most recent call last):\n  File "a.py", line {}, in f\nKeyError: {}\n'

    def head(self, said: str = RAISED.format(1, "'k'"), reason: str = "") -> GateResult:
        return result("run", said, a_py="x['k']\n")._replace(reason=reason)

    def test_the_same_argv_on_the_tree_at_base(self):
        (run,) = on_base([self.head()], texts({})).runs
        assert (run.argv, run.side, run.files, run.verdict) == (("./run.sh", "a.py"), Side.LEFT, (), None)

    @pytest.mark.parametrize(
        ("status", "said", "wanted"),
        [
            (GateStatus.PASSED, "", "new"),
            (GateStatus.SKIPPED, "", "new"),  # base has no such script
            (GateStatus.FAILED, RAISED.format(2, "'k'"), "preexisting"),
            (GateStatus.FAILED, RAISED.format(2, "'j'"), "new"),
            (GateStatus.FAILED, "no place at all", "new"),
            (GateStatus.REFUSED, "", "unknown"),
            (GateStatus.TIMEOUT, "", "unknown"),
            (GateStatus.MISSING, "", "unknown"),
        ],
    )
    def test_whose_fault_it_is(self, status: GateStatus, said: str, wanted: str):
        base = result("run", said, status, a_py="# old\nx['k']\n")
        assert blamed(base, self.head()) == wanted

    def test_without_a_place_a_failure_of_both_is_old(self):
        base = result("run", self.RAISED.format(1, "'j'"), a_py="x['k']\n")
        assert blamed(base, self.head("nothing of use")) == "preexisting"

    def test_what_both_sides_lack_is_missing(self):
        lacks = "the command x is not there for it to use"
        base = GateResult(self.head().run, GateStatus.MISSING, reason=lacks)
        assert blame([self.head(reason=lacks)], [base])[0].status is GateStatus.MISSING
        assert blame([self.head()], [base])[0].status is GateStatus.FAILED
