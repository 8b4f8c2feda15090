"""What each event asks for, by the payloads that GitHub publishes as examples."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.errors import UsageError
from reviewbot.core.types import (
    Asked,
    Cancel,
    Command,
    Ignore,
    Obey,
    Rerun,
    ReviewPull,
    ShowRefuted,
    Trigger,
    Who,
)
from reviewbot.hosts.event import event_of, trigger

EVENTS = Path(__file__).parent.parent / "data" / "github" / "events"
EXAMPLES = {path.name.removesuffix(".json"): path.read_bytes() for path in sorted(EVENTS.glob("*.json"))}
REPO, HEAD = "Codertocat/Hello-World", "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
SLUG = "reviewbot-app"


def example(name: str, **changes: Any) -> dict[str, Any]:
    """An official payload; a change names its field with "__" for each dot."""
    payload: dict[str, Any] = json.loads(EXAMPLES[name])
    for place, value in changes.items():
        *parents, last = place.split("__")
        at = payload
        for parent in parents:
            at = at.setdefault(parent, {})
        at[last] = value
    return payload


def asked(name: str, **changes: Any) -> Trigger:
    payload = json.dumps(example(name, **changes)).encode()
    return trigger(name.partition(".")[0], payload, name="bot", slug=SLUG)


def comment(body: str, **changes: Any) -> Trigger:
    """A comment on pull request 1."""
    changes.setdefault("issue__pull_request", {"url": ""})
    return asked("issue_comment.created", comment__body=body, **changes)


def why(found: Trigger) -> str:
    assert isinstance(found, Ignore)
    return found.why


# --- pull requests ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("opened", "opened"),
        ("synchronize", "new commits"),
        ("reopened", "reopened"),
        ("ready_for_review", "ready for review"),
    ],
)
@pytest.mark.parametrize("event", ["pull_request", "pull_request_target"])
def test_a_pull_request_is_reviewed(event: str, action: str, words: str) -> None:
    payload = example(f"pull_request.{action}", pull_request__draft=False)
    head = payload["pull_request"]["head"]["sha"]
    found = trigger(event, payload, name="bot", slug=SLUG)
    assert found == ReviewPull(payload["repository"]["full_name"], payload["number"], words, head=head)


def test_an_edit_counts_where_the_base_has_changed() -> None:
    edited = {"action": "edited", "changes": {"base": {"ref": {"from": "old"}, "sha": {"from": HEAD}}}}
    found = asked("pull_request.opened", pull_request__draft=False, **edited)
    assert isinstance(found, ReviewPull)
    assert found.why == "another base branch"
    for changes in ({"title": {"from": "old"}}, {}, None):
        assert "words" in why(asked("pull_request.opened", action="edited", changes=changes))


@pytest.mark.parametrize("action", ["opened", "synchronize", "reopened"])
def test_a_draft_passes_since_the_configuration_decides(action: str) -> None:
    assert isinstance(asked(f"pull_request.{action}", pull_request__draft=True), ReviewPull)


def test_what_ends_a_review_that_runs() -> None:
    closed, draft = asked("pull_request.closed"), asked("pull_request.converted_to_draft")
    assert isinstance(closed, Cancel)
    assert isinstance(draft, Cancel)
    assert closed.why == "the pull request was closed"


def test_what_happens_on_a_closed_pull_request_is_no_reason() -> None:
    assert "closed" in why(asked("pull_request.synchronize", pull_request__state="closed"))


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("pull_request", {"action": "labeled"}),
        ("pull_request", {"action": "invented"}),
        ("check_run", {"action": "created"}),
        ("check_suite", {"action": "requested"}),
        ("issue_comment", {"action": "edited"}),
        ("issue_comment", {"action": "deleted"}),
        ("pull_request_review_comment", {"action": "edited"}),
        ("ping", {"zen": "Keep it logically awesome."}),
        ("installation", {"action": "created"}),
        ("invented", {"action": "created"}),
        ("pull_request", {}),
    ],
)
def test_what_asks_for_nothing_is_ignored_unread(event: str, payload: dict[str, Any]) -> None:
    assert why(trigger(event, payload, name="bot", slug=SLUG))


# --- comments -----------------------------------------------------------------------------


def test_a_comment_asks_for_a_review() -> None:
    by = Asked(492700400, "issue", Who("Codertocat"), "2019-05-15T15:20:21Z", is_author_of_pull=True, more=1)
    assert comment("@bot review full src/\n@bot help") == ReviewPull(
        REPO, 1, "asked for by Codertocat", full=True, paths=("src/",), comment=by
    )


def test_a_comment_in_a_thread_names_the_thread_and_the_head() -> None:
    name = "pull_request_review_comment.created"
    head = json.loads(EXAMPLES[name])["pull_request"]["head"]["sha"]
    for reply, began in ((None, 284312630), (77, 77)):
        changes = {} if reply is None else {"comment__in_reply_to_id": reply}
        found = asked(name, comment__body="@bot dismiss it is meant so", **changes)
        assert isinstance(found, Obey)
        assert found.command == Command("dismiss", "", "it is meant so")
        assert (found.asked.kind, found.asked.thread, found.asked.head) == ("review", began, head)
        assert found.asked.is_author_of_pull


def test_who_did_not_open_the_pull_request_is_not_its_author() -> None:
    for user in ({"login": "somebody"}, None):
        found = comment("@bot pause", issue__user=user)
        assert isinstance(found, Obey)
        assert not found.asked.is_author_of_pull


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"sender__type": "Bot"}, "program"),
        ({"comment__user__type": "Bot"}, "program"),
        ({"sender__login": f"{SLUG}[bot]"}, "program"),
        ({"comment__user__login": f"{SLUG.upper()}[bot]"}, "program"),
        ({"comment__performed_via_github_app": {"slug": SLUG}}, "own App"),
        ({"comment__body": '@bot review\n\n<!-- reviewbot:1 {"kind":"reply"} -->'}, "mark"),
        ({"comment__body": "> @bot review"}, "no command"),
        ({"comment__body": "```\n@bot review\n```"}, "no command"),
        ({"comment__body": "foo@bot review"}, "no command"),
        ({"comment__body": "@bot-other review"}, "no command"),
        ({"comment__user": None}, "gone"),
        ({"sender": None}, "gone"),
        ({"issue__pull_request": None}, "issue"),
        ({"action": "edited"}, "edited"),
        ({"action": "deleted"}, "deleted"),
    ],
)
def test_no_loop_and_no_comment_that_is_not_meant_for_us(changes: dict[str, Any], word: str) -> None:
    assert isinstance(comment("@bot review"), ReviewPull)
    body = changes.pop("comment__body", "@bot review")
    assert word in why(comment(body, **changes))


def test_a_person_may_write_through_another_app() -> None:
    for app in ({"slug": "a-client"}, {"id": 7}, None):
        assert isinstance(comment("@bot review", comment__performed_via_github_app=app), ReviewPull)


# --- checks -------------------------------------------------------------------------------


def button(identifier: str, **changes: Any) -> Trigger:
    changes = {"check_run__app": {"slug": SLUG}, "check_run__name": "reviewbot"} | changes
    return asked(
        "check_run.requested_action",
        action="requested_action",
        requested_action={"identifier": identifier},
        repository__full_name="acme/launcher",
        **changes,
    )


def test_the_buttons_of_a_check_run() -> None:
    own = {
        "check_run__external_id": f"acme/launcher#7@{HEAD}",
        "check_run__head_sha": HEAD,
        "check_run__id": 5,
    }
    assert button("rerun", **own) == Rerun("acme/launcher", 7, HEAD)
    assert button("refuted", **own) == ShowRefuted("acme/launcher", 7, HEAD, 5)
    assert "`lgtm" in why(button("lgtm|26764", **own))


def test_a_check_of_another_app_is_not_run_again() -> None:
    assert "another App" in why(button("rerun", check_run__app={"slug": "somebody-else"}))
    assert isinstance(button("rerun", check_run__app={"id": 2}), Rerun)
    assert "ourselves" in why(button("rerun", sender={"login": f"{SLUG}[bot]"}))


def test_another_check_of_the_same_app_is_not_ours() -> None:
    """All jobs on GitHub Actions are of one App."""
    assert "another one" in why(button("rerun", check_run__name="tests"))


@pytest.mark.parametrize("name", ["check_run.rerequested", "check_suite.rerequested"])
def test_without_an_app_no_check_is_ours(name: str) -> None:
    """With a person's token every App's check was."""
    kind = name.partition(".")[0]
    payload = example(name, **{f"{kind}__name": "reviewbot"})
    assert "we are none" in why(trigger(kind, payload, name="bot", slug=""))


@pytest.mark.parametrize("name", ["check_run.rerequested", "check_suite.rerequested"])
def test_a_check_of_a_fork_lists_no_pull_request(name: str) -> None:
    kind = name.partition(".")[0]
    own = {
        **{"repository__full_name": "acme/launcher", "repository__id": 1},
        **{f"{kind}__app": {"slug": SLUG}, f"{kind}__head_sha": HEAD, f"{kind}__name": "reviewbot"},
    }
    pull = {"number": 7, "base": {"repo": {"id": 1}}}
    other = {"number": 9, "base": {"repo": {"id": 2}}}

    def number(pulls: list[Any], noted: str = "") -> int | None:
        found = asked(name, **own, **{f"{kind}__pull_requests": pulls, f"{kind}__external_id": noted})
        assert isinstance(found, Rerun)
        return found.number

    assert number([]) is None
    assert number([other, pull]) == 7
    assert number([pull, {**pull, "number": 8}]) is None
    if kind == "check_run":
        assert number([], f"acme/launcher#35@{HEAD}") == 35
        assert number([pull], f"acme/launcher#35@{HEAD}") == 35
        assert number([pull], "another form") == 7
        assert number([pull], f"acme/before#35@{HEAD}") == 7  # a repository that was renamed
        assert number([], f"acme/another#35@{HEAD}") is None
        assert number([pull], f"acme/launcher#35@{'0' * 40}") == 7


# --- bad input ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (b"{", "event.json is no JSON: Expecting property name"),
        (b"\xff", "event.json is no JSON: 'utf-8' codec"),
        (b"[" * 100_000, "event.json is no JSON: nested too deeply"),
        (b'{"a":' + b"9" * 5000 + b"}", "event.json is no JSON: Exceeds the limit"),
        (b"[]", "event.json holds no object"),
    ],
)
def test_what_is_no_payload_is_named(payload: bytes, said: str) -> None:
    with pytest.raises(UsageError) as error:
        trigger("pull_request", payload, name="bot", slug=SLUG, file="event.json")
    assert str(error.value).startswith(said)
    assert error.value.exit_code == 2


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"action": 7}, "`action` is something else"),
        ({"pull_request": None}, "`pull_request` is missing"),
        ({"pull_request": []}, "`pull_request` is something else"),
        ({"pull_request__number": True}, "`pull_request.number` is something else"),
        ({"pull_request__number": 0}, "`pull_request.number` is something else"),
        ({"pull_request__head__sha": "main"}, "`pull_request.head.sha` is something else"),
        ({"repository__full_name": "a/b/../c"}, "`repository.full_name` is something else"),
        ({"repository__full_name": "acme/.."}, "`repository.full_name` is something else"),
        ({"repository": None}, "`repository` is missing"),
    ],
)
def test_a_field_of_another_form_is_named_with_its_file(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as error:
        asked("pull_request.opened", **changes)
    assert f"the payload: {said}" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_the_keys_of_a_payload_tell_its_event(name: str) -> None:
    event = name.partition(".")[0]
    if event == "installation":
        with pytest.raises(UsageError, match="do not tell which event"):
            event_of(EXAMPLES[name])
    else:
        assert event_of(EXAMPLES[name]) == event


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from places(value[index], (*path, index))


READ = {"action", "number", "sha", "head_sha", "full_name", "login", "type", "body", "id", "state", "draft",
        "user", "head", "base", "repo", "sender", "comment", "issue", "pull_request", "check_run", "app",
        "check_suite", "pull_requests", "external_id", "requested_action", "identifier", "repository", "slug",
        "created_at", "performed_via_github_app", "in_reply_to_id", "changes"}  # fmt: skip
PLACES = {
    name: [p for p in places(json.loads(data)) if p and (p[-1] in READ or isinstance(p[-1], int))]
    for name, data in EXAMPLES.items()
}
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just("@bot dismiss \ud800"),
    st.just([]), st.just({}), st.just([1]), st.just({"number": 1}), st.just(10**30), st.just("@bot review"),
)  # fmt: skip


@settings(max_examples=300)
@given(st.data())
def test_no_payload_raises_anything_but_a_usage_error(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(EXAMPLES)))
    payload = copy.deepcopy(example(name))
    if name.startswith("issue_comment"):
        payload["issue"]["pull_request"] = {}
    if "comment" in payload:
        payload["comment"]["body"] = "@bot review"
    for place in data.draw(st.lists(st.sampled_from(PLACES[name]), max_size=3)):
        at: Any = payload
        for key in place[:-1]:
            at = at[key] if isinstance(at, dict) and key in at else {}
        if isinstance(at, dict):
            at[place[-1]] = data.draw(VALUES)
    event = data.draw(st.sampled_from([name.partition(".")[0], "pull_request", "issue_comment", "check_run"]))
    with suppress(UsageError):
        trigger(event, payload, name="bot", slug=SLUG)
