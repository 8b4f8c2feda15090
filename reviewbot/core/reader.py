"""Who reads the change beside detectors and gates: a model, or nobody.

core/ask/reader.py is the model's; without one nothing of it is imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from reviewbot.core.types import Change, Guidance, Incomplete, Rejection, Scope, Texts, Usage
from reviewbot.core.verify import Checked

ClassKey = tuple[str, str]  # skill name, class slug


class Ground(NamedTuple):
    """What a reader reads: the files in scope, and what detectors and gates found in them."""

    change: Change
    scope: Scope
    head: Texts
    base: Texts  # keyed by head paths; a reader finds what is not in there by itself
    checked: Sequence[Checked]
    guidance: Sequence[Guidance]


class Read(NamedTuple):
    """What came of a reading. Each candidate, given or new, is in `checked` or in `rejections`."""

    checked: Sequence[Checked]
    rejections: tuple[Rejection, ...] = ()
    problems: tuple[Incomplete, ...] = ()
    # By class: which files were read for it, and what the reader says of them, a word of ClassResult.result.
    looked: Mapping[ClassKey, Mapping[str, str]] = MappingProxyType({})
    usage: Usage = Usage()
    notes: str = ""  # who read, and by which prompts; "" for nobody
    inline: int = 0  # findings of the reader alone that may stand inline

    @property
    def paths(self) -> frozenset[str]:
        return frozenset(path for files in self.looked.values() for path in files)


class Reader(Protocol):
    def find(self, ground: Ground) -> Read:
        """The findings of `ground` and those that the reader adds, one of each root cause."""

    def argue(self, ground: Ground, read: Read) -> Read:
        """`read` behind a second reading, which tries to refute each claim and hint."""


class Nobody:
    """No model: off is no failure."""

    def find(self, ground: Ground) -> Read:
        return Read(ground.checked)

    def argue(self, ground: Ground, read: Read) -> Read:
        return read
