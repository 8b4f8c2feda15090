"""What may be spent is set aside before it is spent."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from itertools import repeat
from pathlib import Path
from threading import Barrier, Lock, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import Answer, Part, Question, Turn, Usage
from reviewbot.llm.anthropic import AnthropicModel
from reviewbot.llm.budget import Budget
from reviewbot.llm.dayledger import DayLedger
from reviewbot.llm.models import ModelFacts, Rates, facts
from reviewbot.llm.parallel import Parallel
from reviewbot.llm.patience import Patient
from tests.fakes.anthropic_server import anthropic_server, fails, says
from tests.llm.questions import question

CLEAN = {"findings": [], "summary": ""}


class Paying:
    """Takes a part of what a question may cost at most, and knows how much could have been due at a time."""

    def __init__(self, parts: Sequence[float] = (1.0,), during: Callable[[], object] = lambda: None) -> None:
        self.parts = parts
        self.during = during
        self.lock = Lock()
        self.calls = 0
        self.paid = 0.0
        self.under_way = 0.0
        self.worst = 0.0  # of paid and under way together

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        [asked] = questions
        most = facts(asked.model).estimate(asked)
        with self.lock:
            part = self.parts[self.calls % len(self.parts)]
            self.calls += 1
            self.under_way += most
            self.worst = max(self.worst, self.paid + self.under_way)
        self.during()
        with self.lock:
            self.under_way -= most
            self.paid += most * part
        return (Answer(payload={}, usage=Usage(calls=1, usd=most * part)),)


sizes = st.lists(st.integers(1, 30_000), min_size=1, max_size=12)


@given(sizes, st.lists(st.floats(0, 1), min_size=1, max_size=5), st.floats(0, 1))
def test_what_is_paid_and_what_is_under_way_never_pass_the_cap(
    tokens: list[int], parts: list[float], cap: float
) -> None:
    paying = Paying(parts)
    asked = [question(max_tokens=count, data=(Part(str(count)),)) for count in tokens]
    answers = Parallel(Budget(paying, cap)).ask(asked)
    assert paying.worst <= cap * (1 + 1e-9)
    assert [bool(answer.reason) for answer in answers].count(False) == paying.calls
    assert {answer.reason for answer in answers} <= {"", "cap"}
    assert all("$" in answer.detail for answer in answers if answer.reason)


@given(sizes, st.floats(0, 1))
def test_one_after_the_other_each_is_asked_that_fits(tokens: list[int], cap: float) -> None:
    budget, paid = Budget(Paying(), cap), 0.0
    for count in tokens:
        asked = question(max_tokens=count)
        most = facts(asked.model).estimate(asked)
        [answer] = budget.ask([asked])
        assert (answer.reason == "cap") == (paid + most > cap)
        paid += answer.usage.usd


def test_who_does_not_fit_beside_the_others_waits_for_them() -> None:
    most = facts("claude-sonnet-5-5").estimate(question())
    paying = Paying([0.1])
    answers = Parallel(Budget(paying, most * 1.5)).ask(
        [question(system=(), data=(Part(x),)) for x in "abcde"]
    )
    assert [answer.reason for answer in answers] == [""] * 5
    assert paying.worst <= most * 1.5


def test_questions_that_fit_are_under_way_together() -> None:
    together = Barrier(2)
    budget = Budget(Paying(during=lambda: together.wait(30)), 1.0)
    answers = Parallel(budget).ask([question(system=(), data=(Part(x),)) for x in "ab"])
    assert [answer.reason for answer in answers] == ["", ""]


def test_an_interrupted_call_counts_as_paid() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    most = facts("claude-sonnet-5-5").estimate(question())
    budget = Budget(Paying(during=interrupt), most * 1.5)
    with pytest.raises(KeyboardInterrupt):
        budget.ask([question()])
    assert budget.ask([question()])[0].reason == "cap"


def test_the_figures_stand_in_the_answer() -> None:
    budget = Budget(Paying(), 0.25)
    asked = question(max_tokens=20_000)
    budget.ask([asked])
    [answer] = budget.ask([asked])
    assert answer.detail == "it may cost $0.20; of $0.25 a review $0.20 are spent"
    assert answer.usage == Usage()


def test_each_attempt_is_counted_before_it_is_made() -> None:
    """Attempts that may have to be paid, at a cap that allows three of them."""
    most = facts("claude-sonnet-5-5").estimate(question())
    cut = says(CLEAN)._replace(end="cut")
    with anthropic_server(repeat(cut)) as server:
        budget = Budget(AnthropicModel("anthropic", "sk-1", server.url), most * 3.5)
        [answer] = Patient(budget, lambda _: None).ask([question()])
    assert len(server.asked) == 3
    assert (answer.reason, answer.usage.calls) == ("cap", 3)


def test_attempts_that_cost_nothing_do_not_use_the_budget_up() -> None:
    most = facts("claude-sonnet-5-5").estimate(question())
    replies = [*repeat(fails(529, "overloaded_error"), 5), says(CLEAN)]
    with anthropic_server(replies) as server:
        budget = Budget(AnthropicModel("anthropic", "sk-1", server.url), most * 1.5)
        [answer] = Patient(budget, lambda _: None).ask([question()])
    assert answer.payload == CLEAN


def test_a_model_without_a_known_price_is_priced_as_the_dearest_and_that_is_said() -> None:
    [answer] = Budget(Paying(), 0.0).ask([question(model="local-1")])
    assert answer.reason == "cap"
    assert "local-1 has no known price" in answer.detail


def test_prices_can_be_given() -> None:
    free = ModelFacts("local-1", Rates(0, 0, 0, 0), 1, 1, "medium")
    [answer] = Budget(Paying(), 0.0, prices=lambda _: free).ask([question(model="local-1")])
    assert answer.reason == ""


def test_all_that_is_sent_is_in_the_estimate() -> None:
    known, small = facts("claude-sonnet-5-5"), question()
    for larger in (
        small._replace(system=(Part("x" * 3000),)),
        small._replace(data=(Part("漢" * 1000),)),
        small._replace(schema="x" * 3000),
        small._replace(tools="x" * 3000),
        small._replace(turns=(Turn("x" * 3000, (), ()),)),
        small._replace(turns=(Turn("", (), ("\udcff" * 1000,)),)),
        small._replace(max_tokens=small.max_tokens + 900),
    ):
        assert known.estimate(larger) > known.estimate(small) + 900 * 2.0 / 1e6


# --- the day ------------------------------------------------------------------------------


def test_a_day_is_shared_by_all_reviews_of_a_repository(tmp_path: Path) -> None:
    path = str(tmp_path / "state" / "day.json")
    asked = question(max_tokens=20_000)
    answers = [Budget(Paying(), 1.0, DayLedger(path, 0.45, "2026-11-30")).ask([asked])[0] for _ in range(3)]
    assert [answer.reason for answer in answers] == ["", "", "cap"]
    assert answers[2].detail == "it may cost $0.20; of $0.45 a day $0.40 are spent"


def test_the_next_day_begins_anew_and_the_old_one_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "day.json"
    yesterday, today = (DayLedger(str(path), 1.0, day) for day in ("2026-11-30", "2026-12-01"))
    assert yesterday.reserve(0.75) == ""
    assert yesterday.reserve(0.75) != ""
    assert today.reserve(0.75) == ""
    yesterday.settle(0.75, 0.5)  # a review that ran over midnight
    assert today.reserve(0.75) != ""
    assert today.reserve(0.25) == ""


def test_what_was_set_aside_becomes_what_was_paid(tmp_path: Path) -> None:
    ledger = DayLedger(str(tmp_path / "day.json"), 1.0)
    assert ledger.reserve(0.75) == ""
    ledger.settle(0.75, 0.25)
    assert ledger.reserve(0.75) == ""
    assert "$1.00 are spent" in ledger.reserve(0.25)


def test_what_a_killed_review_had_set_aside_stays_spent(tmp_path: Path) -> None:
    path = str(tmp_path / "day.json")
    assert DayLedger(path, 1.0).reserve(0.75) == ""
    assert DayLedger(path, 1.0).reserve(0.75) != ""


@pytest.mark.parametrize("content", ["", "{", "[]", '{"2026-11-30": "none"}', '{"2026-11-30": NaN}', "\x00"])
def test_a_damaged_ledger_allows_nothing_and_says_so(tmp_path: Path, content: str) -> None:
    path = tmp_path / "day.json"
    path.write_text(content)
    [answer] = Budget(Paying(), 1.0, DayLedger(str(path), 1.0)).ask([question()])
    assert answer.reason == "cap"
    assert "not known" in answer.detail
    assert str(path) in answer.detail
    assert path.read_text() == content


def test_a_ledger_that_cannot_be_kept_allows_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    [answer] = Budget(Paying(), 1.0, DayLedger(str(tmp_path / "file" / "day.json"), 1.0)).ask([question()])
    assert answer.reason == "cap"


def test_a_link_in_the_ledgers_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "day.json.lock").symlink_to(tmp_path / "elsewhere")
    assert DayLedger(str(tmp_path / "day.json"), 1.0).reserve(0.1) != ""
    assert not (tmp_path / "elsewhere").exists()


def spend(path: str, times: int) -> None:
    ledger = DayLedger(path, 1000.0, "2026-11-30")
    for _ in range(times):
        ledger.reserve(1.0)
        ledger.settle(1.0, 0.5)


def test_two_processes_and_their_threads_lose_no_booking(tmp_path: Path) -> None:
    path = str(tmp_path / "day.json")
    fresh = multiprocessing.get_context("spawn")
    processes = [fresh.Process(target=spend, args=(path, 40)) for _ in range(2)]
    threads = [Thread(target=spend, args=(path, 40)) for _ in range(2)]
    for worker in (*processes, *threads):
        worker.start()
    for worker in (*processes, *threads):
        worker.join()
    assert [process.exitcode for process in processes] == [0, 0]
    assert DayLedger(path, 80.0, "2026-11-30").reserve(0.5).endswith("$80.00 are spent")
