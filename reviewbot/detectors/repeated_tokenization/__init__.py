"""A tokenizer that is given the same text in each turn of a loop.

On 8,595 public files 4 of 20 plain hits were right; all 4 that were left when the text, the
tokenizer and the pool had to be the same in each turn were.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Claim, Grade, Severity
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.python import PythonFile, Scope, dotted
from reviewbot.detectors.repeated_tokenization.examples import BAD, GOOD
from reviewbot.detectors.repeated_tokenization.loops import Loop, Loops, pool_of, read_by
from reviewbot.detectors.repeated_tokenization.recount import recounts
from reviewbot.detectors.tokenizer import encoder

_CALLS = pattern(r"(?:tok|tokeni[sz]er\w*|enc(?:oding)?)(?:\.\w+)?\(")
_SAMPLES = pattern(r"sampl|alpha|nbest|dropout")  # sentencepiece then cuts the same text in other ways
_BRIEF = "A few microseconds in each turn, for ids that do not change."
_LONG = "Work that was done already; over a corpus it keeps a core busy for minutes to hours."
_RETRIES = pattern(r"attempt|retr(?:y|ies)|tries|trial", re.I)


def find(file: PythonFile) -> Iterator[Hit]:
    if not file.is_test and _CALLS.search(file.text.content):
        hits = [hit for scope in file.scopes for hit in _hits(file, scope)]
        yield from sorted(hits, key=lambda hit: hit.start_line)


def _hits(file: PythonFile, scope: Scope) -> Iterator[Hit]:
    calls = [(n, tok) for n in scope.nodes if isinstance(n, ast.Call) and (tok := encoder(n))]
    if not calls:
        return
    loops = Loops(scope)
    earlier = dict(recounts(scope, loops, [call for call, _ in calls]))
    for call, tokenizer in calls:
        before = earlier.get(call)
        if loop := _repeated(loops, call, tokenizer):
            yield _in_loop(file, call, loop, before)
        elif before:
            yield _again(file, call, before)


def _repeated(loops: Loops, call: ast.Call, tokenizer: ast.expr) -> Loop | None:
    """The innermost loop in each turn of which a call tokenizes what it has tokenized before."""
    own = dotted(tokenizer)
    if not own or any(k.arg and _SAMPLES.search(k.arg) for k in call.keywords):
        return None
    given = (*(pool_of(arg) or arg for arg in call.args), *(k.value for k in call.keywords))
    paths = read_by(given)
    for loop, tests in loops.around(call):
        conditions = read_by(tests)
        if paths is None or conditions is None or loops.replaces(own, loop) or _ends_at_once(loop):
            return None
        if any(loops.is_flag(path, loop) for path in conditions):
            return None
        paths |= conditions  # the same text, and under the same conditions
        if (not loops.changes(paths, loop) or loops.cycles(paths, loop)) and not _is_retry(loop):
            return loop
        paths = loops.outside(paths, loop)
    return None


def _ends_at_once(loop: Loop) -> bool:
    """Whether the first turn is the last: its body ends in `return`, `break` or `raise`."""
    last = loop.node.body[-1] if not isinstance(loop.node, ast.comprehension) else None
    return isinstance(last, ast.Return | ast.Break | ast.Raise)


def _is_retry(loop: Loop) -> bool:
    """Whether a loop comes round only when something has failed."""
    node = loop.node
    parts = [node.test] if isinstance(node, ast.While) else [node.target, node.iter]
    names = (dotted(n) for part in parts for n in ast.walk(part) if isinstance(n, ast.Name | ast.Attribute))
    return any(map(_RETRIES.search, names))


def _in_loop(file: PythonFile, call: ast.Call, loop: Loop, before: ast.Call | None) -> Hit:
    failure = f"`{file.written(call)}` gives the same ids in each turn of the loop at line {loop.line}"
    claims = [_quote(file, loop.line, f"The loop stands at line {loop.line}.")]
    fix = "Tokenize in front of the loop and keep the ids; what is counted, count there too."
    if before:
        failure += f", and line {before.lineno} has made them already"
        claims.append(_quote(file, before.lineno, f"Line {before.lineno} tokenizes them first."))
        fix = f"Use the ids that line {before.lineno} has made."
    return _hit(call, f"{failure}.", fix, claims)


def _again(file: PythonFile, call: ast.Call, before: ast.Call) -> Hit:
    return _hit(
        call,
        f"`{file.written(call)}` makes ids that line {before.lineno} has made of the same texts.",
        "Keep the ids of the first pass, or add up there what is counted here.",
        [_quote(file, before.lineno, f"Line {before.lineno} tokenizes them first.")],
    )


def _quote(file: PythonFile, line: int, text: str) -> Claim:
    return Claim("quote", text, file.path, file.text.lines[line - 1].strip(), line)


def _hit(call: ast.Call, failure: str, fix: str, claims: Sequence[Claim]) -> Hit:
    return Hit(
        call.lineno,
        call.end_lineno or call.lineno,
        failure=failure,
        cost=_BRIEF if call.args and all(map(_is_constant, call.args)) else _LONG,
        fix=fix,
        grade=Grade.STRONG,
        claims=tuple(claims),
    )


def _is_constant(text: ast.expr) -> bool:
    """Whether a text is written out, or has the name of what is: `PREFIX`, `self.PREFIX`."""
    return isinstance(text, ast.Constant) or dotted(text).rsplit(".", 1)[-1].isupper()


_OFTEN = (
    r"(?:in(?:side)? (?:an? |the |every |each )?(?:inner |hot )?loops?|again and again|repeatedly|twice"
    r"|(?:each|every|per) (?:pass|turn|epoch|iteration|request))"
)

DETECTOR = Detector(
    id="repeated-tokenization",
    summary="a tokenizer that is given the same text in each turn of a loop",
    finders={"python": find},
    words=(
        Word(r"\bre-?tokeni[sz]\w*[^.\n]{0,60}\b(?:loops?|pass(?:es)?|again|times)\b", 2),
        Word(rf"tokeni[sz]\w*\b[^.\n]{{0,40}}\b{_OFTEN}", 2),
        Word(r"\b(?:repeat|redundan|duplicat|needless)\w* (?:re-?)?tokeni[sz]", 2),
        Word(rf"encod\w*\b[^.\n]{{0,40}}\b{_OFTEN}|\bre-?encod", 1),
        Word(r"\btokens?\b|\btokeni[sz]", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"python": ("tok", "enc")},
    ceiling=Severity.NOTE,
)
