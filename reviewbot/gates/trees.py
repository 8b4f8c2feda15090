"""The trees of a review: each side is laid out once, when something first runs in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING

from reviewbot.core.errors import ReviewbotError
from reviewbot.core.types import Side
from reviewbot.gates.sandbox import Entry, Tree, lay_out

if TYPE_CHECKING:
    from hashlib import _Hash

Files = Callable[[Side], Iterable[Entry]]


class Trees:
    """`files` gives the entries of a side, and may raise ReviewbotError. `name` gives git's id of a side
    that is a commit, else "".

    What could not be laid out is not tried again. The folders are gone behind the block.
    """

    def __init__(self, files: Files, name: Callable[[Side], str] = lambda side: "") -> None:
        self._files = files
        self._name = name
        self._closing = ExitStack()
        self._locks = {side: Lock() for side in Side}  # so that both can be laid out at one time
        self._laid: dict[Side, tuple[Tree, str] | ReviewbotError | OSError] = {}

    def __enter__(self) -> Trees:
        return self

    def __exit__(self, *error: object) -> None:
        self._closing.close()

    def tree(self, side: Side) -> Tree:
        """Raises ReviewbotError, or OSError where the disk has no room."""
        return self._get(side)[0]

    def identity(self, side: Side) -> str:
        """What no other tree has. That of a commit is known without laying it out; of others, which can
        change at any time, it is a hash of what was laid out. Raises as `tree` does."""
        return self._name(side) or self._get(side)[1]

    def _get(self, side: Side) -> tuple[Tree, str]:
        with self._locks[side]:
            if side not in self._laid:
                try:
                    self._laid[side] = self._lay_out(side)
                except (ReviewbotError, OSError) as error:
                    self._laid[side] = error
            laid = self._laid[side]
        if isinstance(laid, tuple):
            return laid
        raise laid

    def _lay_out(self, side: Side) -> tuple[Tree, str]:
        hashed = sha256()
        entries = self._files(side) if self._name(side) else _hashing(self._files(side), hashed)
        return self._closing.enter_context(lay_out(entries)), hashed.hexdigest()


def _hashing(entries: Iterable[Entry], hashed: _Hash) -> Iterator[Entry]:
    for entry in entries:
        hashed.update(b"%d %o %d\0" % (len(entry.path), entry.mode, len(entry.content)))
        hashed.update(entry.path)
        hashed.update(entry.content)
        yield entry
