"""What the run of a fork hands to the run that may write: which pull request it was, and nothing more.

Whoever opens a pull request can change the workflow that runs on it, and so every byte of its artifact.
It is a hint of where to look, and each of its fields is compared with what GitHub says.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from reviewbot.core.errors import UsageError
from reviewbot.hosts.output import read_input
from reviewbot.hosts.payload import Fields, fields_of

SCHEMA = "reviewbot.hand-over/1"
LARGEST = 10_000  # bytes
_FIELDS = ("schema", "repo", "number", "head")
_SCHEMA = re.compile(re.escape(SCHEMA))
_REPO = re.compile(r"[A-Za-z0-9_-]+/(?!\.{1,2}$)[A-Za-z0-9_.-]+")
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ANEW = "the run of the fork leaves it with `reviewbot action`"


class HandOver(NamedTuple):
    repo: str  # owner/name of the base repository
    number: int
    head: str  # the full id of the commit that was reviewed


def written(handed: HandOver) -> str:
    return json.dumps({"schema": SCHEMA, **handed._asdict()}) + "\n"


def read(path: str) -> HandOver:
    """Raises UsageError for a file that is not there, and for anything but what `written` gives."""
    content = read_input(path, "the hand-over", LARGEST)
    fields = fields_of(content, "the hand-over")
    if more := sorted(set(map(str, fields.values)) - set(_FIELDS)):
        raise UsageError(f"the hand-over has a field {more[0][:40]!r} that is none of its schema", _ANEW)
    fields.text("schema", _SCHEMA)
    return HandOver(fields.text("repo", _REPO), _number(fields), fields.text("head", _SHA))


def _number(fields: Fields) -> int:
    number = fields.number("number")
    if number > 999_999_999:
        raise fields.wrong("number", "the number of a pull request")
    return number
