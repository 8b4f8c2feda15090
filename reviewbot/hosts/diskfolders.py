"""Folders on this disk, as the search for skills sees them.

Links are followed inside the repository, or inside the folder that somebody named. A stranger's
link to a file of this machine is a fault, and a pipe in a file's place holds nobody.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviewbot.core.skill.discovery import NOWHERE, Entry, Fault
from reviewbot.core.skill.text import MAX_BYTES
from reviewbot.hosts.worktree import IRREGULAR, read_file


@dataclass(frozen=True)
class DiskFolders:
    """A Place: folders on this disk. Paths start in `start`; what lies outside of `inside`, a real path,
    is never read."""

    start: str
    inside: str

    def entries(self, folders: Sequence[str]) -> Sequence[Mapping[str, Entry] | Fault]:
        return [self._listed(os.path.join(self.start, folder)) for folder in folders]

    def read(self, paths: Sequence[str]) -> Sequence[bytes | Fault]:
        return [self._content(os.path.join(self.start, path)) for path in paths]

    def _listed(self, path: str) -> Mapping[str, Entry] | Fault:
        if fault := self._outside(path):
            return fault
        try:
            with os.scandir(path) as listing:
                return {entry.name: self._entry(entry) for entry in listing}
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            return NOWHERE if error.errno == errno.ELOOP else Fault("S001", f"not readable: {error.strerror}")

    def _entry(self, entry: os.DirEntry[str]) -> Entry:
        if entry.is_symlink() and (fault := self._outside(entry.path)):
            return fault
        try:
            if entry.is_dir():
                return "file" if entry.is_symlink() and _is_circle(entry.path) else "folder"
            if entry.is_file():
                return "file"
        except OSError:  # a circle of links
            return NOWHERE
        return NOWHERE if entry.is_symlink() and not os.path.exists(entry.path) else Fault("S001", IRREGULAR)

    def _outside(self, path: str) -> Fault | None:
        real = os.path.realpath(path)
        if real == self.inside or real.startswith(os.path.join(self.inside, "")):
            return None
        return Fault("S010", f"a link out of {self.inside}, to {real}; it is not followed")

    def _content(self, path: str) -> bytes | Fault:
        if fault := self._outside(path):
            return fault
        try:
            below = os.path.relpath(os.path.realpath(path), self.inside)
            return read_file(self.inside, below, MAX_BYTES + 1)[1]
        except OSError as error:
            return Fault("S001", error.strerror or IRREGULAR)


def _is_circle(link: str) -> bool:
    """Whether a link leads back to a folder on the way to it: that one is not entered again."""
    real, above = os.path.realpath(link), os.path.dirname(os.path.abspath(link))
    while os.path.realpath(above) != real:
        if above == os.path.dirname(above):
            return False
        above = os.path.dirname(above)
    return True
