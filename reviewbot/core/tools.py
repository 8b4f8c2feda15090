"""All that a review asks of the outside world. wiring/ fills it."""

from __future__ import annotations

from typing import NamedTuple

from reviewbot.core.ports import Gates, Progress, Rules, Source
from reviewbot.core.reader import Reader


class Tools(NamedTuple):
    source: Source
    gates: Gates
    rules: Rules
    reader: Reader
    progress: Progress
