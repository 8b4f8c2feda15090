"""Git as a child process: the only place that starts it.

A repository is found with the user's own configuration, so that `safe.directory` means what it
means for git. From then on git is told where the repository is and hears no configuration but
the repository's own, of which everything that starts a program or changes a form is overridden:
a stranger's repository may bring its own `.git/config`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from reviewbot.core.errors import UsageError
from reviewbot.core.paths import path_text
from reviewbot.hosts.running import Blob, Found, Running, failed, run, start

OLDEST = (2, 32)  # the first that obeys GIT_CONFIG_GLOBAL
HOPS = 40  # links that git follows in one path

# What points git at another repository, as `git rev-parse --local-env-vars` lists it.
POINTERS = {
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
}
KEPT = ("PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR")
CLEAN = {
    "GIT_ALLOW_PROTOCOL": "",  # no lazy fetch in a partial clone: its transport may be any program
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
CONFIG = {
    "core.attributesFile": os.devnull,
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.ignoreStat": "false",  # or what is put into an index counts as unchanged for ever
    "core.quotePath": "false",
    "core.safecrlf": "false",
    "core.splitIndex": "false",
    "diff.suppressBlankEmpty": "false",
}


def own_environment() -> dict[str, str]:
    """The user's environment, for what the user's configuration decides."""
    return {key: value for key, value in os.environ.items() if key not in POINTERS} | {"LC_ALL": "C"}


@dataclass(frozen=True)
class Git:
    """Git on one repository. Methods raise UsageError where git fails."""

    folder: str  # where it runs: the top of the work tree, or the git directory where there is none
    has_work_tree: bool
    shallow: bool
    environment: Mapping[str, str]

    @classmethod
    def open(cls, cwd: str) -> Git:
        """Git on the repository around `cwd`."""
        own = own_environment()
        _check_version(run(cwd, own, ("version",))[1])
        code, out, said = run(cwd, own, ("rev-parse", "--is-shallow-repository", "--absolute-git-dir"))
        if code:
            raise _not_opened(cwd, said)
        shallow, directory = os.fsdecode(out).removesuffix("\n").split("\n", 1)
        environment = {key: os.environ[key] for key in KEPT if key in os.environ}
        environment |= CLEAN | {"GIT_DIR": directory}
        code, out, _ = run(cwd, own, ("rev-parse", "--show-toplevel"))
        folder = directory if code else os.fsdecode(out).removesuffix("\n")
        if not code:
            environment["GIT_WORK_TREE"] = folder
        return cls(folder, not code, shallow == "true", environment).configured(CONFIG)

    def configured(self, config: Mapping[str, str]) -> Git:
        """The same with more configuration, stronger than the repository's own."""
        count = int(self.environment.get("GIT_CONFIG_COUNT", "0"))
        more = {"GIT_CONFIG_COUNT": str(count + len(config))}
        for number, (key, value) in enumerate(config.items(), count):
            more |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return self.told(more)

    def with_callers_index(self) -> Git:
        """The same on the index that the environment names: `git commit -a` and `git commit FILE` let
        their hooks see one of their own. Raises UsageError for one that is another repository's."""
        name = os.environ.get("GIT_INDEX_FILE")
        if not name:
            return self
        index = os.path.realpath(os.path.join(self.folder, name))  # git, too, starts at the top
        if not index.startswith(os.path.join(os.path.realpath(self.environment["GIT_DIR"]), "")):
            message = f"GIT_INDEX_FILE={name} is not in the git directory of {self.folder}"
            raise UsageError(message, "unset it to review the index of the repository")
        return self.told({"GIT_INDEX_FILE": index})

    def without_index(self) -> Git:
        """The same for commits alone: with an index, a diff takes what looks unchanged from the work tree."""
        return self.told({"GIT_INDEX_FILE": os.path.join(self.environment["GIT_DIR"], "no-index")})

    def told(self, environment: Mapping[str, str]) -> Git:
        """The same with more environment variables."""
        return replace(self, environment={**self.environment, **environment})

    def ask(self, *args: str, stdin: bytes = b"") -> bytes:
        """What git answers."""
        code, out, said = run(self.folder, self.environment, args, stdin)
        if code:
            raise failed(args, said)
        return out

    def attempt(self, *args: str) -> bytes | None:
        """What git answers, or None where its answer is no."""
        code, out, _ = run(self.folder, self.environment, args)
        return None if code else out

    @contextmanager
    def stream(self, *args: str, stdin: bytes = b"") -> Iterator[Running]:
        """A git whose output is read as it comes; it is killed if the block ends early."""
        running = Running(start(self.folder, self.environment, args), args, stdin)
        try:
            yield running
            running.finish()
        finally:
            running.kill()

    def blobs(self, names: Sequence[bytes], cap: int) -> Iterator[Blob | None]:
        """For each object name, in order: the blob with its first `cap` bytes, or None where there
        is none. One process for all of them."""
        if not names:
            return
        request = b"".join(name + b"\n" for name in names)
        with self.stream("cat-file", "--batch", "--buffer", stdin=request) as running:
            for _ in names:
                yield running.blob(cap)

    def found(self, names: Sequence[bytes], cap: int, *, contents: bool = True) -> Iterator[Found]:
        """What each name stands for behind the links of its tree, with the first `cap` bytes. No name
        may hold a line end. One process for all of them."""
        if not names:
            return
        batch = "--batch" if contents else "--batch-check"
        request = b"".join(name + b"\n" for name in names)
        with self.stream("cat-file", batch, "--follow-symlinks", "--buffer", stdin=request) as running:
            for _ in names:
                yield running.found(cap, contents=contents)

    def complete(self, commit: str) -> None:
        """Have every file of a commit here, for what git reads by itself. A repository on this machine has
        what it has; a clone that fetches when it is asked overrides this. Raises UsageError."""


def _check_version(out: bytes) -> None:
    version = re.match(rb"git version (\d+)\.(\d+)", out)
    if not version or (int(version[1]), int(version[2])) < OLDEST:
        found = path_text(out).strip() or "this git"
        raise UsageError(f"{found} is too old", f"git {OLDEST[0]}.{OLDEST[1]} or newer is needed")


def _not_opened(cwd: str, said: bytes) -> UsageError:
    text = path_text(said)
    if owned := re.search(r"(?:dubious ownership in|unsafe) repository (?:at )?\(?'(.*?)'", text):
        place = owned[1]
        return UsageError(
            f"the repository at {place} belongs to another user",
            f"if you trust it: git config --global --add safe.directory {place}",
        )
    if "not a git repository" in text:
        return UsageError(f"{cwd} is not in a git repository", "go into one, or review a patch: --patch FILE")
    return failed(("rev-parse",), said)
