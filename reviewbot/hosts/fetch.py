"""One commit of somebody else's repository, read without a work tree: nothing of it is ever run.

git is told everything by this module: no configuration, credentials, hooks, filters or submodules
take part, and of protocols only the one that is asked for.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import path_text
from reviewbot.core.skill.vendored import Entry
from reviewbot.hosts.fastimport import store
from reviewbot.hosts.git import CLEAN, CONFIG, Git
from reviewbot.hosts.running import Bounds, run
from reviewbot.hosts.trees import LIMITS, Tree, check_size

# How a network is reached is a matter of the machine; libcurl reads these.
_NETWORK = (
    *("http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"),
)
_REMOTE = {
    "core.askPass": "",
    "credential.helper": "",
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "http.lowSpeedLimit": "1000",  # bytes a second …
    "http.lowSpeedTime": "30",  # … for so many seconds: a server that says no more is left
    "maintenance.auto": "false",
}


# A skill is small, and so is nearly every repository at depth 1; git needs little memory for it.
BOUNDS = Bounds(seconds=120, memory=1 << 30, file=1 << 30)


@dataclass(frozen=True)
class FetchedCommit:
    git: Git
    commit: str

    def date(self) -> str:
        """Of the commit, ISO 8601 with its zone."""
        return path_text(self.git.ask("show", "--no-patch", "--format=%cI", self.commit)).strip()

    def entries(self) -> list[Entry]:
        """Everything in its tree, in git's order. A crafted tree may hold any name, `..` too."""
        rows = self.git.ask("ls-tree", "-r", "-l", "-z", "--full-tree", self.commit).split(b"\0")[:-1]
        return [_entry(row) for row in rows]

    def contents(self, entries: Mapping[str, Entry]) -> dict[str, bytes]:
        """The files under the names given. Raises UsageError for more than a skill may hold."""
        size = 0
        for number, (path, entry) in enumerate(entries.items(), 1):
            size += entry.size
            check_size(path, number, entry.size, size)
        blobs = self.git.blobs([entry.blob.encode() for entry in entries.values()], LIMITS.file)
        return {path: blob.content for path, blob in zip(entries, blobs, strict=True) if blob}

    def diff(self, old: Tree, new: Tree) -> str:
        """How two trees differ, as `git diff` writes it; empty where they are alike."""
        options = ("-r", "-p", "--no-color", "--no-ext-diff", "--no-textconv")
        return path_text(self.git.ask("diff-tree", *options, *store(self.git, (old, new))))


def server() -> str:
    """Where repositories are fetched from, as `address` has it. Raises UsageError."""
    return address("GITHUB_SERVER_URL", "https://github.com")


def address(variable: str, default: str) -> str:
    """The address that an environment variable holds, without a slash at its end.

    Raises UsageError for anything but https; http reaches this machine only.
    """
    url, written = os.environ.get(variable) or default, f"write it as {default}, no user and no query"
    try:
        parts = urlsplit(url)
        plain = parts.hostname and parts.port != 0
    except ValueError as error:
        raise UsageError(f"{variable} is no address: {error}", written) from error
    if not plain or parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(f"{variable} is no plain address", written)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname or "")):
        raise UsageError(f"{variable}={url} is not https", "plain http is for this machine alone")
    return url.rstrip("/")


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


@contextmanager
def fetched(url: str, commit: str, bounds: Bounds = BOUNDS) -> Iterator[FetchedCommit]:
    """The commit (40 hex digits) of the repository at `url`. Raises UsageError where it is not there."""
    with tempfile.TemporaryDirectory(prefix="reviewbot-fetch-") as folder:
        git = remote_git(folder, urlsplit(url).scheme)
        git.ask("init", "--quiet", "--bare", "--template=")
        args = ("fetch", *QUIETLY, "--depth=1", url, commit)
        try:
            code, _, said = run(folder, git.environment, args, bounds=bounds)
        except TimeoutError as error:
            raise UsageError(f"{url} took longer than {bounds.seconds:g} s", "try again later") from error
        if code:
            raise _not_fetched(url, commit, path_text(said))
        if git.attempt("cat-file", "-e", f"{commit}^{{commit}}") is None:
            raise UsageError(f"{commit} in {url} is no commit", "give the id of a commit")
        yield FetchedCommit(git, commit)


QUIETLY = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")


def remote_git(folder: str, protocol: str) -> Git:
    """Git on the bare repository at `folder`, which may speak this one protocol and knows no password."""
    network = {name: os.environ[name] for name in _NETWORK if name in os.environ}
    environment = {"PATH": os.environ.get("PATH", os.defpath), **network, **CLEAN}
    environment |= {"GIT_DIR": folder, "HOME": folder, "GIT_ALLOW_PROTOCOL": protocol}  # no ~/.netrc
    git = Git(folder, has_work_tree=False, shallow=False, environment=environment)
    # A name that moved is followed to https; on this machine nothing may lead away from it.
    follow = "initial" if protocol == "https" else "false"
    return git.configured({**CONFIG, **_REMOTE, "http.followRedirects": follow})


def _not_fetched(url: str, commit: str, said: str) -> UsageError:
    lines = [line for line in said.split("\n") if line.strip()]
    why = lines[-1].removeprefix("fatal: ") if lines else "git says nothing"
    remedy = "see that the commit is pushed there, and that the repository is public"
    if re.search(r"not our ref|could not read Username|not found|Repository not found", said):
        return UsageError(f"{url} has no commit {commit}, or is not public", remedy)
    return UsageError(f"cannot fetch {commit} from {url}: {why}", remedy)


def _entry(row: bytes) -> Entry:
    facts, _, path = row.partition(b"\t")
    mode, _, blob, size = facts.decode("ascii").split()
    return Entry(path_text(path), mode, blob, int(size) if size.isdigit() else 0)
