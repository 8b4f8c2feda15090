"""Objects of a repository on GitHub, by their names, over smart HTTP.

The token is in the environment of the git that fetches, for that one server: not in an argument, not
in a file, not in an error. No redirect is followed, since git would take the header along.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Sequence
from urllib.parse import urlsplit

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import path_text, size_text
from reviewbot.hosts.fetch import QUIETLY, remote_git
from reviewbot.hosts.git import Git
from reviewbot.hosts.running import Bounds, run

BOUNDS = Bounds(seconds=600, memory=4 << 30, file=4_000_000_000)
TIPS = 50  # commits that the server is told of
PROTOCOL = "2"  # the one in which a server gives any object by its id

_NO_ACCESS = re.compile(
    r"returned error: 40[134]\b|Authentication failed|could not read (Username|Password)"
    r"|[Rr]epository (.* )?not found"
)
_UNKNOWN = re.compile(r"not our ref|n't find remote ref|no such remote ref|bad object")
_BY_ID = "request for unadvertised object"
_FAR = re.compile(
    r"unable to access|RPC failed|early EOF|hung up|disconnect|resolve host|timed out|Connection|redirect"
    r"|protocol error|remote error"
)
# Of an index-pack that is ended because its file is too large, no more is said than the last of these.
_TOO_LARGE = re.compile(
    r"File too large|[Oo]ut of memory|mmap failed|^fatal: fetch-pack: invalid index-pack output\n$"
)


class Unfetched(UsageError):
    """What was asked for did not come; what is here is not to blame."""


class NoAccess(Unfetched):
    """The server refuses the token, or hides the repository from it."""


class NotReached(Unfetched):
    """Git does not get through, or not within its bounds: another way may. What it says is posted, so it
    names no folder of this machine."""


class Gone(Unfetched):
    """The repository does not have it."""


class ByIdRefused(NotReached):
    """The server gives only what its branches name."""


class Remote:
    """The repository at `url`, fetched from into the bare repository at `folder`."""

    def __init__(self, url: str, token: str, folder: str, bounds: Bounds = BOUNDS) -> None:
        """Without a `token` it is asked as nobody."""
        self.url = url
        self._bounds = bounds
        self._secrets = [token, _basic(token)] if token else []
        self._git = _speaking(url, token, folder)

    def commits(self, names: Sequence[str]) -> None:
        """Fetch commits (ids or names of refs) and their trees, without files and without history. Of the
        trees only what those of the commits that are here lack."""
        tips = [f"--negotiation-tip={commit}" for commit in self._here()]
        git = self._git.configured({"fetch.negotiationAlgorithm": "consecutive"}) if tips else self._git
        self._fetch(git, names, "--depth=1", "--filter=blob:none", *tips)

    def _here(self) -> list[str]:
        """The ids of commits without history, some of them."""
        try:
            with open(os.path.join(self._git.folder, "shallow"), encoding="ascii") as file:
                return file.read(41 * TIPS).split()[:TIPS]
        except FileNotFoundError:
            return []

    def files(self, ids: Sequence[str]) -> None:
        """Fetch blobs by their ids, all at once."""
        self._fetch(self._git, ids, "--filter=blob:none")

    def whole(self, commits: Sequence[str]) -> None:
        """Fetch commits with all their files, for a server that gives no file by its id."""
        self._fetch(self._git, commits, "--depth=1", "--no-filter")

    def _fetch(self, git: Git, names: Sequence[str], *options: str) -> None:
        """Raises Unfetched where the server is the reason, UsageError where git on this side is."""
        args = ("fetch", *QUIETLY, *options, "--stdin", "origin")
        request = "".join(f"{name}\n" for name in names).encode("ascii")
        try:
            code, _, said = run(git.folder, git.environment, args, request, self._bounds)
        except TimeoutError as error:
            raise NotReached(f"{self.url} took longer than {self._bounds.seconds:g} s") from error
        if code:
            raise self._failed(path_text(said))

    def _failed(self, said: str) -> UsageError:
        for secret in self._secrets:
            said = said.replace(secret, "…")
        said = placeless(said, self._git.folder)
        lines = [line.removeprefix("fatal: ") for line in said.splitlines() if line.strip()]
        why = next((line for line in lines if _FAR.search(line)), lines[-1] if lines else "git says nothing")
        if _NO_ACCESS.search(said):
            return NoAccess(f"no access to {self.url}", "see that the token may read the contents of it")
        if _BY_ID in said:
            return ByIdRefused(f"{self.url} gives no object by its id")
        if _UNKNOWN.search(said):
            return Gone(f"{self.url} lacks what was asked for: {why}")
        if _TOO_LARGE.search(said):
            return NotReached(f"what {self.url} sends is more than {size_text(self._bounds.file)}")
        if _FAR.search(said):
            return NotReached(f"cannot fetch from {self.url}: {why}")
        return UsageError(f"git fetch from {self.url} failed: {why}")


def placeless(said: str, folder: str) -> str:
    """Git's words without the place of the folder on this machine."""
    return said.replace(os.path.realpath(folder), "…").replace(folder, "…")


def _speaking(url: str, token: str, folder: str) -> Git:
    parts = urlsplit(url)
    config = {
        "fetch.negotiationAlgorithm": "noop",  # without history there is nothing to negotiate about
        "fetch.unpackLimit": "1",  # a pack is there as a whole or not at all
        "http.followRedirects": "false",
        "protocol.version": PROTOCOL,
        # Said here alone: for a git that only reads, what is not here is missing, and no reason to fetch.
        "remote.origin.partialclonefilter": "blob:none",
        "remote.origin.promisor": "true",
        "remote.origin.url": url,
    }
    if token:
        config[f"http.{parts.scheme}://{parts.netloc}/.extraHeader"] = f"Authorization: Basic {_basic(token)}"
    return remote_git(folder, parts.scheme).configured(config)


def _basic(token: str) -> str:
    return b64encode(f"x-access-token:{token}".encode()).decode("ascii")
