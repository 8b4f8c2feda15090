"""One item of evidence, run: a quote, a count, an absence, a definition, a call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reviewbot.core.ask import symbols
from reviewbot.core.ask.anchor import Sources, quoted, standing
from reviewbot.core.ask.plaincode import plain
from reviewbot.core.ask.regexes import Pattern, Refused, read_pattern
from reviewbot.core.language import is_python
from reviewbot.core.ports import SEARCHED, UNREAD
from reviewbot.core.types import Claim, Receipt, Side, Text
from reviewbot.core.verify import named_lines

MAX_STEPS = 1_000_000_000  # of all expressions of one `weigh`, by their bounds: `re` takes less than 3 s
_SYMBOL = re.compile(r"\w+(?:-\w+)*")
_SHOWN = 6  # places of the whole tree

# Where a call has parentheses. Elsewhere a word that is neither a comment nor a definition has to do.
_PARENTHESES = (
    *(".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".kts"),
    *(".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".cu", ".cuh", ".cs", ".php", ".swift", ".dart"),
)


class Meter:
    """The steps that are left. Who hits the end has not run."""

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self._left = steps

    def matching(self, pattern: Pattern, lines: Sequence[str]) -> tuple[int, ...]:
        """The numbers of the matching lines. Raises Refused where that could take too long."""
        steps = pattern.steps(lines)
        if steps > self._left:
            raise Refused("matching it could take too long")
        self._left -= steps
        return pattern.matching(lines)


def run(claim: Claim, sources: Sources, meter: Meter) -> Receipt:
    """The receipt. What cannot be run as it is written is false, and says so. Raises UsageError where the
    tree cannot be read: then nobody knows."""
    try:
        if claim.kind == "quote":
            return _quote(claim, sources)
        if claim.kind in ("count", "absent"):
            return _count(claim, sources, meter)
        if claim.kind in ("defined", "called"):
            return _symbol(claim, sources)
        raise Refused("it is of no kind that is known")
    except Refused as refused:
        kind = claim.kind if claim.kind in ("count", "absent") else "quote"
        what = claim.text or f"{claim.kind} `{claim.pattern[:80]}` of {claim.path or 'the tree'}"
        return Receipt(kind, what, claim.path, claim.line, False, f"not run: {refused}")


def named_places(receipt: Receipt) -> Iterator[tuple[str, int]]:
    """The places that the words of a receipt of `run` name: `2 lines: 3, 5`, `1 line: lib/more.sh:1`."""
    listed = receipt.detail.partition("; ")[0].partition(" and ")[0].partition(": ")[2]
    for place in filter(None, listed.split(", ")):
        path, _, line = place.rpartition(":")
        yield path or receipt.path, int(line)


def _quote(claim: Claim, sources: Sources) -> Receipt:
    for side in Side:
        for text in _texts(claim, claim.pattern.strip().partition("\n")[0].strip(), sources, side):
            starts = standing(claim.pattern, text)
            if starts:
                starts = [claim.line] if claim.line in starts else starts
                held = quoted(text.path, claim.pattern, claim.line or 0, starts)
                return held if side is Side.RIGHT else held._replace(claim=f"at base, {held.claim}")
    first = claim.pattern.strip().partition("\n")[0][:80]
    where = f"{claim.path}:{claim.line}" if claim.path else "the tree"
    return Receipt("quote", f"`{first}` stands at {where}", claim.path, claim.line, False, "it does not")


def _count(claim: Claim, sources: Sources, meter: Meter) -> Receipt:
    pattern = read_pattern(claim.pattern)
    guard = read_pattern(claim.guard) if claim.guard else None
    if not claim.path and not pattern.word:
        raise Refused("it has no fixed word to search the tree for")
    places: list[tuple[str, int]] = []
    guarded = 0
    for text in _texts(claim, pattern.word, sources, Side.RIGHT):
        if text.partial:
            raise Refused(f"only the hunks of {text.path} are known")
        lines = meter.matching(pattern, text.lines)
        guarded += len(meter.matching(guard, [text.lines[n - 1] for n in lines])) if guard else 0
        places += [(text.path, n) for n in lines]
    where = claim.path or "the tree"
    detail = _told(places, claim.path)
    if claim.kind == "absent":
        said = f"no line of {where} matches `{claim.pattern}`"
        return Receipt("absent", said, claim.path, None, not places, detail)
    said = f"`{claim.pattern}` matches {claim.expected} lines of {where}"
    ok = len(places) == claim.expected
    if guard:
        said += f", and `{claim.guard}` {claim.guarded} of them"
        ok, detail = ok and guarded == claim.guarded, f"{detail}; {guarded} of them match `{claim.guard}`"
    return Receipt("count", said, claim.path, None, ok, detail)


def _symbol(claim: Claim, sources: Sources) -> Receipt:
    names = _SYMBOL.findall(claim.pattern[:200].partition("(")[0])
    if not names:
        raise Refused("it names no symbol")
    name = names[-1]
    said = f"`{name}` is {claim.kind}"
    for text in _texts(claim, name, sources, Side.RIGHT):
        lines = _symbol_lines(claim.kind, name, text)
        if claim.line in lines or len(lines) == 1:
            line = claim.line if claim.line in lines else lines[0]
            other = f", not at line {claim.line}" if claim.line and claim.line != line else ""
            return Receipt(
                "quote", f"{said} at {text.path}:{line}{other}", text.path, line, True, f"line {line}"
            )
        if lines:
            return Receipt("quote", f"{said} in {text.path}", text.path, None, True, named_lines(lines))
    at = f"{claim.path}:{claim.line}" if claim.path else "some place of the tree"
    return Receipt("quote", f"{said} at {at}", claim.path, claim.line, False, "it is not")


def _symbol_lines(kind: str, name: str, text: Text) -> list[int]:
    """The lines that define, or call, a symbol."""
    if not (text.path.endswith(_PARENTHESES) or is_python(text.path, text.first_line)):
        does = symbols.defines if kind == "defined" else symbols.uses
        return [n for n, line in enumerate(text.lines, 1) if does(name, line)]
    does = symbols.defines if kind == "defined" else symbols.calls
    rows = enumerate(zip(text.lines, plain(text), strict=True), 1)
    return [n for n, (line, code) in rows if does(name, code) or (_is_key(line, code) and does(name, line))]


def _is_key(line: str, code: str) -> bool:
    """Whether a line begins with a key in quotes, which is no mere string."""
    return line.lstrip()[:1] in ("'", '"') and code.lstrip()[:1] == ":"


def _texts(claim: Claim, word: str, sources: Sources, side: Side) -> Iterator[Text]:
    """The text that is claimed of, or all those of the tree that hold `word`."""
    if claim.path:
        text = sources.text(side, claim.path)
        if text is None and side is Side.RIGHT and claim.kind != "quote":
            raise Refused(f"{claim.path} is not there, or no text")
        yield from filter(None, [text])
        return
    rows = sources.search(side, word) if word else ()
    if len(rows) >= SEARCHED:
        raise Refused(f"`{word[:80]}` stands in too many lines of the tree")
    if claim.kind in ("count", "absent") and (
        unread := next((row for row in rows if row[1] == UNREAD), None)
    ):
        raise Refused(f"{unread[0]} cannot be read")
    for path in dict.fromkeys(path for path, _, _ in rows):
        yield from filter(None, [sources.text(side, path)])


def _told(places: Sequence[tuple[str, int]], path: str) -> str:
    if path or not places:
        return named_lines([line for _, line in places])
    shown = ", ".join(f"{path}:{line}" for path, line in places[:_SHOWN])
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"{len(places)} line{'s' if len(places) > 1 else ''}: {shown}{more}"
