"""Whether a change edits what is to testify for or against it (law 8): the tools of a proof."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, normpath, splitext

from reviewbot.core.gates import INTERPRETER, started
from reviewbot.core.types import Change, Proof


class Edited:
    """What a change touches, so that each proof is asked in no time."""

    def __init__(self, change: Change) -> None:
        self._touched = {
            key: path
            for file in change.files
            for path in filter(None, (file.path, file.old_path))
            for key in _keys(path)
        }

    def of(self, proof: Proof) -> str:
        """A path of the change that the command of a proof names, or that lies in the folder of such a file,
        from where scripts load their parts; "" if there is none."""
        if proof.script is not None:
            return ""
        return next((self._touched[key] for key in _witnesses(proof) if key in self._touched), "")


def _keys(path: str) -> Iterator[str]:
    yield path
    yield splitext(path)[0]  # of a module
    yield "."
    if "/" not in path:
        yield ""  # beside a file at the top; what is below it is not
    while path := dirname(path):
        yield path


def _witnesses(proof: Proof) -> Iterator[str]:
    for word in proof.tools:
        name = word.partition("=")[2] if word.startswith("-") else word
        if not name:
            continue
        path = normpath(name)
        yield path
        yield path.replace(".", "/")  # python3 -m a.b
        if "/" in path:
            yield dirname(path)
    script = started(proof.argv)
    if script or INTERPRETER.match(proof.argv[0]):
        yield dirname(normpath(script)) if script else ""
