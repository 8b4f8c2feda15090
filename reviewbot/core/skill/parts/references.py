"""What a skill refers to: files of its bundle, and commands that another tool runs when it loads."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator

from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.markdown.scan import Document, without_code

# Bounded, so that 200,000 brackets cost nothing: [text](target "title").
LINK = re.compile(r"\]\(<?([^()<>\s]{1,300})>?(?:[ \t][^()]{0,200})?\)")
INCLUDE = re.compile(r"(?<!\S)@((?:[\w-]{1,80}/){0,5}[\w.-]{1,80}\.md)\b")
IN_BUNDLE = re.compile(r"`((?:references|assets)/[\w./-]{1,200}\.\w{1,8})`")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|[#/{$]|www\.", re.IGNORECASE)
ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
COMMAND = re.compile(r"(?<!\S)!`[^`]")


def check_references(doc: Document, beside: Collection[str] | None, notes: Diagnostics) -> None:
    """Names what a reader will not find. `beside` are the other files of the skill's folder, relative to
    it; None where they are unknown."""
    for line, col in _commands(doc):
        message = "a command that another tool runs at load; it is read as text and never executed"
        notes.warn("S102", line, col, message)
    if beside is None:
        return
    known = set(beside)
    known.update(folder for path in beside for folder in _folders(path))
    for line, col, target in _targets(doc):
        path = posixpath.normpath(_unquoted(re.split(r"[#?]", target, maxsplit=1)[0]))
        if path.startswith("../"):
            notes.warn("S106", line, col, f"`{target}` lies outside the folder of this skill; it is not read")
        elif path not in known:
            notes.warn("S106", line, col, f"`{target}` is not in the folder of this skill")
        elif path.count("/") > 1:
            notes.warn(
                "S106", line, col, f"`{target}` is a chain: keep references in one folder of the skill"
            )


def _unquoted(target: str) -> str:
    """A target with its `%20` and the like as characters."""
    return ESCAPES.sub(lambda m: bytes.fromhex(m[0].replace("%", "")).decode("utf-8", "replace"), target)


def _folders(path: str) -> Iterator[str]:
    while path := posixpath.dirname(path):
        yield path


def _commands(doc: Document) -> Iterator[tuple[int, int]]:
    for number in doc.free_lines(doc.start, len(doc.lines)):
        yield from ((number, m.start() + 1) for m in COMMAND.finditer(doc.line(number)))
    yield from ((fence.line, fence.indent + 1) for fence in doc.fences if fence.info.startswith("!"))


def _targets(doc: Document) -> Iterator[tuple[int, int, str]]:
    """(line, column, target) of each reference to a file, those in fences left out."""
    fenced = {number for fence in doc.fences for number in range(fence.line, fence.end + 1)}
    for number in range(doc.start, len(doc.lines) + 1):
        line = doc.line(number)
        if number in fenced or not re.search(r"\]\(|@|`[ra]", line):
            continue
        prose = without_code(line)
        for pattern, text in ((LINK, prose), (INCLUDE, prose), (IN_BUNDLE, line)):
            for m in pattern.finditer(text):
                if not ELSEWHERE.match(m[1]):
                    yield number, m.start(1) + 1, m[1]
