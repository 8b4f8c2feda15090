"""The model as a Reader: what is lost when a part of it fails, and what is said of what was not read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from reviewbot.assets import prompts
from reviewbot.core.ask import find
from reviewbot.core.ask.prompts import Prompts
from reviewbot.core.ask.reader import ModelReader
from reviewbot.core.errors import UsageError
from reviewbot.core.options import silent
from reviewbot.core.ports import Library
from reviewbot.core.reader import Ground, Read
from reviewbot.core.types import (
    Answer,
    Assignment,
    ModelTerms,
    Question,
    Scope,
    Side,
    Text,
    Texts,
    Uncovered,
    Usage,
)
from tests.core.ask.changes import change_of
from tests.core.ask.claims import SKILL, absent, finding, said
from tests.fakes.scripted import ScriptedModel
from tests.fakes.shelf import Shelf

RUN = {"run.sh": ("set -x\n", "set -x\nmake all\n")}
PROMPTS = Prompts(prompts())
PAID = Usage(1, 100, 0, 10, 0.5, 1.0)
NONCE = "9f3a1c77d2e04b55"


class Broken(Shelf):
    """A tree that git cannot read."""

    def text(self, side: Side, path: str) -> Text | None:
        raise UsageError("git cat-file failed")

    def search(self, side: Side, words: str, below: str = "") -> Sequence[tuple[str, int, str]]:
        raise UsageError("git grep failed")


def ground(files: Mapping[str, tuple[str, str]] = RUN) -> Ground:
    change, head = change_of(dict(files))
    scope = Scope((Assignment(SKILL, tuple(files)),), tuple(files), ())
    return Ground(change, scope, head, Texts(Side.LEFT, {}), (), ())


def reader(
    script: Callable[[Question], Answer], library: Library | None = None, terms: ModelTerms | None = None
) -> ModelReader:
    model = ScriptedModel(script)
    return ModelReader(model, library or Shelf({}), PROMPTS, terms or ModelTerms(), NONCE, silent)


def says(*findings: dict[str, Any], looked: Sequence[tuple[str, str]] = ()) -> Answer:
    rows = [{"class": slug, "result": result} for slug, result in looked]
    return Answer(payload={"findings": list(findings), "looked": rows}, usage=PAID)


def titles(read: Read) -> list[str]:
    return [c.candidate.title for c in read.checked]


# --- a tree that cannot be read ---------------------------------------------------------------


def test_a_look_up_that_git_fails_in_costs_no_other_finding_and_no_usage():
    """It took all candidates with it, and what they had cost."""
    elsewhere = finding(path="lib.sh", title="Elsewhere")
    read = reader(lambda _: says(finding(), elsewhere), Broken({})).find(ground())
    assert titles(read) == ["The build may fail unseen"]
    assert [(r.candidate.title, r.reason) for r in read.rejections] == [("Elsewhere", "unquoted")]
    assert read.usage == PAID
    assert [(p.stage, p.why) for p in read.problems] == [
        ("model", "not all of it could be checked: git cat-file failed")
    ]


def test_a_check_that_git_cannot_run_makes_no_clean_review():
    """It counted as false; its candidate was rejected, and the review was clean."""
    unseen = finding(evidence=[absent("reader", "")], failure=[said("It has no reader.", 0)])
    read = reader(lambda _: says(unseen), Broken({})).find(ground())
    assert read.checked == ()
    assert [r.detail for r in read.rejections] == ["its check could not be run: git grep failed"]
    assert [p.why for p in read.problems] == ["not all of it could be checked: git grep failed"]


def test_a_counter_quote_that_git_cannot_look_for_refutes_nothing_and_costs_no_usage():
    def script(question: Question) -> Answer:
        if question.purpose == "find":
            return says(finding())
        counter = {"path": "lib.sh", "line": 1, "quote": "set -e is in force"}
        refuted = {"verdict": "refuted", "counter": counter, "reason": "It stops."}
        return Answer(payload=refuted, usage=PAID)

    asked, own = reader(script, Broken({})), ground()
    read = asked.argue(own, asked.find(own))
    assert [c.refutation.verdict for c in read.checked] == ["unsure"]
    assert (read.usage.calls, read.usage.usd) == (2, 1.0)
    assert ("the second reading", "not all of it could be checked: git cat-file failed") in [
        (p.what, p.why) for p in read.problems
    ]


# --- out of scope -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "cause", "ends"),
    [
        ("generated", None, ["out-of-scope"]),
        ("generated", {"path": "run.sh", "line": 2, "quote": "make all"}, ["aside"]),
        ("no skill claims it", None, ["kept"]),
    ],
)
def test_a_file_that_nobody_is_to_look_at_gets_no_comment(
    reason: str, cause: dict[str, Any] | None, ends: list[str]
):
    """A comment stood in a lock file."""
    own = ground({**RUN, "x.lock": ("", "pin 1\n")})
    scope = own.scope._replace(
        assignments=(Assignment(SKILL, ("run.sh",)),), uncovered=(Uncovered("x.lock", reason),)
    )
    found = finding(path="x.lock", line=1, quote="pin 1", cause=cause, evidence=[], failure=[said("Old.")])
    read = reader(lambda _: says(found)).find(own._replace(scope=scope))
    assert [r.reason for r in read.rejections] + [
        "aside" if c.aside else "kept" for c in read.checked
    ] == ends


# --- a file in pieces -------------------------------------------------------------------------

LONG = {"run.sh": ("", "".join(f"step {n}\n" for n in range(400)))}
CLASS = "a-failed-step-does-not-stop-the-launch"
HELD = [(CLASS, "held"), ("an-absent-value", "held")]
FIRST = finding(line=4, quote="step 3\nstep 4", evidence=[], failure="It goes on.", confidence=60)


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "CHUNK_TOKENS", 1_000)


def is_first(question: Question) -> bool:
    return "step 3\n" in question.data[0].text


@pytest.mark.usefixtures("pieces")
def test_who_read_another_piece_of_the_file_did_not_overlook_what_stands_in_this_one():
    """Pieces were told apart by their paths, which are the same."""

    def script(question: Question) -> Answer:
        if not is_first(question):
            return says()
        return says(FIRST) if "pass 1" in question.about else Answer(reason="overloaded")

    read = reader(script, terms=ModelTerms(passes=2)).find(ground(LONG))
    assert [c.candidate.confidence for c in read.checked] == [60]


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("failing", ["first piece", "pass 2"])
def test_of_a_file_that_was_not_answered_about_each_time_nothing_is_held(failing: str):
    """The piece that was answered spoke for the whole file."""

    def script(question: Question) -> Answer:
        failed = is_first(question) if failing == "first piece" else failing in question.about
        return Answer(reason="refused") if failed else says(looked=HELD)

    read = reader(script, terms=ModelTerms(passes=2)).find(ground({**LONG, "z.sh": RUN["run.sh"]}))
    assert read.problems
    assert "run.sh" not in read.paths


def test_what_was_left_out_of_a_file_is_not_held():
    long_line = {"run.sh": ("", "x" * 5_000 + "\nmake all\n"), "z.sh": RUN["run.sh"]}
    read = reader(lambda _: says(looked=HELD)).find(ground(long_line))
    assert [p.what for p in read.problems] == ["run.sh line 1"]
    assert {path: word for own in read.looked.values() for path, word in own.items()} == {"z.sh": "held"}


def test_a_file_that_was_read_whole_is_held():
    read = reader(lambda _: says(looked=HELD)).find(ground())
    assert read.problems == ()
    assert read.looked == {(SKILL.name, slug): {"run.sh": "held"} for slug, _ in HELD}
