"""What an event of GitHub asks for. hosts/event.py reads it out of a payload."""

from __future__ import annotations

from typing import NamedTuple

from reviewbot.core.types.pull import Who


class Command(NamedTuple):
    """One line by which somebody asks for something; core/mention.py reads it."""

    verb: str  # review | explain | dismiss | pause | resume | config | help | unknown
    # explain, dismiss: the finding: six or more of its hex digits, or `path:line`; "": none is named.
    # review: "full" or "". unknown: the word that is none of the verbs.
    argument: str = ""
    text: str = ""  # the rest of the line: of dismiss, the reason
    paths: tuple[str, ...] = ()  # review: paths and globs as written; empty: all


class Asked(NamedTuple):
    """The comment that holds a command, and whose it is."""

    comment_id: int
    kind: str  # "issue": below the description | "review": on a line or a file
    author: Who
    created: str  # ISO 8601 in UTC
    thread: int | None = None  # id of the comment that began its thread, perhaps its own; None: kind "issue"
    head: str = ""  # of the pull request when it was written; "": the event does not say
    is_author_of_pull: bool = False
    more: int = 0  # further commands in the same comment: only the first one is obeyed


class ReviewPull(NamedTuple):
    """`full`: also where an equal review stands already."""

    repo: str  # owner/name
    number: int
    why: str  # for people: "opened", "new commits"
    full: bool = False
    paths: tuple[str, ...] = ()
    head: str = ""  # "": the event does not name it
    comment: Asked | None = None  # None: nobody asked, so drafts and pauses count


class Obey(NamedTuple):
    """Any command but a review."""

    repo: str
    number: int
    command: Command
    asked: Asked


class Rerun(NamedTuple):
    """Somebody pressed "re-run" on a check run or on its suite."""

    repo: str
    number: int | None  # None: every open pull request with this head; a fork's suite names none
    head: str


class ShowRefuted(NamedTuple):
    """Somebody pressed the button for it on the check run `check`."""

    repo: str
    number: int | None  # as in Rerun
    head: str
    check: int


class Cancel(NamedTuple):
    """A review that runs is of no use any more."""

    repo: str
    number: int
    why: str


class Ignore(NamedTuple):
    why: str


Trigger = ReviewPull | Obey | Rerun | ShowRefuted | Cancel | Ignore
