from __future__ import annotations

from reviewbot.core.types import Place


def place(answer: dict[str, object]) -> Place:
    return Place(str(answer["path"]), int(str(answer["line"])))
