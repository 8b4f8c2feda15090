from __future__ import annotations


def place(answer: dict[str, object]) -> Place:
    return Place(str(answer["path"]), int(str(answer["line"])))
