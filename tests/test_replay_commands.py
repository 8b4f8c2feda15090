"""Commands in comments, at the front door: who is heard, what is done, what is remembered."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from reviewbot.hosts.github.client import Client
from reviewbot.wiring import pull as wiring
from tests.deliveries import MAINTAINER, STRANGER, Room, room
from tests.fakes.github.exchange import Fault
from tests.test_pull_request import STEP, edit

__all__ = ["room"]
LAUNCH = "runners/launch_h200.sh"
CONFIG = ".reviewbot/config.toml"
DECLINED = "**Declined by people** on this pull request: A failed step does not stop the launch (1)."


# --- who is heard -------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["admin", "write"])
def test_who_may_write_is_heard(room: Room, level: str) -> None:
    """D32, whatever GitHub's word for the relation of the author is."""
    room.pull.repository.permissions["octo-new"] = level
    comment = room.comment("@reviewbot help", "octo-new")
    comment["author_association"] = "CONTRIBUTOR"
    room.replay("issue_comment", room.of_comment(comment))
    assert room.reactions(comment) == ["eyes"]
    assert len(room.replies) == 1


@pytest.mark.parametrize("case", ["read", "none", "unknown"])
def test_who_may_not_write_gets_one_reaction(room: Room, case: str) -> None:
    """D32."""
    room.pull.repository.permissions |= {} if case == "unknown" else {"octo-new": case}
    comment = room.comment("@reviewbot review", "octo-new")
    done = room.replay("issue_comment", room.of_comment(comment))
    assert (done.code, room.reactions(comment)) == (0, ["confused"])
    assert "may not write" in done.err
    assert room.writes() == 1


