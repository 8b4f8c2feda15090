"""Who is heard, what is answered, and what is remembered of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.mention import parse
from reviewbot.core.publish import marker
from reviewbot.core.publish.cap import LIMIT, size
from reviewbot.core.publish.commands import (
    HOURLY,
    Obeyed,
    Votes,
    answered,
    obey,
    received,
    replied,
    reviewed,
    too_many,
    unchanged,
    votes,
)
from reviewbot.core.publish.marker import Dismissal, Marker
from reviewbot.core.publish.telling import Effective
from reviewbot.core.settings import parse_settings
from reviewbot.core.types import (
    Asked,
    Command,
    PullTerms,
    Remark,
    Review,
    Said,
    Settings,
    Side,
    Skills,
    Stamp,
    Thread,
    Who,
)
from tests import builders
from tests.core.publish.rendered import PULL, fences, live, page
from tests.strategies import few

ME, DEV = Who("reviewbot", bot=True), Who("dev")
NOW = "2026-11-30T12:00:00Z"
ASKED = Asked(900, "issue", DEV, NOW)
FINGERPRINT = "0123456789abcdef"
OTHER = "fedcba9876543210"
SUMMARY = Marker("summary", head="b" * 40, verdict="findings", fingerprints=(FINGERPRINT, OTHER))
EFFECTIVE = Effective(Settings(), Skills(()), Stamp("b" * 40, "a" * 40, "5" * 12, "c" * 12))


def remark(own: Marker | None, number: int = 1, text: str = "Text.", **changes: Any) -> Remark:
    body = f"{text}\n\n{marker.write(own)}" if own else text
    return Remark(number, ME, body, NOW)._replace(**changes)


def thread(name: str = FINGERPRINT, number: int = 50, **changes: Any) -> Thread:
    """One of ours at runners/launch_h200.sh:41."""
    own = Marker("finding", fingerprints=(name,), slug="a-class", path="runners/launch_h200.sh")
    url = f"https://github.example/acme/launcher/pull/7#discussion_r{number}"
    began = remark(own, number, url=url)
    whole = Thread("node", "runners/launch_h200.sh", 41, None, Side.RIGHT, False, None, False, True, (began,))
    return whole._replace(**changes)


SAID = Said(ME, (remark(SUMMARY),), (thread(), thread(OTHER, 60, line=77)))
IN_THREAD = ASKED._replace(kind="review", thread=50)


def does(
    line: str, said: Said = SAID, asked: Asked = ASKED, review: Review | None = None, **changes: Any
) -> Obeyed:
    (command,) = parse(f"@bot {line}", "bot")
    changes = {"name": "bot", "review": review, "effective": EFFECTIVE, "pull": PULL} | changes
    return obey(command, asked, changes.pop("pull"), said, **changes)


def kept(done: Obeyed) -> Marker:
    """What the answer remembers."""
    own = marker.read(Remark(2, ME, done.reply, NOW), ME)
    assert own is not None
    return own


def after(done: Obeyed, said: Said = SAID, number: int = 9) -> Said:
    return said._replace(remarks=(*said.remarks, Remark(number, ME, done.reply, NOW)))


def reply(number: int, created: str = NOW, text: str = "Text.", answers: int = 1) -> Remark:
    return remark(Marker("reply", state="command", answers=answers), number, text, created=created)


# --- who is heard -------------------------------------------------------------------------


def reaction(verb: str = "review", said: Said = SAID, *, permitted: bool = False, **changes: Any) -> str:
    terms = PullTerms(authors=changes.pop("authors", False))
    return received(verb, ASKED._replace(**changes), said, permitted=permitted, terms=terms).reaction


def test_who_may_write_is_heard_and_who_may_not_gets_a_reaction() -> None:
    assert reaction(permitted=True) == "eyes"
    assert reaction() == "confused"


def test_the_author_may_ask_for_a_review_where_the_configuration_says_so() -> None:
    assert reaction(is_author_of_pull=True, authors=True) == "eyes"
    assert reaction("dismiss", is_author_of_pull=True, authors=True) == "confused"
    assert reaction(is_author_of_pull=True) == "confused"
    assert reaction(authors=True) == "confused"


@pytest.mark.parametrize("in_thread", [False, True])
def test_a_comment_is_answered_once(in_thread: bool) -> None:
    said = SAID
    done = does("help")
    sent = Remark(2, ME, done.reply, NOW)
    if in_thread:
        first = said.threads[0]
        said = said._replace(threads=(first._replace(remarks=(*first.remarks, sent)),))
    else:
        said = said._replace(remarks=(*said.remarks, sent))
    assert not answered(SAID, 900)
    assert answered(said, 900)
    assert reaction(said=said, permitted=True) == ""
    forged = Said(ME, (sent._replace(author=DEV),))
    assert not answered(forged, 900)


def test_an_hour_has_room_for_ten_answers() -> None:
    full = tuple(reply(n) for n in range(HOURLY))
    assert too_many(Said(ME, full), NOW)
    assert not too_many(Said(ME, full[1:]), NOW)
    assert not too_many(Said(ME, full), "2026-11-30T13:00:00Z")
    assert too_many(Said(ME, full), "2026-11-30T12:59:59Z")
    assert too_many(Said(ME, full), "2026-11-30T11:30:00Z")  # GitHub's clock is ahead of ours
    assert not too_many(Said(ME, full), "2026-11-30T11:00:00Z")  # an old command, delivered again
    assert too_many(Said(ME, (*full[1:], reply(99, created="no time"))), NOW)
    assert too_many(SAID, "no time")
    assert too_many(SAID, "2026-11-30T12:00:00")
    fixed = tuple(remark(Marker("reply", state="fixed", answers=1), n) for n in range(HOURLY))
    assert not too_many(Said(ME, fixed), NOW)
    in_thread = Said(ME, full[5:], (thread(remarks=(thread().remarks[0], *full[:5])),))
    assert too_many(in_thread, NOW)
    assert reaction(said=Said(ME, full), permitted=True) == ""


# --- what is answered ---------------------------------------------------------------------


def test_a_review_is_answered_when_it_is_done() -> None:
    """The event is delivered again where the review failed, and finds the command open."""
    assert does("review") == does("review full") == does("review src/ *.sh") == Obeyed("")
    found = builders.review(builders.finding())
    done = reviewed(ASKED, PULL, SAID, found)
    assert done.reply.startswith("Reviewed bbbbbbb: **1 finding** (1 warning), still there.")
    assert kept(done).answers == 900
    assert "The summary has all of it. And so on." in reviewed(ASKED, PULL, SAID, found, "And so on.").reply
    done = unchanged(IN_THREAD, PULL, SAID, "bot")
    assert done.reply.startswith("Nothing has changed since bbbbbbb was reviewed: Text. The summary has")
    assert "`@bot review full`" in done.reply
    assert done.thread == SAID.threads[0]
    assert replied("Text.", ASKED, PULL, SAID).reply.startswith("Text.\n")


def test_a_closed_pull_request_is_not_reviewed() -> None:
    done = does("review", pull=PULL._replace(open=False))
    assert done.reply.startswith("This pull request is closed")
    assert not done.review


def test_the_reply_stands_where_the_command_stands() -> None:
    assert does("help").thread is None
    assert does("help", asked=IN_THREAD).thread == SAID.threads[0]
    assert does("help", asked=IN_THREAD._replace(thread=51)).thread is None


def test_the_reply_remembers_what_it_answers() -> None:
    done = does("help")
    assert done.reply.endswith(f"\n\n{done.key}")
    own = marker.read(Remark(2, ME, done.reply, NOW), ME)
    assert own == Marker("reply", head=PULL.head_sha, state="command", answers=900)


def test_further_commands_of_a_comment_are_not_obeyed() -> None:
    assert "Only the first command" in does("pause", asked=ASKED._replace(more=1)).reply
    assert "Only the first command" not in does("pause").reply


def test_pause_and_resume() -> None:
    paused = does("pause")
    assert kept(paused).verb == "pause"
    assert not paused.review
    assert "`@bot resume`" in paused.reply
    said = after(paused)
    assert "already paused" in does("pause", said).reply
    resumed = does("resume", said)
    assert kept(resumed).verb == "resume"
    assert resumed.review
    assert not does("resume", said, pull=PULL._replace(open=False)).review
    back = does("resume", after(resumed, said, 10))
    assert (kept(back).verb, back.review) == ("", False)
    assert "not paused" in does("resume").reply


def test_a_pause_is_shown_in_the_summary_at_once() -> None:
    paused = does("pause")
    line = "commits since bbbbbbb are not reviewed. `@bot resume` takes them up again.\n\nText."
    assert paused.summary.startswith("**Paused** by @")
    assert line in paused.summary
    assert kept(paused).by == "dev"
    own = SAID.remarks[0]
    shown = after(paused, SAID._replace(remarks=(own._replace(body=paused.summary),)))
    assert does("resume", shown).summary == own.body
    running = remark(SUMMARY._replace(verdict=marker.RUNNING))
    assert does("pause", SAID._replace(remarks=(running,))).summary == ""


def test_the_last_answer_of_an_hour_says_when_the_next_is() -> None:
    nine = tuple(reply(n, created=f"2026-11-30T11:4{n}:00Z") for n in range(HOURLY - 1))
    said = "That was the tenth answer within an hour; the next after 12:40 UTC."
    assert said in does("help", Said(ME, nine)).reply
    assert said not in does("help", Said(ME, nine[1:])).reply
    full = Said(ME, (*nine, reply(99)))
    assert reaction("pause", full, permitted=True) == reaction("resume", full, permitted=True) == "eyes"
    assert reaction("help", full, permitted=True) == ""


def test_what_is_paused_before_any_review_is_remembered() -> None:
    said = after(does("pause", Said(ME)), Said(ME))
    assert "already paused" in does("pause", said).reply


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("dismiss 012345 it is meant so", ASKED),
        ("dismiss 0123456789AB: it is meant so", ASKED),
        ("dismiss runners/launch_h200.sh:41 it is meant so", ASKED),
        ("dismiss ./runners/launch_h200.sh:40-42 it is meant so", ASKED),
        ("dismiss it is meant so", IN_THREAD),
    ],
)
def test_a_finding_is_dismissed(line: str, asked: Asked) -> None:
    done = does(line, asked=asked)
    assert kept(done).dismissed == (Dismissal(FINGERPRINT, "a-class", "it is meant so", "dev"),)
    assert done.reply.startswith("`01234567` is dismissed and is not shown again here: it is meant so\n")
    again = does(line, after(done), asked)
    assert kept(again).dismissed == ()
    assert not again.review
    assert "dismissed already: it is meant so" in again.reply


def test_a_dismissal_is_shown_at_once_where_the_head_is_reviewed() -> None:
    line = "dismiss 012345 it is meant so"
    assert does(line).review
    assert not does(line, pull=PULL._replace(open=False)).review
    assert not does(line, pull=PULL._replace(head_sha="c" * 40)).review
    assert not does(line, after(does("pause"))).review


def test_a_dismissal_needs_a_reason() -> None:
    done = does("dismiss 012345")
    assert kept(done).dismissed == ()
    assert "`@bot dismiss 01234567 <reason>`" in done.reply


def test_a_word_of_six_letters_may_begin_a_reason_and_a_wrong_name_may_not() -> None:
    done = does("dismiss facade by intent", asked=IN_THREAD)
    assert kept(done).dismissed[0].reason == "facade by intent"
    wrong = does("dismiss 999999 by intent", asked=IN_THREAD)
    assert kept(wrong).dismissed == ()
    assert "begins with `999999`" in wrong.reply


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dismiss it is meant so", "Which finding?"),
        ("explain", "Which finding?"),
        ("explain 012345678", "`01234567` at"),
        ("explain 777777", "No finding on this pull request has a name"),
        ("explain a.sh:41", "No finding on this pull request stands at `a.sh:41`."),
    ],
)
def test_which_finding_is_meant(line: str, said: str) -> None:
    assert said in does(line, review=builders.review(builders.finding())).reply


def test_of_two_findings_one_has_to_be_chosen() -> None:
    said = Said(ME, (), (thread(), thread("012345aaaaaaaaaa", 60)))
    for line in ("explain 012345", "explain runners/launch_h200.sh:41"):
        assert does(line, said).reply.startswith("Which of these: `01234567`, `012345aa`?")


def test_a_finding_of_the_table_is_named_by_what_the_review_knows() -> None:
    found = builders.finding(fingerprint="abcdef0123456789", path="a.sh", line=5, placement="table")
    done = does("dismiss a.sh:5 it is meant so", Said(ME), review=builders.review(found))
    assert kept(done).dismissed[0][:2] == ("abcdef0123456789", found.candidate.slug)


def test_a_finding_is_explained_in_full() -> None:
    done = does("explain 012345", review=builders.review(builders.suggested()))
    assert done.reply.startswith("`01234567` at `runners/launch_h200.sh:41`:\n\n")
    assert "**Why it matters.**" in done.reply
    assert "|| exit 1" in "".join(fences(done.reply, "diff"))
    assert fences(done.reply, "suggestion") == []
    assert not done.review


def test_what_the_review_does_not_have_is_said() -> None:
    assert "[its conversation](https://github.example/" in does("explain 012345").reply
    alone = SAID._replace(threads=())
    assert "no conversation of its own" in does("explain 012345", alone).reply


def test_the_configuration_is_shown_as_one_that_says_the_same() -> None:
    settings = Settings(use=("a", 'b"c'), max_file_bytes=7)
    settings = settings._replace(pull=PullTerms(authors=True, fail_on="warning"))
    skills = Skills((builders.skill(),), ((builders.skill(name="other"), "it has no classes"),))
    done = does("config", effective=EFFECTIVE._replace(settings=settings, skills=skills))
    (text,) = fences(done.reply, "toml")
    assert parse_settings(text.encode(), "shown") == settings
    assert "| `launcher-adversarial-review` | builtin | `0123456789ab` |" in done.reply
    assert "`other` takes no part: it has no classes." in done.reply
    assert f"skills `{'5' * 12}`" in done.reply
    assert "could not be read" in does("config", effective=None).reply


def test_help_lists_the_commands_in_code() -> None:
    done = does("help")
    assert done.reply.count("\n- ") == 8
    for verb in ("review", "explain", "dismiss", "pause", "resume", "config", "help"):
        assert f"`@bot {verb}" in done.reply


def test_what_is_no_command_is_answered_by_help_once() -> None:
    first = does("thanks")
    assert "`@bot help`" in first.reply
    said = SAID._replace(remarks=(*SAID.remarks, Remark(9, ME, first.reply, NOW)))
    assert does("thanks", said) == Obeyed("")
    assert does("help", said).reply


# --- what a stranger writes ---------------------------------------------------------------

LINES = ["help", "config", "pause", "resume", "review", "thanks", "explain 012345", "dismiss 012345 why not",
         "dismiss 012345", "explain a.sh:1", "review `@bot help`"]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_no_reply_is_a_command_to_ourselves(line: str) -> None:
    done = does(line, review=builders.review(builders.suggested()))
    assert parse(done.reply, "bot") == ()
    assert live(done.reply) == []


@few
@given(st.sampled_from(["dismiss 012345 ", "explain ", "review ", "review `", ""]), st.text(max_size=80))
def test_no_words_of_a_stranger_come_alive(verb: str, words: str) -> None:
    for command in parse(f"@bot {verb}{words}\n@octocat #12 <b> ![x](http://e)", "bot"):
        done = obey(command, ASKED, PULL, SAID, name="bot", review=None, effective=None)
        assert live(done.reply) == []
        assert parse(done.reply, "bot") == ()


def test_a_reason_is_inert_and_holds_no_secret() -> None:
    secret = "ghp_" + "a1B2" * 9
    done = does(f"dismiss 012345 @octocat <!-- #12 ![x](http://e/?s) --> {secret}")
    assert live(done.reply) == []
    assert secret not in done.reply
    assert kept(done).dismissed[0].fingerprint == FINGERPRINT
    assert "<!--" not in page(done.reply).replace("<!-- reviewbot:1 ", "")


def test_a_reason_that_is_too_long_is_cut() -> None:
    done = does("dismiss 012345 " + "\u20ac" * 60_000)
    assert len(kept(done).dismissed[0].reason) == 200
    assert size(done.reply) < LIMIT


# --- votes --------------------------------------------------------------------------------


def test_votes_are_counted_by_class() -> None:
    dismissed = (Dismissal(FINGERPRINT, "a-class", "r", "dev"), Dismissal(OTHER, "b-class", "r", "dev"))
    said = Said(
        ME,
        (remark(SUMMARY._replace(dismissed=dismissed)),),
        (thread(thumbs_down=2), thread(number=51, thumbs_down=1), thread(OTHER, 60)),
    )
    assert votes(said) == {"a-class": Votes(2, 1, 3), "b-class": Votes(0, 1, 0)}
    strange = thread(remarks=(thread().remarks[0]._replace(author=DEV),))
    assert votes(Said(ME, (), (strange,))) == {}


def test_a_command_is_a_value_that_nobody_has_to_parse() -> None:
    done = obey(Command("pause"), ASKED, PULL, SAID, name="bot", review=None, effective=None)
    assert kept(done).verb == "pause"
