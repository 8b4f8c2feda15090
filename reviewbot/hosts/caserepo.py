"""One throw-away repository for all cases of a run."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from reviewbot.hosts.fastimport import store
from reviewbot.hosts.git import CLEAN, CONFIG, KEPT, Git
from reviewbot.hosts.local import LocalSource
from reviewbot.hosts.trees import Tree


class CaseTrees(NamedTuple):
    label: str  # for people
    base: Tree
    head: Tree


@contextmanager
def case_repository(cases: Sequence[CaseTrees]) -> Iterator[tuple[LocalSource, ...]]:
    """A Source for each case, in their order."""
    with tempfile.TemporaryDirectory(prefix="reviewbot-cases-") as folder:
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment = {**kept, **CLEAN, "GIT_DIR": folder}
        git = Git(folder, has_work_tree=False, shallow=False, environment=environment).configured(CONFIG)
        git.ask("init", "--quiet", "--bare", "--template=")
        ids = store(git, [tree for case in cases for tree in (case.base, case.head)])
        commits = zip(cases, ids[::2], ids[1::2], strict=True)
        yield tuple(LocalSource(git, base, head, "commits", case.label) for case, base, head in commits)