def test_where_nobody_says_who_may_write_the_delivery_stays_open(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that was lost was a no, for ever."""
    monkeypatch.setitem(Client.__init__.__kwdefaults__, "sleep", lambda seconds: None)
    room.launched.github.faults.append(Fault("GET", r".*/collaborators/.*", 500, times=4))
    comment = room.comment("@reviewbot help")
    named = ("--delivery", f"{room.folder.name}-3".replace("_", "-"))
    done = room.replay("issue_comment", room.of_comment(comment), *named)
    assert (done.code, room.reactions(comment), room.replies) == (2, [], [])
    assert room.replay("issue_comment", room.of_comment(comment), *named).code == 0
    assert (room.reactions(comment), len(room.replies)) == (["eyes"], 1)


def test_what_has_not_changed_is_not_reviewed_to_say_so(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.pushed("opened")
    room.says("@reviewbot pause")
    monkeypatch.setattr(wiring, "review", None)
    done = room.says("@reviewbot review")
    assert done.code == 0, done.err
    assert re.search(
        r"since \w{7} was reviewed: \*\*4 findings\*\* .*\. The summary has all of it", room.replies[-1]
    )
    assert room.says("@reviewbot resume").code == 0
    assert "reviewed again" in room.replies[-1]


def test_the_answer_says_where_the_head_of_the_question_is_not_known(room: Room) -> None:
    room.launched.work.write("docs/more.md", "Nothing to review.\n")
    room.launched.push()
    for command in ("review", f"review {LAUNCH}"):
        room.launched.github.faults.append(Fault("GET", r".*/activity", 404))
        room.says(f"@reviewbot {command}")
        assert "GitHub did not say which head it had when you asked." in room.replies[-1], command
    room.says(f"@reviewbot review {LAUNCH}")
    assert "GitHub did not say" not in room.replies[-1]


def test_a_rehearsed_command_shows_what_it_would_send_also_where_nothing_has_changed(room: Room) -> None:
    room.pushed("opened")
    for command in ("review", f"dismiss {LAUNCH}:13 it is meant so", "resume"):
        document = json.loads(room.says(f"@reviewbot {command}", "--dry-run").out)
        paths = [row["path"].rpartition("/")[2] for row in document["requests"]]
        assert paths == ["reactions", "comments"], command


def test_the_author_of_a_pull_request_may_ask_for_a_review_where_base_says_so(room: Room) -> None:
    author = room.pull.author
    asked = room.comment("@reviewbot review", author)
    room.replay("issue_comment", room.of_comment(asked))
    assert room.reactions(asked) == ["confused"]
    upstream_config(room, "[pull]\nauthors = true\n")
    for body, reaction in (("@reviewbot review", "eyes"), ("@reviewbot dismiss 123456 no", "confused")):
        asked = room.comment(body, author)
        room.replay("issue_comment", room.of_comment(asked))
        assert room.reactions(asked) == [reaction]
    assert len(room.pull.threads) == 4


IGNORED = {
    "quoted": "> @reviewbot review",
    "fenced": "```\n@reviewbot review\n```",
    "within": "foo@reviewbot review",
    "another": "@reviewbot-other review",
    "hidden": "<!--\n@reviewbot review\n-->",
    "marked": '@reviewbot review\n\n<!-- reviewbot:1 {"kind":"reply"} -->',
    "indented": "    @reviewbot review",
    "sentence": "Should @reviewbot review this?",
}


def test_d31_what_is_no_command_is_ignored(room: Room) -> None:
    for name, body in IGNORED.items():
        done = room.says(body)
        assert (done.code, room.writes()) == (0, 0), name
        assert "nothing to do" in done.err, name
    comment = room.comment("@reviewbot review")
    bot = {"comment": {**comment, "user": {**comment["user"], "type": "Bot"}}}
    program = {"sender": {**comment["user"], "type": "Bot"}}
    changes: tuple[dict[str, Any], ...]
    changes = ({"action": "edited"}, {"action": "deleted"}, {"issue__pull_request": None}, bot, program)
    for change in changes:
        done = room.replay("issue_comment", room.of_comment(comment, **change))
        assert (done.code, room.writes()) == (0, 0), change
        assert "nothing to do" in done.err, change


# --- what is done -------------------------------------------------------------------------


def test_every_command_is_answered_once(room: Room) -> None:
    room.pushed("opened")
    asked = {
        "help": "`@reviewbot pause`",
        "config": "[check]",
        f"explain {LAUNCH}:13": "**Why it matters.**",
        f"review {LAUNCH}": f"Of `{LAUNCH}`: **",
        "review": "Nothing has changed since",
        "frobnicate": "`frobnicate` is no command.",
    }
    for n, (command, said) in enumerate(asked.items(), 1):
        comment = room.comment(f"@reviewbot {command}")
        done = room.replay("issue_comment", room.of_comment(comment))
        assert done.code == 0, done.err
        assert len(room.replies) == n, command
        assert said in room.replies[-1], command
        assert room.reactions(comment) == ["eyes"], command
    before = room.writes()
    assert "answered already" in room.replay("issue_comment", room.of_comment(comment)).err
    assert room.writes() == before
    assert (len(room.summaries), len(room.pull.threads)) == (1, 4)


def test_a_command_in_a_thread_is_answered_there(room: Room) -> None:
    room.pushed("opened")
    thread = room.thread(LAUNCH)
    below = len(room.pull.comments)
    room.answers(thread, "@reviewbot explain")
    assert "**Why it matters.**" in thread.comments[-1]["body"]
    assert thread.comments[-1]["in_reply_to_id"] == thread.comments[0]["id"]
    assert len(room.pull.comments) == below


def test_a_review_is_announced_by_its_end(room: Room) -> None:
    room.says("@reviewbot review")
    assert len(room.pull.threads) == 4
    [reply] = room.replies
    assert reply.startswith(f"Reviewed {room.pull.head_sha[:7]}: **4 findings** (")
    checks = len(room.pull.check_runs)
    room.says("@reviewbot review full")
    assert room.replies[-1].startswith("Reviewed")
    assert len(room.pull.check_runs) == checks + 1
    assert (len(room.summaries), len(room.pull.threads)) == (1, 4)


def test_a_review_that_failed_is_done_when_its_comment_is_delivered_again(room: Room) -> None:
    comment = room.comment("@reviewbot review")
    room.launched.github.lacking.add("checks")
    assert room.replay("issue_comment", room.of_comment(comment)).code == 2
    assert room.replies == []
    room.launched.github.lacking.clear()
    assert room.replay("issue_comment", room.of_comment(comment)).code == 0
    assert (len(room.replies), len(room.pull.threads)) == (1, 4)


def test_what_is_pushed_after_the_command_is_not_reviewed_for_it(room: Room) -> None:
    comment = room.comment("@reviewbot review")
    before = room.pull.head_sha
    room.launched.work.write("docs/more.md", "Nothing to review.\n")
    head = room.launched.push()
    room.launched.github._ticks += 60
    room.replay("issue_comment", room.of_comment(comment))
    [reply] = room.replies
    assert reply.startswith(f"You asked at {before[:7]}; the head is {head[:7]} by now.")
    assert (room.pull.threads, room.pull.check_runs, room.summaries) == ([], [], [])


def test_with_the_token_of_a_person_that_person_is_heard_and_our_answers_are_not(room: Room) -> None:
    github = room.launched.github
    github.me, github.app = MAINTAINER, False
    done = room.says("@reviewbot review")
    assert done.code == 0, done.err
    assert len(room.pull.threads) == 4
    room.answers(room.thread(LAUNCH), "@reviewbot dismiss it is meant so")
    assert DECLINED in room.summary
    before = room.writes()
    for comment in list(room.pull.comments):
        if "<!--" in comment["body"]:
            room.replay("issue_comment", room.of_comment(comment))
    for comment in list(room.pull.review_comments):
        if "<!--" in comment["body"]:
            room.replay("pull_request_review_comment", room.of_answer(comment))
    assert room.writes() == before


def test_a_comment_that_quotes_our_words_is_no_memory_and_no_answer(room: Room) -> None:
    """Everybody can paste what we wrote."""
    room.pushed("opened")
    room.says("@reviewbot pause")
    pasted = room.pull.comments[-1]["body"]
    room.says("@reviewbot resume")
    room.pull.comment(STRANGER, pasted)
    edit(room.launched, LAUNCH, STEP, f"{STEP} || exit 1")
    room.launched.push()
    room.pushed("synchronize")
    assert room.thread(LAUNCH).resolved


# --- what is remembered -------------------------------------------------------------------


def test_a_pause_holds_until_it_is_resumed(room: Room) -> None:
    room.says("@reviewbot pause")
    assert "are paused" in room.pushed("opened").err
    assert (room.pull.threads, room.pull.check_runs) == ([], [])
    room.says("@reviewbot resume")
    assert len(room.pull.threads) == 4
    room.launched.work.write("docs/more.md", "Nothing to review.\n")
    head = room.launched.push()
    room.pushed("synchronize")
    assert f"Reviewed {head[:7]} " in room.summary


def test_a_pause_and_a_dismissal_outlive_a_review_that_was_running(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The review writes its summary anew, without having known of them when it began."""
    room.pushed("opened")
    room.launched.work.write("docs/more.md", "Nothing to review.\n")
    room.launched.push()
    real = wiring.Desk.reviewed

    def meanwhile(desk: wiring.Desk) -> Any:
        monkeypatch.setattr(wiring.Desk, "reviewed", real)
        room.says("@reviewbot pause")
        room.answers(room.thread(LAUNCH), "@reviewbot dismiss it is meant so")
        return real(desk)

    monkeypatch.setattr(wiring.Desk, "reviewed", meanwhile)
    room.pushed("synchronize")
    assert "**3 findings** (" in room.summary
    assert '"paused":true' in room.summary
    assert "it is meant so" in room.summary
    room.launched.work.write("docs/more.md", "Still nothing to review.\n")
    room.launched.push()
    assert "are paused" in room.pushed("synchronize").err


def test_what_is_dismissed_is_gone_at_once_and_for_ever(room: Room) -> None:
    room.pushed("opened")
    done = room.answers(room.thread(LAUNCH), "@reviewbot dismiss it is meant so")
    assert done.code == 0, done.err
    assert re.search(r"\*\*3 findings\*\* \(.*", room.summary)
    assert DECLINED in room.summary
    run = room.pull.check_runs[-1]
    assert (run["status"], run["output"]["title"][:10]) == ("completed", "3 findings")
    before = room.writes()
    assert "reviewed at" in room.pushed("reopened").err
    assert room.writes() == before
    edit(room.launched, LAUNCH, STEP, f"# two lines\n# above it\n{STEP}")
    room.launched.push()
    room.pushed("synchronize")
    assert "**3 findings** (" in room.summary
    assert len([t for t in room.pull.threads if t.path == LAUNCH]) == 1


def test_a_dismissal_that_could_not_be_shown_is_shown_by_the_next_event(room: Room) -> None:
    room.pushed("opened")
    room.launched.github.lacking.add("checks")
    assert room.answers(room.thread(LAUNCH), "@reviewbot dismiss it is meant so").code == 2
    assert DECLINED not in room.summary
    room.launched.github.lacking.clear()
    room.pushed("reopened")
    assert DECLINED in room.summary
    before = room.writes()
    room.pushed("reopened")
    assert room.writes() == before


def test_a_thumb_down_silences_a_finding(room: Room) -> None:
    room.pushed("opened")
    thread = room.thread(LAUNCH)
    room.pull.react(thread, STRANGER, "-1")
    edit(room.launched, LAUNCH, STEP, f"{STEP} || exit 1")
    room.launched.push()
    room.pushed("synchronize")
    assert (len(thread.comments), thread.resolved) == (1, False)
    assert DECLINED in room.summary


def test_threads_are_answered_and_left_open_where_base_says_so(room: Room) -> None:
    upstream_config(room, "[pull]\nresolve = false\n")
    room.pushed("opened")
    edit(room.launched, LAUNCH, STEP, f"{STEP} || exit 1")
    room.launched.push()
    room.pushed("synchronize")
    thread = room.thread(LAUNCH)
    assert thread.comments[-1]["body"].startswith("Fixed in ")
    assert not thread.resolved


def upstream_config(room: Room, text: str) -> None:
    """The configuration at the base branch, and the pull request on top of it."""
    work, bare = room.launched.work, str(room.pull.repository.path)
    branch = work.git("rev-parse", "--abbrev-ref", "HEAD")
    work.git("checkout", "-q", "--detach", "refs/remotes/origin/main")
    work.write(CONFIG, text)
    work.commit("configuration")
    work.git("push", "-q", bare, "HEAD:refs/heads/main")
    work.git("update-ref", "refs/remotes/origin/main", "HEAD")
    work.git("checkout", "-q", branch)
    work.git("rebase", "-q", "refs/remotes/origin/main")
    room.launched.publish(force=True)
