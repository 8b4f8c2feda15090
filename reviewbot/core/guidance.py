"""What a repository tells reviewers and agents: REVIEW.md, AGENTS.md, Copilot's and Cursor's files.

They are read at base, as context for a model. They give no rights and switch nothing off.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from reviewbot.core.globs import BadPattern, glob_of, glob_regex
from reviewbot.core.patterns import pattern
from reviewbot.core.types import Guidance

FILE_LIMIT = 16_000  # characters of one file; Copilot reads 4,000 of its own
LIMIT = 64_000  # characters in all; a model reads them with every question

NESTED = ("REVIEW.md", "AGENTS.md", "CLAUDE.md", ".cursor/BUGBOT.md")  # each speaks of its folder
COPILOT = ".github/copilot-instructions.md"
INSTRUCTIONS = ".github/instructions"
CURSOR_RULES = ".cursor/rules"
FOLDERS = (INSTRUCTIONS, CURSOR_RULES)  # whatever lies below them

_KEY = pattern(r"([A-Za-z_][\w-]*)[ \t]*:[ \t]*(.*)$")
_ITEM = pattern(r"[ \t]*-[ \t]+(.*)$")
_PATTERN = pattern(r"(?:\{[^{}]*\}|[^,{}])+")  # commas inside braces do not part patterns


def places(paths: Collection[str]) -> list[str]:
    """Where guidance for the files at `paths` may lie: at the root, and in the folders above them."""
    nested = (f"{folder}{name}" for folder in sorted(_folders(paths)) for name in NESTED)
    return [*nested, COPILOT]


def read(files: Mapping[str, bytes], paths: Collection[str]) -> tuple[Guidance, ...]:
    """The guidance among `files` (those at base, by path) that speaks of one of `paths`, in the order
    of its paths; what is over a limit is cut."""
    found: dict[tuple[tuple[str, ...], str], Guidance] = {}
    left = LIMIT
    for path in sorted(files):
        told = _told(path, files[path].decode("utf-8", "replace").removeprefix("\ufeff"))
        if told is None or not _speaks_of(told, paths):
            continue
        text = told.text.strip()
        if text and (told.scope, text) not in found:  # CLAUDE.md is often a link to AGENTS.md
            kept = text[: min(FILE_LIMIT, left)]
            left -= len(kept)
            found[told.scope, text] = Guidance(path, told.scope, kept, len(text))
    return tuple(found.values())


class _Told(NamedTuple):
    scope: tuple[str, ...]
    text: str
    folder: str = ""  # with its slash; a name such as `[id]` is no glob


def _told(path: str, text: str) -> _Told | None:
    """The scope and the text of a guidance file; None for one that says nothing to a reviewer."""
    for name in NESTED:
        if path == name or path.endswith(f"/{name}"):
            folder = path.removesuffix(name)
            return _Told((f"{folder}**",) if folder else (), text, folder)
    if path == COPILOT:
        return _Told((), text)
    if path.startswith(f"{INSTRUCTIONS}/") and path.endswith(".instructions.md"):
        keys, body = _front(text)
        if "code-review" in _values(keys.get("excludeAgent", [])):
            return None
        scope = _globs(keys.get("applyTo", []))
        return None if scope is None else _Told(scope, body)
    if path.startswith(f"{CURSOR_RULES}/") and path.endswith(".mdc"):
        keys, body = _front(text)
        if not keys or keys.get("alwaysApply") == ["true"]:
            return _Told((), body)
        scope = _globs(keys.get("globs", []))
        return None if scope is None else _Told(scope, body)
    return None


def _front(text: str) -> tuple[dict[str, list[str]], str]:
    """The front matter, key by key, and what follows it. Cursor's is no strict YAML: `globs: **/*.js`."""
    lines = text.split("\n")
    if not lines or lines[0].rstrip() != "---":
        return {}, text
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), 0)
    if not end:
        return {"": []}, ""  # never closed: it says of no file that it speaks of it
    keys: dict[str, list[str]] = {}
    values: list[str] = []
    for line in lines[1:end]:
        if m := _KEY.match(line):
            values = keys.setdefault(m[1], [])
            values += [m[2].strip()] if m[2].strip() else []
        elif m := _ITEM.match(line):
            values.append(m[1].strip())
    return keys, "\n".join(lines[end + 1 :])


def _values(written: Collection[str]) -> list[str]:
    """The values of a key: a list, a string with commas, or a list in brackets; quotes taken off."""
    whole = (text[1:-1] if text[:1] + text[-1:] == "[]" else text for text in written)
    parts = (part for text in whole for part in _PATTERN.findall(text.strip("\"'")))
    return [value for part in parts if (value := part.strip().strip("\"'"))]


def _globs(written: Collection[str]) -> tuple[str, ...] | None:
    """The globs of a scope; () for every file, None for none: such a file is for its owner to call."""
    globs = []
    for value in _values(written):
        if value in ("*", "**", "**/*"):
            return ()
        try:
            globs.append(glob_of(value))
        except BadPattern:
            continue
    return tuple(globs) or None


def _speaks_of(told: _Told, paths: Collection[str]) -> bool:
    if told.folder or not told.scope:
        return any(path.startswith(told.folder) for path in paths)
    wanted = re.compile("|".join(f"(?:{glob_regex(glob)})" for glob in told.scope), re.DOTALL)
    return any(wanted.fullmatch(path) for path in paths)


def _folders(paths: Collection[str]) -> set[str]:
    """The folders above `paths` with their slash; the root is ""."""
    folders = {""}
    for path in paths:
        for folder in _above(path):
            if folder in folders:
                break
            folders.add(folder)
    return folders


def _above(path: str) -> Iterator[str]:
    while folder := path.rpartition("/")[0]:
        yield f"{folder}/"
        path = folder
