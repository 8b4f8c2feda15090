"""What is sent to GitHub, as values: a dry run prints what a real run sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Request(NamedTuple):
    """One write. `path` is below the API's root: `/repos/acme/launcher/issues/7/comments`, `/graphql`."""

    method: str  # POST | PATCH
    path: str
    body: Mapping[str, Any]  # JSON values
    # Words of the body by which what it made is found again where the answer was lost; "": it may be
    # sent twice without harm.
    marker: str = ""


class Reply(NamedTuple):
    """What became of a request. `status` is HTTP's; 0: no answer, and looked for in vain."""

    status: int
    data: Mapping[str, Any]  # GitHub's answer: of what was made
    why: str = ""  # where it was not done: one line for people, without a token
    later: bool = False  # GitHub's limits alone are in the way

    def refused(self, *statuses: int) -> bool:
        """Whether GitHub refused it with one of these, and would the next time too."""
        return self.status in statuses and not self.later

    @property
    def done(self) -> bool:
        return 200 <= self.status < 300


class Stamp(NamedTuple):
    """What a review is of. Two reviews with equal stamps say the same."""

    head: str
    base: str  # the merge base
    skills: str  # hash of the skills that take part
    config: str  # hash of the configuration at base and of the options that change what is found
