"""Regular expressions that a model wrote, run over texts that a stranger wrote.

`re` backtracks, so that a short expression can take for ever. Here an expression is taken apart
first, and the steps that it can need for a line of n characters are bounded from above by
`factor * (n + 1) ** degree`; what has no such bound is refused. Who matches knows what it costs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

MAX_PATTERN = 300  # characters
MIN_WORD = 3

_TOKEN = re.compile(
    r"""(?P<escape>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.))
    |(?P<set>\[\^?+\]?+(?:[^\]\\]|\\.)*\])
    |(?P<open>\((?:\?:)?)
    |(?P<close>\))
    |(?P<repeat>(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d*)\})[?+]?)
    |(?P<bar>\|)
    |(?P<edge>[$^])
    |(?P<char>.)""",
    re.VERBOSE | re.DOTALL,
)
_OPERATOR_IN_SET = re.compile(r"\[\^?\[|--|&&|~~|\|\|")  # `re` warns that they may come to mean something
_ESCAPES = "abBdDfnrsStuvwWxAZ"  # of letters and digits; others refer back, or are longer than they look
# One character of each kind that an expression in ASCII can tell apart, and those of an odd upper case.
_SAMPLE = "".join(map(chr, range(128))) + "\xa0é\u0663€\u017f\u212a\u0130\u0131"
_MANY = 100  # turns of a bounded repeat, from which on it counts as an unbounded one


class Refused(ValueError):
    """Why an expression is not run, in words."""


class Pattern(NamedTuple):
    source: str
    flags: int
    factor: int
    degree: int
    word: str  # a fixed text that every match holds; "" where none is known

    def steps(self, lines: Sequence[str]) -> int:
        """An upper bound of the steps that matching each line takes."""
        return sum(self.factor * (len(line) + 1) ** self.degree for line in lines)

    def matching(self, lines: Sequence[str]) -> tuple[int, ...]:
        """The numbers, from 1, of the lines in which it is found."""
        search = re.compile(self.source, self.flags).search
        return tuple(n for n, line in enumerate(lines, 1) if search(line))


class _Token(NamedTuple):
    kind: str
    text: str


def read_pattern(written: str) -> Pattern:
    """Raises Refused for what is no expression of one line, or has no bound."""
    flags = re.IGNORECASE if written.startswith("(?i)") else 0
    source = written.removeprefix("(?i)")
    if not source or len(source) > MAX_PATTERN or "\n" in source:
        raise Refused(f"an expression has 1 to {MAX_PATTERN} characters in one line")
    tokens = [_Token(str(m.lastgroup), m[0]) for m in _TOKEN.finditer(source)]
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.kind == "open" and following and following.text.startswith("?"):
            raise Refused("look-arounds, flags and named groups are not run")
        if token.kind == "escape" and token.text[1].isalnum() and token.text[1] not in _ESCAPES:
            raise Refused(f"`{token.text}` is not run")
        if token == ("char", "["):
            raise Refused("it is no expression: a set is never closed")
        if token.kind == "set" and _OPERATOR_IN_SET.search(token.text):
            raise Refused(f"`{token.text}` may mean two things")
    try:
        re.compile(source, flags)
    except (re.error, OverflowError, RecursionError) as error:
        raise Refused(f"it is no expression: {error}") from None
    _refuse_nested(tokens)
    factor, degree = _bound(tokens, flags)
    return Pattern(source, flags, factor, degree, "" if flags else _word(tokens))


def _refuse_nested(tokens: Sequence[_Token]) -> None:
    """A group that repeats or chooses, repeated in its turn, can match in more ways than any bound."""
    simple = [True]  # for each open group: it neither repeats nor chooses
    last = True  # the same of the atom before a repeat
    for kind, text in tokens:
        if kind == "open":
            simple.append(True)
        elif kind == "close":
            last = simple.pop()
            simple[-1] = simple[-1] and last
        elif kind in ("bar", "repeat"):
            most = _turns(text)[1] if kind == "repeat" else 1
            if not last and (most is None or most > 1):
                raise Refused("a repeated group that repeats or chooses is not run")
            simple[-1] = False
        else:
            last = True


def _bound(tokens: Sequence[_Token], flags: int) -> tuple[int, int]:
    """The factor and degree of the bound. Each choice, and each repeat whose end is not settled by what
    follows it, multiplies the ways to match; the match can begin anywhere. A repeat that is settled
    reads to its end once for each way that leads to it."""
    factor, unsettled, scans = 1, 0, False
    for i, (kind, text) in enumerate(tokens):
        most = _turns(text)[1] if kind == "repeat" else 0
        if kind == "bar":
            factor *= 2
        elif most is None:
            scans = _settled(tokens, i, flags)
            unsettled += not scans
        else:
            factor *= most + 1
    anchored = tokens[0] == ("edge", "^") and not any(token.kind == "bar" for token in tokens)
    return factor, (not anchored) + unsettled + scans


def _turns(repeat: str) -> tuple[int, int | None]:
    """How often at least, and at most; None: no end."""
    if repeat[0] != "{":
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[repeat[0]]
    low, comma, high = repeat[1:].partition("}")[0].partition(",")
    most = int(high) if high else None if comma else int(low)
    return int(low or 0), None if most is not None and most > _MANY else most


def _settled(tokens: Sequence[_Token], at: int, flags: int) -> bool:
    """Whether an endless repeat can end in one place only: its character cannot be the one that has to
    follow, or nothing follows at all."""
    if at + 1 == len(tokens):
        return True
    atom, following = tokens[at - 1], tokens[at + 1]
    behind = tokens[at + 2] if at + 2 < len(tokens) else None
    optional = behind is not None and behind.kind == "repeat" and _turns(behind.text)[0] == 0
    if optional or not (_is_character(atom) and _is_character(following)):
        return False
    one, other = re.compile(atom.text, flags), re.compile(following.text, flags)
    return not any(one.fullmatch(c) and other.fullmatch(c) for c in _SAMPLE)


def _is_character(token: _Token) -> bool:
    """Whether it matches one character, and the sample has all kinds that it can tell apart."""
    if not token.text.isascii() or re.search(r"\\[xuUN0-9]", token.text):
        return False
    return token.kind in ("set", "char") or (token.kind == "escape" and token.text[1] not in "bBAZ")


def _word(tokens: Sequence[_Token]) -> str:
    """The longest fixed text outside of groups and alternatives."""
    words, word, depth = [""], "", 0
    for i, (kind, text) in enumerate(tokens):
        if kind == "bar" and depth == 0:
            return ""
        depth += (kind == "open") - (kind == "close")
        following = tokens[i + 1] if i + 1 < len(tokens) else None
        repeated = following is not None and following.kind == "repeat"
        literal = text if kind == "char" and text != "." else text[1:] if _is_plain_escape(kind, text) else ""
        if literal and depth == 0 and not repeated:
            word += literal
            words.append(word)
        else:
            word = ""
    longest = max(words, key=len)
    return longest if len(longest) >= MIN_WORD else ""


def _is_plain_escape(kind: str, text: str) -> bool:
    return kind == "escape" and len(text) == 2 and not text[1].isalnum()
