"""Where a script runs `bash -n`, and on how many files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.shell.dataflow import Dataflow
from reviewbot.detectors.shell.launches import bare, unquoted
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import SUBSTITUTIONS, Node

_SHELLS = ("bash", "sh", "dash", "ksh", "ash")
# Options of xargs whose value may be the next word, and those whose value is the rest of their word.
_VALUED, _ATTACHED = "nLPsdEaI", "lie"
_LONG_VALUED = ("--max-args", "--max-chars", "--max-procs", "--delimiter", "--arg-file", "--process-slot-var")
_LONG = {"--max-args": "n", "--max-lines": "l", "--replace": "i"}
_EXEC = ("-exec", "-execdir", "-ok")
_QUOTED = pattern(r"\"[^\"]*\"|'[^']*'")
_GLOB = pattern(r"[*?]|\[[^\]]+\]|\{[^{},]*,[^{}]*\}")
_LISTS = pattern(r"(?:\$\(|`)\s*(?:find|ls|git|fd|fdfind|grep|rg|cat|echo|printf|sort)\b")
_ARRAY = pattern(r"\"?\$\{\w+\[[@*]\][^}]*\}\"?")
_ALL = pattern(r"\"?\$\{?[@*]\}?\"?")
_NAME = pattern(r"\$\{?([A-Za-z_]\w*)\}?")
_SCRIPT = pattern(r"\.(?:sh|bash|ksh)\"?$|/|[*?]")
_FOR = pattern(r"for\s+(\w+)")
_SOME = 2000  # characters of a value that are read


class How(Enum):
    OPERANDS = "operands"
    XARGS = "xargs"
    EXEC_MANY = "-exec … +"
    EXEC_EACH = "-exec … \\;"


class Check(NamedTuple):
    command: Node
    how: How
    shell: str
    grade: Grade
    program: tuple[str, ...] = ()  # the words up to the operands, as written
    operands: tuple[str, ...] = ()
    plain: bool = False  # of xargs: nothing says how many names it hands over


def checks(file: ShellFile) -> Iterator[Check]:
    """The syntax checks of a script that read fewer files than they are given, or cannot fail."""
    values: Mapping[str, str] | None = None
    for command in file.commands:
        words = command.words
        words = words[len(words) - len(bare(words)) :]
        name = unquoted(words[0]).rsplit("/", 1)[-1] if words else ""
        if name == "xargs":
            yield from _xargs(command, words)
        elif name == "find":
            yield from _find(command, words)
        elif name in _SHELLS and (operands := _checked(words)):
            if values is None:
                values = _values(file)
            if grade := _grade(operands, values):
                program = words[: len(words) - len(operands)]
                yield Check(command, How.OPERANDS, name, grade, tuple(program), tuple(operands))


def _values(file: ShellFile) -> Mapping[str, str]:
    """What is assigned to each variable; to the variable of a `for` nothing that matters."""
    looped = {found[1] for n in file.nodes if n.kind == "for_statement" and (found := _loop(file, n))}
    return {n: v[:_SOME] for n, v in Dataflow(file).values.items() if n not in looped}


def _loop(file: ShellFile, node: Node) -> re.Match[str] | None:
    return _FOR.match(file.text.content, node.start)


def _checked(words: Sequence[str]) -> Sequence[str] | None:
    """The operands of a shell that is to parse only (`-n`); None if it is to run something."""
    noexec, at = False, 1
    while at < len(words) and words[at][:1] in ("-", "+") and len(words[at]) > 1:
        word = words[at]
        at += 1
        if word == "--":
            break
        if word.startswith("--"):
            continue
        if "c" in word or "s" in word:
            return None
        noexec |= "n" in word
        if word.endswith("o"):
            noexec |= words[at : at + 1] == ("noexec",)
            at += 1
    return words[at:] if noexec else None


def _grade(operands: Sequence[str], values: Mapping[str, str]) -> Grade | None:
    """STRONG where the operands are surely more than one file, HINT where they may be."""
    files = [o for o in operands if not o.startswith("-")]
    if sum(bool(_SCRIPT.search(o)) for o in files) > 1:
        return Grade.STRONG
    grades = [g for o in files if (g := _many(o, values))]
    if Grade.STRONG in grades:
        return Grade.STRONG
    return Grade.HINT if grades or len(files) > 1 else None


def _many(operand: str, values: Mapping[str, str]) -> Grade | None:
    if _ARRAY.fullmatch(operand):
        return Grade.STRONG
    if _ALL.fullmatch(operand):
        return Grade.HINT
    if operand.startswith(("$(", "`")):
        return Grade.STRONG if _LISTS.match(operand) else None
    if found := _NAME.fullmatch(operand):
        value = values.get(found[1])
        return Grade.STRONG if value is not None and _is_list(value) else None
    return Grade.STRONG if _GLOB.search(_QUOTED.sub("", operand)) else None


def _is_list(value: str) -> bool:
    inner = unquoted(value)
    if inner.startswith(("$(", "`")):
        return bool(_LISTS.match(inner))
    return bool(_GLOB.search(inner) or re.search(r"\S\s+\S", inner)) and "$(" not in inner


def _xargs(command: Node, words: Sequence[str]) -> Iterator[Check]:
    options, program = _options(words)
    one_each = bool({"I", "i"} & options.keys()) or any(options.get(o) == "1" for o in "nLl")
    plain = options.keys().isdisjoint("nLl")
    name = unquoted(program[0]).rsplit("/", 1)[-1] if program else ""
    if name in _SHELLS and not one_each and _checked(program) == ():
        yield Check(command, How.XARGS, name, Grade.STRONG, plain=plain and words[0] == "xargs")


def _options(words: Sequence[str]) -> tuple[Mapping[str, str], Sequence[str]]:
    """The options of xargs, by their letter, with their values; and the command that it starts."""
    options: dict[str, str] = {}
    at = 1
    while at < len(words) and words[at].startswith("-"):
        word = words[at]
        at += 1
        if word == "--":
            break
        name, _, value = word.partition("=")
        if word.startswith("--"):
            if name in _LONG_VALUED and not value:
                value, at = unquoted(words[at]) if at < len(words) else "", at + 1
            options[_LONG.get(name, name)] = value or "1"
            continue
        letter = next((i for i, c in enumerate(word) if c in _VALUED + _ATTACHED), None)
        if letter is None:
            continue
        value = word[letter + 1 :]
        if not value and word[letter] in _VALUED:
            value, at = unquoted(words[at]) if at < len(words) else "", at + 1
        options[word[letter]] = value or "1"
    return options, words[at:]


def _find(command: Node, words: Sequence[str]) -> Iterator[Check]:
    at = next((i for i, word in enumerate(words) if word in _EXEC), len(words))
    program = words[at + 1 :]
    name = unquoted(program[0]).rsplit("/", 1)[-1] if program else ""
    end = next((i for i, word in enumerate(program) if word in ("+", "\\;", ";", "';'", '";"')), 0)
    if name not in _SHELLS or not _checked(program[:end]):
        return
    if program[end] == "+":
        yield Check(command, How.EXEC_MANY, name, Grade.STRONG)
    elif not any(n.kind in SUBSTITUTIONS for n in command.ancestors()):  # its output is looked at there
        yield Check(command, How.EXEC_EACH, name, Grade.HINT)
