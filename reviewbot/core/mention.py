"""Commands in a comment: lines that begin with `@name` where a reader sees plain text.

Not in a quote, a fence, indented code, a code span, an HTML comment or a `<pre>`: what is cited asks
for nothing. Where this is only nearly Markdown it errs towards no command. One pass, linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from reviewbot.core.types import Command

# How a finding is named: the beginning of its fingerprint, or path, first and last line.
HEX = re.compile(r"[0-9a-fA-F]{6,64}")
PLACE = re.compile(r"([^:]+):L?([0-9]{1,9})(?:-L?([0-9]{1,9}))?")

_BREAK = re.compile(r"\r\n|\n|\r")
_ITEMS = r"(?: {0,3}(?:[-*+]|\d{1,9}[.)]) {1,4}+)* {0,3}"
_QUOTE = re.compile(_ITEMS + r">[ \t]?")
_FENCE = re.compile(rf"({_ITEMS})(`{{3,}}(?=[^`]*$)|~{{3,}})")
# What can begin below a line of text without an empty line between.
_BLOCK = re.compile(r" {0,3}(?:#{1,6}(?: |$)|(?:[-*+]|1[.)]) +[^ ])")
# Blocks that are shown as they are, or not at all: how each begins, and what ends it.
_VERBATIM = (
    (re.compile(r" {0,3}<!--"), re.compile("-->")),
    (re.compile(r" {0,3}<\?"), re.compile(r"\?>")),
    (re.compile(r" {0,3}<!\[CDATA\["), re.compile(r"\]\]>")),
    (
        re.compile(r" {0,3}<(?:pre|script|style|textarea)(?=[\s>]|$)", re.IGNORECASE),
        re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE),
    ),
)
_OPENING = re.compile(r"\\[\s\S]|`+|<!--|<(?=[A-Za-z/?!])")
_TICKS = re.compile("`+")

_WORD = re.compile(r"(?:`([^`]+)`|(\S+))\s*")
_PATH = re.compile(r"[/.*?\[{]")
_PLAIN_VERBS = ("pause", "resume", "config", "help")
_COURTESY = {"please", "again", "now", "this", "the", "it", "pr", "pull", "request", "thanks"}
_STOPS = ".,;:!?"
_DASHES = "-\u2013\u2014: \t"  # between a finding and the reason
_SAID = 60  # characters of what is no command


def parse(body: str, name: str) -> tuple[Command, ...]:
    """The commands of a comment to the account `name` (without "@" and "[bot]"), in their order."""
    if not name:
        return ()
    call = re.compile(rf" {{0,3}}@{re.escape(name)}(?:\[bot\])?[,:]?(?:[ \t]+|$)", re.IGNORECASE | re.ASCII)
    found = ((line, call.match(line)) for line in _plain_lines(body))
    return tuple(_command(line[mention.end() :].strip()) for line, mention in found if mention)


def _plain_lines(body: str) -> Iterator[str]:
    """The lines whose beginning is neither quoted nor code nor hidden."""
    paragraph: list[str] = []
    until: re.Pattern[str] | None = None  # the end of the block of code or hidden text that we are in
    quoted = False
    for line in _BREAK.split(body):
        if until:
            until = None if until.search(line) else until
            continue
        until = _end_of_block(line)
        quoted = not until and _is_quoted(line, quoted)
        cited = until or quoted or not line.strip() or _QUOTE.match(line)
        if cited or _BLOCK.match(line):
            yield from _outside_spans(paragraph)
            paragraph = []
        if not cited:
            paragraph.append(line)
    yield from _outside_spans(paragraph)


def _end_of_block(line: str) -> re.Pattern[str] | None:
    """What ends the block of code or hidden text that this line begins and does not end itself."""
    if fence := _FENCE.match(line):
        room = len(fence[1]) + 3
        return re.compile(rf"^ {{0,{room}}}{fence[2][0]}{{{len(fence[2])},}}[ \t]*$")
    for begin, end in _VERBATIM:
        if opened := begin.match(line):
            return None if end.search(line, opened.end()) else end
    return None


def _is_quoted(line: str, before: bool) -> bool:
    """Whether a quote ends in this line or below it: a line of text right below a quote belongs to it."""
    if quote := _QUOTE.match(line):
        return bool(line[quote.end() :].strip())
    return before and bool(line.strip()) and not _BLOCK.match(line)


def _outside_spans(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a paragraph that do not begin within a code span, a comment or a tag."""
    hidden = _hidden("\n".join(lines))
    opened, closed = next(hidden, (-1, -1))
    at = 0
    for line in lines:
        while 0 <= closed <= at:
            opened, closed = next(hidden, (-1, -1))
        if not opened < at < closed:
            yield line
        at += len(line) + 1


def _hidden(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each code span, comment and tag. What is never closed is plain text."""
    ticks: dict[int, list[int]] = {}  # where the runs of that many backticks begin
    for run in _TICKS.finditer(text):
        ticks.setdefault(len(run[0]), []).append(run.start())
    absent: set[str] = set()  # ends that are not there any more: looked for once, not for every start
    at = 0
    while opening := _OPENING.search(text, at):
        start, at = opening.span()
        mark = opening[0]
        end = -1
        if mark[0] == "`":
            runs = ticks.get(len(mark), [])
            after = bisect_left(runs, at)
            end = runs[after] + len(mark) if after < len(runs) else -1
        elif mark[0] == "<":
            end = _closed(text, at, "-->" if mark == "<!--" else ">", absent)
        if end >= 0:
            yield start, end
            at = end


def _closed(text: str, at: int, mark: str, absent: set[str]) -> int:
    found = -1 if mark in absent else text.find(mark, at)
    if found < 0:
        absent.add(mark)
        return -1
    return found + len(mark)


def _command(text: str) -> Command:
    """`text` is what stands behind the mention, in one line."""
    verb, rest = _first(text)
    if verb == "please":
        verb, rest = _first(rest)
    if verb == "review":
        return _review(rest)
    if verb in ("explain", "dismiss"):
        return _about_finding(verb, rest)
    if verb in _PLAIN_VERBS or not text:
        return Command(verb or "help", text=rest)
    return Command("unknown", text[:_SAID])


def _first(text: str) -> tuple[str, str]:
    """The first word, small and without what closes a sentence, and the rest."""
    word = _WORD.match(text)
    if not word:
        return "", ""
    return (word[1] or word[2]).strip().rstrip(_STOPS).lower(), text[word.end() :]


def _review(text: str) -> Command:
    """Of words that are no path, courtesies are passed over. Any other makes it a sentence and no command."""
    full = False
    paths: list[str] = []
    for span, bare in _WORD.findall(text):
        word = span.strip() or bare.rstrip(_STOPS)
        if word.lower() == "full" and not span:
            full = True
        elif span or _PATH.search(word):
            paths.append(word)
        elif word and word.lower() not in _COURTESY:
            return Command("unknown", f"review {text}"[:_SAID])
    return Command("review", "full" if full else "", paths=tuple(path for path in paths if path))


def _about_finding(verb: str, text: str) -> Command:
    word = _WORD.match(text)
    if word:
        named = (word[1] or word[2].strip("<>").rstrip(_STOPS)).strip()
        if HEX.fullmatch(named) or PLACE.fullmatch(named):
            return Command(verb, named, text[word.end() :].lstrip(_DASHES).rstrip())
    return Command(verb, "", text.strip())
