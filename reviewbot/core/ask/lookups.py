"""What a model may look up in the two trees of a change before it answers. It reads; it changes nothing.

What a tree says is shown within a fence and without its secrets; what is said outside of one is ours,
and holds nothing that somebody else wrote.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from reviewbot.core.ask import stated, symbols, testfiles
from reviewbot.core.ask.anchor import shown
from reviewbot.core.ask.legible import ForgedFence, fenced, legible, shown_path
from reviewbot.core.ask.listing import unchanged
from reviewbot.core.errors import UsageError
from reviewbot.core.paths import is_safe
from reviewbot.core.ports import SEARCHED, UNREAD, Library
from reviewbot.core.types import Lookup, Side, Text

ANSWER = 12_000  # characters of one answer
ROOM = ANSWER - 1_000  # of what the trees say in it
READ = 4_000_000  # characters of texts, from which on no more are made legible for one answer: 3 s
WORDS = 200  # characters that can be searched for
VALUES = 20  # values of a key that are counted

_NO_TEXT = "This file is no text that can be shown: binary, not UTF-8, or too large."
_NO_FILE = "There is no such file on that side. list_files shows which there are."
_NO_PATH = "That is no path inside the repository."
_NO_WORDS = f"What is searched for must be 1 to {WORDS} characters of one line."
_FORGED = "This cannot be shown: it holds the mark that tells what is data from what is not."
_CUT = (
    f"Only the first {SEARCHED:,} lines with these words were looked at: name a folder, or more of the line. "
)
_FAILED = "It could not be looked up, because git failed or took too long. Ask for less, or below a folder."

Given = Mapping[str, Any]  # checked against the tool's own arguments


class Said(NamedTuple):
    """What one look-up brings. `about` is ours; `rows` are lines of the trees, `total` of them."""

    about: str
    rows: Iterable[str] = ()
    total: int = 0


class Desk(NamedTuple):
    """What one look-up is served from."""

    library: Library
    texts: dict[tuple[Side, str], Text]  # what was read, as it is shown

    def lines(self, side: Side, path: str) -> Sequence[str]:
        """Those that quotes are looked for in; none of what is no text."""
        if (side, path) not in self.texts:
            self.texts[side, path] = shown(self.library.text(side, path) or Text(path, ""))
        return self.texts[side, path].lines

    def row(self, side: Side, path: str, line: int) -> str:
        if line == UNREAD:
            return f"{shown_path(path)}: cannot be read, and may hold them too"
        lines = self.lines(side, path)  # a file of a work tree may have become shorter
        return f"{shown_path(path)}:{line}: {lines[line - 1] if line <= len(lines) else ''}"

    def rows(self, side: Side, found: Iterable[tuple[str, int, str]]) -> Iterator[str]:
        """As many as are made legible in a moment."""
        for path, line, _ in found:
            if sum(len(text.content) for text in self.texts.values()) > READ:
                return
            yield self.row(side, path, line)

    def may_show(self, side: Side, found: stated.Stated) -> bool:
        """Whether the number is no secret."""
        lines = found.text
        if found.value not in lines:
            text = self.library.text(side, found.path)
            lines = text.quote(found.line, found.line + stated.AHEAD) if text else ""
        return found.value in legible(lines)


class Tool(NamedTuple):
    says: str
    arguments: Mapping[str, Mapping[str, Any]]  # name -> JSON schema
    needed: int  # how many of them, the first ones, have no default
    answer: Callable[[Desk, Given], Said]


def serve(lookup: Lookup, library: Library, nonce: str) -> str:
    """What the model is shown: at most ANSWER characters. Never raises for what it asks or a tree holds."""
    tool = _TOOLS.get(lookup.name)
    if tool is None:
        return f"There is no such tool. There are: {', '.join(_TOOLS)}."
    given = _given(lookup.arguments, tool)
    if isinstance(given, str):
        return given
    try:
        said = tool.answer(Desk(library, {}), given)
        rows, left = _fitting(said)
    except UsageError:
        return _FAILED
    more = [f"{left:,} more are left out: ask for less at once."] if left else []
    try:
        block = [fenced("lookup", "\n".join(rows), nonce)] if rows else []
    except ForgedFence:
        return _FORGED
    return "\n".join([said.about, *block, *more])


def _given(written: str, tool: Tool) -> Given | str:
    """The arguments with their defaults, or what is wrong with them."""
    try:
        given = json.loads(written)
    except (ValueError, RecursionError):
        given = None
    known = ", ".join(tool.arguments)
    if not isinstance(given, dict) or not given.keys() <= tool.arguments.keys():
        return f"The arguments must be a JSON object with no other keys than: {known}."
    for number, (key, schema) in enumerate(tool.arguments.items()):
        value = given.setdefault(key, None if number < tool.needed else schema["default"])
        wanted = int if schema["type"] == "integer" else str
        if type(value) is not wanted or value not in schema.get("enum", [value]):
            allowed = f", one of {', '.join(schema['enum'])}" if "enum" in schema else ""
            return f"`{key}` must be given as {schema['type']}{allowed}."
    return given


def _fitting(said: Said) -> tuple[list[str], int]:
    """The rows that fit into one answer, and how many do not."""
    rows: list[str] = []
    room = ROOM
    for row in said.rows:
        room -= len(row) + 1
        if room < 0:
            break
        rows.append(row)
    return rows, said.total - len(rows)


def _place(written: str) -> str | None:
    """A path or a folder as a tree has it, "" for all of it; None for what can be none."""
    path = written.removeprefix("./").rstrip("/")
    if path in ("", "."):
        return ""
    return path if is_safe(path) else None


def _is_words(words: str) -> bool:
    return 0 < len(words) <= WORDS and not re.search(r"[\n\0]", words)


# --- the tools ----------------------------------------------------------------------------


def _read_lines(desk: Desk, given: Given) -> Said:
    path, side = _place(given["path"]), Side(given["side"])
    if not path:
        return Said(_NO_PATH)
    text = desk.library.text(side, path)
    if text is None:
        return Said(_NO_TEXT if path in desk.library.paths(side) else _NO_FILE)
    start, end = max(given["start"], 1), min(given["end"], len(text.lines))
    if end < start:
        return Said(f"There are no such lines: the file has {len(text.lines):,}.")
    rows = map(str, unchanged(desk.lines(side, path), range(start - 1, end)))
    return Said(f"Lines {start:,} to {end:,} of {len(text.lines):,}.", rows, end - start + 1)


def _search_text(desk: Desk, given: Given) -> Said:
    words, below, side = given["words"], _place(given["below"]), Side(given["side"])
    if below is None:
        return Said(_NO_PATH)
    if not _is_words(words):
        return Said(_NO_WORDS)
    found = desk.library.search(side, words, below)
    if not found:
        return Said("No line of a text holds these words, exactly as they are written.")
    cut = _CUT if len(found) >= SEARCHED else ""
    files = len({path for path, _, _ in found})
    return Said(f"{cut}{len(found):,} lines in {files:,} files.", desk.rows(side, found), len(found))


def _numbers(desk: Desk, given: Given) -> Said:
    key, side = given["key"], Side(given["side"])
    if not _is_words(key) or not stated.spellings(key):
        return Said(f"A key is 1 to {WORDS} characters, and at most {stated.PARTS} words long.")
    found = [s for s in stated.stated(desk.library, side, key) if desk.may_show(side, s)]
    if not found:
        return Said("No line states a number for this key, in any of its spellings.")
    counted = Counter(s.value for s in found).most_common(VALUES)
    values = f"values: {', '.join(f'{value} ({times}x)' for value, times in counted)}"
    places = (f"{s.value} at {desk.row(side, s.path, s.line)}" for s in found)
    more = f" Only the first {stated.MOST:,} places were looked at." if len(found) >= stated.MOST else ""
    about = f"{len(found):,} places, {len({s.value for s in found}):,} values.{more}"
    return Said(about, _behind(values, places), len(found) + 1)


def _list_files(desk: Desk, given: Given) -> Said:
    below, side = _place(given["below"]), Side(given["side"])
    if below is None:
        return Said(_NO_PATH)
    start = f"{below}/" if below else ""
    found = [path for path in desk.library.paths(side) if path.startswith(start)]
    if not found:
        return Said("There is no such folder on that side, or no file in it.")
    if sum(map(len, found)) + len(found) <= ROOM:
        return Said(f"{len(found):,} files.", map(shown_path, found), len(found))
    inside = Counter(start + path[len(start) :].partition("/")[0] for path in found)
    files = set(found)
    rows = (shown_path(p) + ("" if p in files else f"/ ({count:,} files)") for p, count in inside.items())
    return Said(f"{len(found):,} files; folders are not opened here.", rows, len(inside))


def _definition(desk: Desk, given: Given) -> Said:
    return _symbol(desk, given["name"], symbols.definitions, "define it, as far as a line can tell")


def _callers(desk: Desk, given: Given) -> Said:
    return _symbol(desk, given["name"], symbols.usages, "use it, its definitions left out")


def _symbol(
    desk: Desk, written: str, find: Callable[[symbols.Search, Side, str], symbols.Places], what: str
) -> Said:
    symbol = symbols.name_of(written) if _is_words(written) else ""
    if not symbol:
        return Said("That is no name of a symbol.")
    rows, is_cut = find(desk.library.search, Side.RIGHT, symbol)
    cut = _CUT if is_cut else ""
    return Said(f"{cut}{len(rows):,} lines at head {what}.", desk.rows(Side.RIGHT, rows), len(rows))


def _tests_of(desk: Desk, given: Given) -> Said:
    path = _place(given["path"])
    if not path:
        return Said(_NO_PATH)
    found = testfiles.tests_of(desk.library, path)
    rows = desk.rows(Side.RIGHT, ((p.path, p.line, p.text) for p in found))
    return Said(f"{len(found):,} lines of tests name it or an argument of it.", rows, len(found))


def _behind(first: str, rows: Iterable[str]) -> Iterator[str]:
    yield first
    yield from rows


_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
_SIDE = {"type": "string", "enum": [side.value for side in Side], "default": Side.RIGHT.value}
_BELOW = {"type": "string", "default": "", "description": "a folder or a file; empty: everywhere"}
_TOOLS = {
    "read_lines": Tool(
        "Lines of a file with their numbers. RIGHT is head (the change is in it), LEFT is base.",
        {"path": _TEXT, "start": _NUMBER, "end": _NUMBER, "side": _SIDE},
        3,
        _read_lines,
    ),
    "search_text": Tool(
        "The lines that hold some words, exactly as written: no regular expression, case counts.",
        {"words": _TEXT, "side": _SIDE, "below": _BELOW},
        1,
        _search_text,
    ),
    "numbers": Tool(
        "The numbers that scripts, recipes, fixtures and configuration state for one key (`MAX_MODEL_LEN`,"
        " `--max-rounds`), in all its spellings. A number that is stale hides there.",
        {"key": _TEXT, "side": _SIDE},
        1,
        _numbers,
    ),
    "list_files": Tool("The files of the tree.", {"below": _BELOW, "side": _SIDE}, 0, _list_files),
    "definition": Tool("Where a symbol is defined at head.", {"name": _TEXT}, 1, _definition),
    "callers": Tool("Where a symbol is called or used at head.", {"name": _TEXT}, 1, _callers),
    "tests_of": Tool(
        "The lines of tests that name a file or pin the arguments it takes: what a fix must not break.",
        {"path": _TEXT},
        1,
        _tests_of,
    ),
}
TOOLS = json.dumps(
    [
        {
            "name": tool_name,
            "description": tool.says,
            "input_schema": {
                "type": "object",
                "properties": tool.arguments,
                "required": list(tool.arguments)[: tool.needed],
                "additionalProperties": False,
            },
        }
        for tool_name, tool in _TOOLS.items()
    ]
)
