"""Token ids that leave as text, and only their number is looked at.

Text that is encoded again may join or split tokens. On 27,000 public files 8 of 9 were right, and
hardly one is sure without the code around it: a hint. What a model generated, and what is only
shown, is left out.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Set

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Claim, Grade
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.length_only_identity.counts import Tests
from reviewbot.detectors.length_only_identity.examples import BAD, GOOD
from reviewbot.detectors.length_only_identity.flow import Flow, Read, names_in, reading
from reviewbot.detectors.python import PythonFile, Scope, dotted
from reviewbot.detectors.tokenizer import decodes, encoder

_DECODES = pattern(r"(?:tok|tokeni[sz]er\w*|enc(?:oding)?)\.(?:batch_)?decode")
_GENERATED = pattern(
    r"generat|output|predict|(?:^|_)preds?(?:_|$)|complet|respon|answer|logits|logprob|argmax|sampled|beam|hypo|labels?(?:_|$)",
    re.I,
)
_HANDS_ON = pattern(
    r"(?:^|\.)(?:write|writelines|writestr|dumps?|append|extend|put|send\w*|post|request|create)$"
)
_TEXT = pattern(r"(?:^|_)(?:prompts?|texts?|inputs?|content)$")
_COUNT = pattern(
    r"(?!.*(?:output|complet|new|gen|min|max|expect))(?:.*_)?(?:len|length|count|num|n|tokens|size)(?:_|$)",
    re.I,
)
_MANY = 50  # decoding calls of one function that are followed; the first names them all
_SINGLE = pattern(r"(?:^|_)(?:id|token|idx)$")  # one id has no boundary to move
_FOR_PEOPLE = pattern(r"decode|detok|dump|debug|preview", re.I)  # functions whose work it is to show text
_VERIFIES = pattern(
    r"verif|check(?!point)|same|round_?trip|identical|assert_|(?:^|[._])(?:array_)?equal$", re.I
)


def find(file: PythonFile) -> Iterator[Hit]:
    if not file.is_test and _DECODES.search(file.text.content):
        hits = [hit for scope in file.scopes if (hit := _hit(file, scope))]
        yield from sorted(hits, key=lambda hit: hit.start_line)


def _hit(file: PythonFile, scope: Scope) -> Hit | None:
    calls = [n for n in scope.nodes if isinstance(n, ast.Call) and decodes(n)]
    own = scope.owner.name if not isinstance(scope.owner, ast.Module) else ""
    if not calls or _FOR_PEOPLE.search(own):
        return None
    shared = _Scope(scope)
    found = [(c, counted) for c in calls[:_MANY] if (counted := _Decoded(shared, c).counted_only())]
    if not found:
        return None
    (call, counted), *others = found
    line = counted.lineno
    return Hit(
        call.lineno,
        call.end_lineno or call.lineno,
        failure=f"`{file.written(call)}` hands token ids on as text, and all that is looked at is how many "
        f"they are (line {line}): encoded again, the text may give other ids.",
        cost="What is measured or trained on are not the tokens that the count vouches for.",
        fix="Encode the text again, compare the id lists, and refuse the first that differs; "
        "or hand on the ids themselves.",
        grade=Grade.HINT,
        also=tuple((c.lineno, c.end_lineno or c.lineno) for c, _ in others),
        claims=(
            Claim(
                "quote",
                f"Line {line} looks at their number.",
                file.path,
                file.text.lines[line - 1].strip(),
                line,
            ),
        ),
    )


class _Scope:
    """What the decoding calls of one scope share: everything is read once."""

    def __init__(self, scope: Scope) -> None:
        self.flow = Flow(scope)
        self.calls: list[tuple[ast.Call, Read]] = []
        self.reading: dict[object, list[int]] = defaultdict(list)  # what is read -> places in `calls`
        self.encoders: set[ast.Call] = set()
        self.handing: set[ast.Call] = set()  # what hands on whatever it is given
        self.verifying: list[tuple[ast.Call, Read]] = []
        self.equal: list[list[Read]] = []  # the sides of each comparison that is not of lengths
        self.counting: dict[str, list[tuple[ast.Compare, list[Read]]]] = defaultdict(list)
        self.dicts: list[ast.Dict] = []  # those that hold a count
        self.tests = Tests(scope.nodes)
        for node in scope.nodes:
            match node:
                case ast.Call(args=args, keywords=keywords):
                    self._called(node, reading([*args, *(k.value for k in keywords)]))
                case ast.Compare(left=left, comparators=others) if not any(map(_is_empty, (left, *others))):
                    self._compared(node, [reading([side]) for side in (left, *others)])
                case ast.Dict(keys=keys) if any(map(_is_count, keys)):
                    self.dicts.append(node)

    def _called(self, call: ast.Call, read: Read) -> None:
        for part in (*read.names, *read.calls):
            self.reading[part].append(len(self.calls))
        self.calls.append((call, read))
        name = dotted(call.func)
        if encoder(call):
            self.encoders.add(call)
        elif _HANDS_ON.search(name):
            self.handing.add(call)
        if _VERIFIES.search(name):
            self.verifying.append((call, read))

    def _compared(self, compare: ast.Compare, sides: list[Read]) -> None:
        if isinstance(compare.ops[0], ast.Eq | ast.NotEq) and not any(side.measured for side in sides):
            self.equal.append(sides)
        for name in {name for side in sides for name in self.number(side)}:
            self.counting[name].append((compare, sides))

    def number(self, read: Read) -> frozenset[str]:
        """The names whose number is read: `len(ids)`, or `n` where `n = len(ids)`."""
        return read.measured | {of for name in read.names for of in self.flow.counts.get(name, ())}


class _Decoded:
    """What becomes of the text that one call makes of ids."""

    def __init__(self, scope: _Scope, call: ast.Call) -> None:
        self._scope = scope
        self._flow = scope.flow
        self._call = call
        self._ids = scope.flow.before(names_in(call.args[0]))
        self._texts = scope.flow.after(scope.flow.given.get(call, ()))
        taking = {at for part in (call, *self._texts) for at in scope.reading.get(part, ())}
        self._takers = [scope.calls[at][0] for at in sorted(taking)]

    def counted_only(self) -> ast.expr | None:
        """The count that stands for the identity of the ids; None where it is proven, or not claimed."""
        given = names_in(self._call.args[0])
        one = len(given) == 1 and any(map(_SINGLE.search, given))
        if not self._ids or one or self._are_generated() or not any(map(self._hands_on, self._takers)):
            return None
        again = self._scope.encoders.intersection(self._takers)
        encoded = frozenset(name for call in again for name in self._flow.given.get(call, ()))
        return None if self._is_compared(again, encoded) else self._count(given - encoded, encoded)

    def _are_generated(self) -> bool:
        """Whether a model has made the ids: to show what it said is all that one can do."""
        calls = (c for name in self._ids for c in self._flow.made_by.get(name, ()))
        return any(map(_GENERATED.search, (*self._ids, *calls)))

    def _hands_on(self, call: ast.Call) -> bool:
        if call in self._scope.handing or call in self._scope.encoders:
            return call in self._scope.handing
        return any(self._is_text(k.value) for k in call.keywords if k.arg and _TEXT.search(k.arg))

    def _is_text(self, node: ast.expr) -> bool:
        return node is self._call or (isinstance(node, ast.Name) and node.id in self._texts)

    def _is_compared(self, again: Set[ast.Call], encoded: frozenset[str]) -> bool:
        """Whether what was encoded again is compared, or the text given to what says that it verifies."""
        if again and any(
            side.names & encoded or side.calls & again for sides in self._scope.equal for side in sides
        ):
            return True
        takers = set(self._takers)
        return any(c in takers or read.names & encoded for c, read in self._scope.verifying)

    def _count(self, given: set[str], encoded: frozenset[str]) -> ast.expr | None:
        """The nearest place that compares how many ids are `given`, or hands their number on with the text.
        The number of what was encoded again is true of the text, whatever the ids were."""
        taken = sorted(call.lineno for call in self._takers if self._hands_on(call))
        places: list[ast.expr] = [
            node
            for name in sorted(given)
            for node, sides in self._scope.counting.get(name, ())
            if self._scope.tests.claims(node, sides, given, taken)
        ]
        for call in self._takers:
            counts = (k.value for k in call.keywords if k.arg and _COUNT.match(k.arg))
            places += (value for value in counts if self._tells(value, encoded))
        for node in self._scope.dicts:
            if any(map(self._is_text, node.values)):
                pairs = zip(node.keys, node.values, strict=True)
                places += (value for key, value in pairs if _is_count(key) and self._tells(value, encoded))
        return min(places, key=lambda place: abs(place.lineno - self._call.lineno), default=None)

    def _tells(self, value: ast.expr, encoded: frozenset[str]) -> bool:
        """Whether a value is the number of the ids, or one of what they are made of: how many to take."""
        read = reading([value])
        told = self._scope.number(read) | read.names
        return bool(told & self._ids) and not told & encoded


def _is_count(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str) and bool(_COUNT.match(key.value))


def _is_empty(node: ast.expr) -> bool:
    """0 or 1: whether there are any says nothing about which."""
    return isinstance(node, ast.Constant) and node.value in (0, 1)


DETECTOR = Detector(
    id="length-only-identity",
    summary="token ids that are handed on as text, with only their number looked at",
    finders={"python": find},
    words=(
        Word(
            r"identit\w+[^.\n]{0,40}\b(?:lengths?|counts?|numbers?)\b|\b(?:lengths?|counts?)\b[^.\n]{0,40}identit",
            2,
        ),
        Word(r"\b(?:same|equal|identical) (?:tokens?|ids)\b|\btoken (?:ids? |identit)", 1),
        Word(
            r"\b(?:equal|same|matching) (?:counts?|lengths?|number of)\b"
            r"|\b(?:length|count)s? (?:alone|only|checks?)\b",
            1,
        ),
        Word(r"\btok\w*\.decode|\bre-?encod|\bdecode\W+encode|\bround[- ]trip", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"python": ("decode",)},
)
