"""The values in a slice: constants, and what a variable must be for a test of it."""

from __future__ import annotations

from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.reduced import WORD, is_assignable
from reviewbot.detectors.shell.script import variables_read

STAND_IN = "given"  # for a value that the text does not tell
_CONSTANT = pattern(WORD)
_POSITIONAL = pattern(r"\$\{?[0-9#]")
_LITERAL = pattern(r"[A-Za-z0-9_./:@%+,=-]{1,100}")
_LONGEST = 200  # characters of a value; a longer one is no name of a file
_TEST = pattern(
    r"(?:\[\[?|test)\s+(?P<no>!\s+)?(?:(?P<unary>-[nz])\s+)?"
    r"(?P<quote>\"?)\$(?:(?P<name>[A-Za-z_]\w*)|\{(?P<braced>[A-Za-z_]\w*)(?::?-\w{0,40})?\})(?P=quote)"
    r"(?:\s+(?P<operator>==?|!=|-eq|-ne)\s+(?P<other>\S{1,100}))?(?:\s+\]\]?)?"
)


class Held(NamedTuple):
    """A test, and what its variable must be for it to answer as wanted."""

    test: str
    name: str
    value: str


def constant(value: str) -> str | None:
    """A value of literal words and parameter expansions; None for any other."""
    if len(value) > _LONGEST or not _CONSTANT.fullmatch(value) or _POSITIONAL.search(value):
        return None
    return value if all(map(is_assignable, variables_read(value))) else None


def literal(word: str) -> str | None:
    """A word without expansions, its quotes taken off; None for any other."""
    bare = unquoted(word)
    return bare if _LITERAL.fullmatch(bare) else None


def held(text: str, answer: bool) -> Held | None:
    """A test of one variable against a literal, with the value that makes it answer `answer`; or None."""
    found = _TEST.fullmatch(text)
    name = (found["name"] or found["braced"]) if found else ""
    if found is None or not is_assignable(name) or (found["unary"] and found["operator"]):
        return None
    no = "! " if found["no"] else ""
    true = answer is not bool(no)
    if not found["operator"]:
        unary = found["unary"] or "-n"
        return Held(f'[ {no}{unary} "${name}" ]', name, STAND_IN if true is (unary == "-n") else "")
    other = literal(found["other"]) or ("" if found["other"] in ('""', "''") else None)
    if other is None or (found["operator"][0] == "-" and not other.isdecimal()):
        return None
    operator = "=" if found["operator"] == "==" else found["operator"]
    same = true is (operator in ("=", "-eq"))
    another = "1" if other == "0" else "0" if operator[0] == "-" else STAND_IN
    if not same and other == another:
        return None
    return Held(f'[ {no}"${name}" {operator} "{other}" ]', name, other if same else another)
