"""The payload of an event → what it asks for.

Only the fields that are used are read, and these are held to their form: they go into the paths of
requests. What is new to us is ignored with its reason, since GitHub adds events and actions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.core.mention import parse
from reviewbot.core.publish import marker
from reviewbot.core.publish.checkrun import NAME, REFUTED, RERUN
from reviewbot.core.types import (
    Asked,
    Cancel,
    Ignore,
    Obey,
    Rerun,
    ReviewPull,
    ShowRefuted,
    Trigger,
    Who,
)
from reviewbot.hosts.payload import Fields, fields_of

_REPO = re.compile(r"[A-Za-z0-9_-]+/(?!\.{1,2}$)[A-Za-z0-9_.-]+")
_LOGIN = re.compile(r"[A-Za-z0-9_-]+(?:\[bot\])?")
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(?:[.][0-9]+)?Z")
_EXTERNAL_ID = re.compile(r"([^#]+)#([0-9]{1,9})@([0-9a-f]{40,64})")

_REVIEWED = {
    "opened": "opened",
    "synchronize": "new commits",
    "reopened": "reopened",
    "ready_for_review": "ready for review",
    "edited": "another base branch",
}
# Which key of a payload tells its event. A comment's payload also holds the pull request.
_TOLD_BY = (
    ("check_run", ("check_run",)),
    ("check_suite", ("check_suite",)),
    ("issue_comment", ("comment", "issue")),
    ("pull_request_review_comment", ("comment", "pull_request")),
    ("pull_request_review", ("review", "pull_request")),
    ("pull_request", ("pull_request",)),
    ("ping", ("zen",)),
)


class _Terms(NamedTuple):
    name: str
    slug: str


def trigger(
    event: str,
    payload: bytes | Mapping[str, Any],
    *,
    name: str,
    slug: str,
    file: str = "the payload",
) -> Trigger:
    """What the payload (JSON, or what was read from it) of `event` asks for.

    `name` is what commands are addressed to, `slug` that of our App ("": there is none). Drafts pass: the
    configuration decides, and is not known yet. `file` names the payload in errors. Raises UsageError: no
    JSON, or a field that is not as GitHub writes it.
    """
    read = _READERS.get(event)
    fields = fields_of(payload, file)
    if read is None:
        return Ignore(f"the event `{event[:60]}` asks for nothing")
    if fields.values.get("action") is None:
        return Ignore(f"the event `{event}` names no action")
    return read(fields, _Terms(name, slug.lower()))


def event_of(payload: bytes | Mapping[str, Any], file: str = "the payload") -> str:
    """The event that a payload without headers is of. Raises UsageError where its keys do not tell."""
    fields = fields_of(payload, file)
    for event, keys in _TOLD_BY:
        if all(fields.values.get(key) is not None for key in keys):
            return event
    raise UsageError(
        f"{file}: its keys do not tell which event it is", "give the payload of a webhook or an Action"
    )


def _pull_request(fields: Fields, terms: _Terms) -> Trigger:
    action = fields.text("action")
    if action not in _REVIEWED and action not in ("closed", "converted_to_draft"):
        return Ignore(f"`{action[:60]}` changes nothing that is reviewed")
    if action == "edited" and not _base_changed(fields):
        return Ignore("only the words of the pull request were edited")
    pull = fields.object("pull_request")
    repo, number = _repo(fields), pull.number("number")
    if action == "closed":
        return Cancel(repo, number, "the pull request was closed")
    if action == "converted_to_draft":
        return Cancel(repo, number, "the pull request became a draft")
    if pull.text("state") != "open":
        return Ignore("the pull request is closed")
    return ReviewPull(repo, number, _REVIEWED[action], head=pull.object("head").text("sha", _SHA))


def _base_changed(fields: Fields) -> bool:
    changes = fields.inner("changes")
    return changes is not None and changes.inner("base") is not None


def _issue_comment(fields: Fields, terms: _Terms) -> Trigger:
    if why := _unheard(fields, terms):
        return Ignore(why)
    issue = fields.object("issue")
    if issue.inner("pull_request") is None:
        return Ignore("the comment is on an issue, not on a pull request")
    return _said(fields, terms, issue, "issue")


def _review_comment(fields: Fields, terms: _Terms) -> Trigger:
    if why := _unheard(fields, terms):
        return Ignore(why)
    return _said(fields, terms, fields.object("pull_request"), "review")


def _unheard(fields: Fields, terms: _Terms) -> str:
    """Why a comment is not read; "": it is. This is what no loop gets through."""
    action = fields.text("action")
    if action != "created":
        return f"a comment that was {action[:60]} asks for nothing"
    comment = fields.object("comment")
    author, sender = comment.inner("user"), fields.inner("sender")
    if author is None or sender is None:
        return "the account that wrote the comment is gone"
    for person in (author, sender):
        if person.text("type") == "Bot" or person.text("login").lower() == f"{terms.slug}[bot]":
            return "a program wrote the comment"
    app = comment.inner("performed_via_github_app")
    if app is not None and terms.slug and _slug(app) == terms.slug:
        return "the comment was written through our own App"
    if marker.PREFIX in comment.text("body"):
        return "the comment holds a mark of our own comments"
    return ""


def _said(fields: Fields, terms: _Terms, pull: Fields, kind: str) -> Trigger:
    comment = fields.object("comment")
    commands = parse(comment.text("body"), terms.name)
    if not commands:
        return Ignore("the comment holds no command to us")
    command, repo, number = commands[0], _repo(fields), pull.number("number")
    asked = _asked(comment, pull, kind)._replace(more=len(commands) - 1)
    if command.verb != "review":
        return Obey(repo, number, command, asked)
    full = command.argument == "full"
    why = f"asked for by {asked.author.login}"
    return ReviewPull(repo, number, why, full, command.paths, asked.head, asked)


def _asked(comment: Fields, pull: Fields, kind: str) -> Asked:
    author, owner = comment.object("user"), pull.inner("user")
    who = author.text("login", _LOGIN)
    number, thread, head = comment.number("id"), None, ""
    if kind == "review":
        replied = comment.values.get("in_reply_to_id") is not None
        thread = comment.number("in_reply_to_id") if replied else number
        head = pull.object("head").text("sha", _SHA)
    return Asked(
        number,
        kind,
        Who(who.removesuffix("[bot]"), bot=who.endswith("[bot]")),
        comment.text("created_at", _TIME),
        thread,
        head,
        is_author_of_pull=owner is not None and owner.text("login").lower() == who.lower(),
    )


def _check_run(fields: Fields, terms: _Terms) -> Trigger:
    action = fields.text("action")
    if action not in ("rerequested", "requested_action"):
        return Ignore(f"a check run that was {action[:60]} asks for nothing")
    run = fields.object("check_run")
    if why := _foreign(fields, run, terms):
        return Ignore(why)
    if run.text("name") != NAME:  # all jobs on GitHub Actions are of one App
        return Ignore("the check is another one of the same App")
    repo, head = _repo(fields), run.text("head_sha", _SHA)
    number = _recorded(run, repo, head) or _listed(fields, run)
    if action == "rerequested":
        return Rerun(repo, number, head)
    pressed = fields.object("requested_action").text("identifier")
    if pressed == RERUN["identifier"]:
        return Rerun(repo, number, head)
    if pressed == REFUTED["identifier"]:
        return ShowRefuted(repo, number, head, run.number("id"))
    return Ignore(f"no button of ours is called `{pressed[:60]}`")


def _check_suite(fields: Fields, terms: _Terms) -> Trigger:
    action = fields.text("action")
    if action != "rerequested":  # `requested` comes with every push, beside `synchronize`
        return Ignore(f"a check suite that was {action[:60]} asks for nothing")
    suite = fields.object("check_suite")
    if why := _foreign(fields, suite, terms):
        return Ignore(why)
    return Rerun(_repo(fields), _listed(fields, suite), suite.text("head_sha", _SHA))


def _foreign(fields: Fields, check: Fields, terms: _Terms) -> str:
    """Why a check is not ours to run again; "": it is, or GitHub does not say whose it is."""
    if not terms.slug:
        return "the check is an App's, and we are none"
    app, sender = check.inner("app"), fields.inner("sender")
    if app is not None and _slug(app) not in ("", terms.slug):
        return "the check is another App's"
    if sender is not None and sender.text("login").lower() == f"{terms.slug}[bot]":
        return "we asked for it ourselves"
    return ""


def _slug(app: Fields) -> str:
    """ "": old servers do not send it."""
    return app.text("slug").lower() if app.values.get("slug") is not None else ""


def _recorded(run: Fields, repo: str, head: str) -> int | None:
    """The pull request that we noted on the check run as `owner/repo#7@sha`: a fork's lists none. None where
    the note is of another head or repository, which can be this one's name of before."""
    noted = _EXTERNAL_ID.fullmatch(run.text("external_id")) if run.values.get("external_id") else None
    if noted is None or (noted[1], noted[3]) != (repo, head):
        return None
    return int(noted[2]) or None


def _listed(fields: Fields, check: Fields) -> int | None:
    """The one pull request of this repository that a check lists; None: none or several."""
    pulls = check.values.get("pull_requests") or []
    if not isinstance(pulls, list) or not all(isinstance(pull, Mapping) for pull in pulls):
        raise check.wrong("pull_requests", "a list of objects")
    home = fields.object("repository").number("id")
    listed = [Fields(pull, check.file, f"{check.path}pull_requests[{n}].") for n, pull in enumerate(pulls)]
    own = [pull for pull in listed if pull.object("base").object("repo").number("id") == home]
    return own[0].number("number") if len(own) == 1 else None


def _repo(fields: Fields) -> str:
    return fields.object("repository").text("full_name", _REPO)


_READERS: Mapping[str, Callable[[Fields, _Terms], Trigger]] = {
    "pull_request": _pull_request,
    "pull_request_target": _pull_request,
    "issue_comment": _issue_comment,
    "pull_request_review_comment": _review_comment,
    "check_run": _check_run,
    "check_suite": _check_suite,
}

ASKING = frozenset(_READERS)  # the events that can ask for something
