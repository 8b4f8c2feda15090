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
_RAW = ("pre", "script", "style", "textarea")
# Blocks that are shown as they are, or not at all: how each begins, and what ends it.
_VERBATIM = (
    (re.compile(rf"({_ITEMS})<!--"), re.compile("-->")),
    (re.compile(rf"({_ITEMS})<\?"), re.compile(r"\?>")),
    (re.compile(rf"({_ITEMS})<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"({_ITEMS})<![A-Za-z]"), re.compile(">")),
    *(
        (
            re.compile(rf"({_ITEMS})<{name}(?=[\s>]|$)", re.IGNORECASE),
            re.compile(f"</{name}>", re.IGNORECASE),
        )
        for name in _RAW
    ),
)
# Markdown ends such a block at the end of any of them, a browser does not.
_RAW_TAG = re.compile(rf"</?(?:{'|'.join(_RAW)})\b", re.IGNORECASE)
_NEVER = re.compile(r"(?!)")
# Lines below which a paragraph may go on or not, and tags of which a part may be something else.
_ODD = re.compile(
    r"^ {0,3}(?:[<\[#]|[-=_*+|: \t]+$)|^(?: {4}| {0,3}\t)|<[A-Za-z/?!][^<>]*[`\"']", re.MULTILINE
)
# Comments that end at once to some readers only, and attributes that go on in the next line.
_ENDLESS = re.compile(r"<!---?>|<[A-Za-z][^<>]*=\s*(?:'[^']*|\"[^\"]*)$")
_TAG = re.compile(r"<[A-Za-z/?!][^<>]*>")
_UNCLOSED = re.compile(r"<[A-Za-z/?!][^<>]*\Z")
_ATTRIBUTE = re.compile(r"<[A-Za-z][^<>]*=\s*[\"']")
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
    block: tuple[re.Pattern[str], int] | None = None  # of code or hidden text: its end, and its indentation
    quoted = False
    for line in _BREAK.split(body):
        if block:
            block = _after(line, *block)
            continue
        block = _block(line)
        quoted = not block and _is_quoted(line, quoted)
        cited = block or quoted or _is_blank(line) or _QUOTE.match(line)
        if block and block[0] is _NEVER and any("`" in before for before in paragraph):
            return  # a code span may go on in it
        if cited or _BLOCK.match(line):
            if not _UNCLOSED.search("\n".join(paragraph)):
                yield from _outside_spans(paragraph)
            paragraph = []
        if not cited:
            paragraph.append(line)
    yield from _outside_spans(paragraph)


def _block(line: str) -> tuple[re.Pattern[str], int] | None:
    """What ends the block of code or hidden text that this line begins and does not end itself, and how far
    its list item is indented; 0: it is in none."""
    if fence := _FENCE.match(line):
        room = len(fence[1]) + 3
        end = re.compile(rf"^ {{0,{room}}}{fence[2][0]}{{{len(fence[2])},}}[ \t]*$")
        return end, _indentation(fence[1])
    if _ENDLESS.search(line):
        return _NEVER, 0
    for begin, end in _VERBATIM:
        if opened := begin.match(line):
            rest = _after(line[opened.end() :], end, 0)
            return rest and (rest[0], _indentation(opened[1]))
    return None


def _indentation(before: str) -> int:
    return len(before) if before.strip() else 0


def _after(line: str, end: re.Pattern[str], indentation: int) -> tuple[re.Pattern[str], int] | None:
    """The block below one of its lines. Where it may have ended otherwise, nothing is plain any more."""
    left = len(line) - len(line.lstrip(" "))
    if not _is_blank(line) and left < indentation:
        return _NEVER, 0
    raw = _RAW_TAG.findall(line) if end.pattern.startswith("</") else []
    if any(f"{tag.lower()}>" != end.pattern for tag in raw):
        return _NEVER, 0
    return None if end.search(line) else (end, indentation)


def _is_blank(line: str) -> bool:
    return not line.strip(" \t")  # to Markdown, other white space is text


def _is_quoted(line: str, before: bool) -> bool:
    """Whether a quote ends in this line or below it: a line of text right below a quote belongs to it."""
    if quote := _QUOTE.match(line):
        return not _is_blank(line[quote.end() :])
    return before and not _is_blank(line) and not _BLOCK.match(line)


def _outside_spans(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a paragraph that do not begin within a code span, a comment or a tag."""
    text = "\n".join(lines)
    spans = [*_hidden(text), *(_doubtful(text) if _ODD.search(text) else ())]
    hidden = iter(sorted(spans))
    opened, closed = next(hidden, (len(text), 0))
    at = reach = 0
    for line in lines:
        while opened < at:
            reach = max(reach, closed)
            opened, closed = next(hidden, (len(text), 0))
        if at >= reach:
            yield line
        at += len(line) + 1


def _doubtful(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of all that may be code, a comment or a tag, wherever the paragraph begins and ends."""
    runs: dict[int, tuple[int, int]] = {}
    for run in _TICKS.finditer(text):
        first, _ = runs.get(len(run[0]), (run.start(), 0))
        runs[len(run[0])] = first, run.end()
    yield from runs.values()
    yield from (tag.span() for tag in _TAG.finditer(text))
    comment, attribute = text.find("<!--"), _ATTRIBUTE.search(text)
    if comment >= 0:
        yield comment, text.rfind("-->") + 3
    if attribute:
        yield attribute.start(), text.rfind(">") + 1


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
