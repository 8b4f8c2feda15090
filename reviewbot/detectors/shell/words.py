"""The words of a script that is written anew: names, constants, options, and tests of one variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.reduce import NAME, WORD, is_owned
from reviewbot.detectors.shell.script import variables_read

STAND_IN = "given"  # for a value that the text does not tell
_VARIABLE = pattern(NAME)
_CONSTANT = pattern(WORD)
_POSITIONAL = pattern(r"\$\{?[0-9#]")
_LITERAL = pattern(r"[A-Za-z0-9_./:@%+,=-]{1,100}")
_LONGEST = 200  # characters of a value or a test; a longer one is no name of a file
# Those that decide where a script ends, and how `set` is given them.
OPTIONS = {"errexit": "e", "nounset": "u", "pipefail": "o pipefail", "errtrace": "E"}
_LETTERS = {letter: name for name, letter in OPTIONS.items()}
_TEST = pattern(
    r"(?:\[\[?|test)\s+(?P<no>!\s+)?(?:(?P<unary>-[nz])\s+)?"
    r"(?P<quote>\"?)\$(?:(?P<name>[A-Za-z_]\w*)|\{(?P<braced>[A-Za-z_]\w*)(?::?-\w{0,40})?\})(?P=quote)"
    r"(?:\s+(?P<operator>==?|!=|-eq|-ne)\s+(?P<other>\S{1,100}))?(?:\s+\]\]?)?"
)
# What a function of a reduced script may not be called: all that such a script says itself.
_TAKEN = pattern(
    r"set|false|true|printf|cat|exit|return|test|local|declare|export|readonly|typeset|if|then|else|elif|fi|for"
    r"|in|do|done|while|until|case|esac|function|select|time|coproc"
)


class Held(NamedTuple):
    """A test, and what its variable must be for it to answer as wanted."""

    test: str
    name: str
    value: str


def is_plain(name: str) -> bool:
    """Whether a reduced script may have a variable of this name."""
    return bool(_VARIABLE.fullmatch(name)) and name.isascii() and not is_owned(name)


def is_taken(name: str) -> bool:
    """Whether a reduced script says this itself, so that no function may stand for it."""
    return bool(_TAKEN.fullmatch(name))


def is_own(name: str) -> bool:
    """Whether a reduced script may have a function of this name."""
    return bool(_VARIABLE.fullmatch(name)) and name.isascii() and not is_taken(name)


def constant(value: str) -> str | None:
    """A value of literal words and parameter expansions; None for any other."""
    if len(value) > _LONGEST or not _CONSTANT.fullmatch(value) or _POSITIONAL.search(value):
        return None
    return value if all(map(is_plain, variables_read(value))) else None


def literal(word: str) -> str | None:
    """A word without expansions, its quotes taken off; None for any other."""
    bare = unquoted(word)
    return bare if _LITERAL.fullmatch(bare) else None


def option_change(words: Sequence[str]) -> str | None:
    """`set …` with what decides where a script ends; "" where there is none of it, None if it is not plain.

    `words` are the arguments of `set`.
    """
    kept: list[str] = []
    rest = iter(map(unquoted, words))
    for word in rest:
        if word == "--":
            break
        if len(word) < 2 or word[0] not in "-+" or not (word[1:].isascii() and word[1:].isalpha()):
            return None
        for letter in word[1:]:
            name = next(rest, "") if letter == "o" else _LETTERS.get(letter, "")
            if letter == "o" and not (name.isascii() and name.isalpha()):
                return None
            if name in OPTIONS:
                kept.append(f"{word[0]}{OPTIONS[name]}")
    return f"set {' '.join(kept)}" if kept else ""


def held(text: str, answer: bool) -> Held | None:
    """A test of one variable against a literal, with the value that makes it answer `answer`; or None."""
    found = _TEST.fullmatch(text[:_LONGEST])
    name = (found["name"] or found["braced"]) if found else ""
    if found is None or not is_plain(name) or (found["unary"] and found["operator"]):
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
