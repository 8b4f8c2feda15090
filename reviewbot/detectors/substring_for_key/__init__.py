"""`"content" in line` in front of `json.loads(line)["content"]`: the word is asked for, the key is read.

Of nine such places in 8,595 public files eight were assertions of tests, lookups inside a `try`, or
tests of a dict; what is left when these are taken out is rare and right.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Claim, Grade
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.python import PythonFile, Scope, dotted
from reviewbot.detectors.substring_for_key.examples import BAD, GOOD

_ASKS = pattern(r"[\"']\s+(?:not\s+)?in\s+\w")
_KEY = pattern(r"[\s{,\"']*([\w.$-]+)[\"'\s:\[{]*")  # the word of `"content"` or `"content": [`
_PARSERS = frozenset(f"{module}loads" for module in ("", "json.", "orjson.", "ujson.", "simplejson."))
_NEAR = 25  # lines between the test and the lookup


class _Test(NamedTuple):
    """`"key" in text`."""

    node: ast.Compare
    key: str
    text: str  # dotted


class _Lookup(NamedTuple):
    """`json.loads(text)["key"]`, or the same through a name."""

    node: ast.Subscript
    key: str
    text: str


def find(file: PythonFile) -> Iterator[Hit]:
    if not file.is_test and _ASKS.search(file.text.content):
        hits = [_hit(file, *pair) for scope in file.scopes for pair in _pairs(scope)]
        yield from sorted(hits, key=lambda hit: hit.start_line)


def _pairs(scope: Scope) -> Iterator[tuple[_Test, Sequence[_Lookup]]]:
    """Each test that stands for a key, with the lookups that count on it: those below it, up to the next."""
    tests: dict[tuple[str, str], list[_Test]] = defaultdict(list)
    for test in sorted(_tests(scope), key=_line):
        tests[test.key, test.text].append(test)
    pairs: dict[_Test, list[_Lookup]] = defaultdict(list)
    for found in _lookups(scope) if tests else ():
        same = tests.get((found.key, found.text), [])
        above = bisect_right(same, _line(found), key=_line) - 1
        if above >= 0 and _line(found) - _line(same[above]) <= _NEAR:
            pairs[same[above]].append(found)
    yield from pairs.items()


def _line(found: _Test | _Lookup) -> int:
    return found.node.lineno


def _tests(scope: Scope) -> Iterator[_Test]:
    asserted = {n for node in scope.nodes if isinstance(node, ast.Assert) for n in ast.walk(node.test)}
    for node in scope.nodes:
        match node:
            case ast.Compare(
                left=ast.Constant(value=str(text)),
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Name() | ast.Attribute() as asked],
            ) if node not in asserted and (key := _KEY.fullmatch(text)):
                yield _Test(node, key[1], dotted(asked))


def _lookups(scope: Scope) -> Iterator[_Lookup]:
    """The lookups that nothing else protects: no `try` around them, no test of the parsed object."""
    parsed, objects = _parsed(scope)
    tried = _tried(scope)
    for node in scope.nodes:
        match node:
            case ast.Subscript(value=value, slice=ast.Constant(value=str(key)), ctx=ast.Load()):
                text = _loaded(value) or (parsed.get(value.id, "") if isinstance(value, ast.Name) else "")
                if text and text not in objects and node.lineno not in tried:
                    yield _Lookup(node, key, text)


def _parsed(scope: Scope) -> tuple[dict[str, str], set[str]]:
    """Name -> the text that it was parsed from, unless it is tested; and the names that may hold objects."""
    parsed: dict[str, str] = {}
    stored: Counter[str] = Counter()
    tested: set[str] = set()
    objects: set[str] = set()
    for node in scope.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if text := _loaded(value):
                parsed[name] = text
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]):
                tested.add(name)
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), _]):
                tested.add(name)
                objects.add(name)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())):
                objects.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                stored[name] += 1
    alone = {n: text for n, text in parsed.items() if stored[n] == 1 and n not in tested}
    return alone, (objects - alone.keys()) | parsed.keys()


def _tried(scope: Scope) -> set[int]:
    """The lines inside a `try` that catches something."""
    lines: set[int] = set()
    for node in scope.nodes:  # outer ones first
        if isinstance(node, ast.Try | ast.TryStar) and node.handlers and node.lineno not in lines:
            lines.update(range(node.lineno, (node.body[-1].end_lineno or 0) + 1))
    return lines


def _loaded(node: ast.expr) -> str:
    """What a JSON parser is given, dotted: `line` of `json.loads(line)`, `r.text` of `r.json()`; or ""."""
    match node:
        case ast.Call(func=func, args=[ast.Name() | ast.Attribute() as text]) if dotted(func) in _PARSERS:
            return dotted(text)
        case ast.Call(func=ast.Attribute(value=answer, attr="json"), args=[]) if dotted(answer):
            return f"{dotted(answer)}.text"
    return ""


def _hit(file: PythonFile, test: _Test, lookups: Sequence[_Lookup]) -> Hit:
    first, *others = (found.node for found in lookups)
    at = first.lineno
    return Hit(
        test.node.lineno,
        test.node.end_lineno or test.node.lineno,
        failure=f"`{file.written(test.node)}` is about the text: the word may stand in a value, in a nested "
        f"object, in another key. `{file.written(first)}` at line {at} then raises KeyError, or TypeError "
        "where the text is a list.",
        cost="One such row ends the run in the middle of its input.",
        fix=f'Parse first, then ask the object: `isinstance(row, dict) and "{test.key}" in row`.',
        grade=Grade.STRONG,
        also=tuple((o.lineno, o.end_lineno or o.lineno) for o in others),
        claims=(Claim("quote", f"Line {at} reads the key.", file.path, file.text.lines[at - 1].strip(), at),),
    )


DETECTOR = Detector(
    id="substring-for-key",
    summary="a test whether a text holds a word, in front of a lookup of that key in the parsed text",
    finders={"python": find},
    words=(
        Word(r"\bsubstrings?\b[^.\n]{0,60}\bkeys?\b|\bkeys?\b[^.\n]{0,60}\bsubstring", 2),
        Word(r"\b(?:string|text) (?:search|match|test|contain)\w*[^.\n]{0,40}\b(?:keys?|json)\b", 2),
        Word(r"\bin (?:line|row|raw|text|body|payload|chunk|msg|message)\b", 1),
        Word(r"\bjson\.loads?\b|\bpars(?:e|ing) (?:the )?json|\bjson\b[^.\n]{0,30}\bkey", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"python": ("loads(", ".json()")},
)
