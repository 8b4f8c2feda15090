"""The commands that only parse: how they are written, what they read, and which options they may have.

Only what is in this table is ever started. Options that change files, read others or load code are
not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from reviewbot.core.language import interpreter, language
from reviewbot.core.patterns import pattern

UNFOLLOWED = "without -x, -a and -P: only the changed files are there to be read"
INTERPRETER = pattern(r"(?:(?:ba|da|k)?sh|python[\d.]*)$")
_LONG = ("--rcfile", "--init-file", "--check-hash-based-pycs")  # options of interpreters that have a value


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    start: tuple[str, ...]  # the words in front of the options
    language: str
    batch: int  # files of one process; 1 for tools that read only their first, and for slow ones
    options: Mapping[str, int] = field(default_factory=dict)  # name -> number of values
    replaced: Mapping[str, int] = field(default_factory=dict)  # accepted, left out: reviewbot sets its own


@dataclass(frozen=True, slots=True)
class Command:
    """A gate line of a known form."""

    tool: Tool
    words: tuple[str, ...]  # in front of the files
    patterns: tuple[str, ...]  # which files
    note: str = ""  # what was left out


_SHELLCHECK = {"-S": 1, "--severity": 1, "-s": 1, "--shell": 1, "-o": 1, "--enable": 1}
_SHELLCHECK |= {"-e": 1, "--exclude": 1, "-i": 1, "--include": 1}
# -x, -a and -P read files that a directive in the script names: any file of this machine.
_FOLLOWING = {"-x": 0, "--external-sources": 0, "-a": 0, "--check-sourced": 0, "-P": 1, "--source-path": 1}
_SHELLCHECK_OURS = {"-C": 0, "--color": 0, "-f": 1, "--format": 1, "--norc": 0}
_RUFF = {"--select": 1, "--ignore": 1, "--extend-select": 1, "--line-length": 1, "--target-version": 1}
_RUFF |= {"--preview": 0, "--no-preview": 0, "--ignore-noqa": 0}
_RUFF_OURS = {
    "--output-format": 1,
    "--no-cache": 0,
    "-q": 0,
    "--quiet": 0,
    "--no-fix": 0,
    "--force-exclude": 0,
}

# shellcheck takes 20 to 150 ms for a file: one process each keeps all processors busy, and a file that
# hangs it times out alone.
TOOLS = (
    Tool("py-compile", ("python3", "-m", "py_compile"), "python", 100),
    Tool("bash-n", ("bash", "-n"), "shell", 1),
    Tool("bash-n", ("sh", "-n"), "shell", 1),
    Tool("shellcheck", ("shellcheck",), "shell", 1, _SHELLCHECK, _SHELLCHECK_OURS | _FOLLOWING),
    Tool("ruff", ("ruff", "check"), "python", 100, _RUFF, _RUFF_OURS),
)


def recognise(argv: Sequence[str]) -> Command | str:
    """The command of a gate line, or why it is none that only parses."""
    if not argv:
        return "the line is empty"
    if tool := _tool(argv):
        return _read(tool, (*argv[:1], *tool.start[1:]), iter(argv[len(tool.start) :]))
    known = ", ".join(f"`{' '.join(tool.start)}`" for tool in TOOLS)
    return f"`{' '.join(argv[:2])}` is not one of the commands that only parse: {known}"


def parses(argv: Sequence[str]) -> bool:
    """Whether this is a command of the table or nothing at all, be it in a form that is refused."""
    return not argv or _tool(argv) is not None


def _tool(argv: Sequence[str]) -> Tool | None:
    plain = (re.sub(r"^python[\d.]*$", "python3", argv[0]), *argv[1:])
    return next((tool for tool in TOOLS if plain[: len(tool.start)] == tool.start), None)


def _read(tool: Tool, start: tuple[str, ...], rest: Iterator[str]) -> Command | str:
    words, note = [*start], ""
    patterns: list[str] = []
    for word in rest:
        if word == "--":
            patterns += rest
        elif not word.startswith("-"):
            patterns.append(word)
        elif option := _option(tool, word, rest):
            words += option if option[0] in tool.options else ()
            note = UNFOLLOWED if option[0] in _FOLLOWING else note
        else:
            return f"reviewbot does not run `{' '.join(start)}` with `{word}`"
    if not patterns and tool.name != "ruff":  # without a path ruff checks all below the current folder
        return "the line names no file"
    return Command(tool, tuple(words), tuple(patterns or ["."]), note)


def _option(tool: Tool, word: str, rest: Iterator[str]) -> tuple[str, ...]:
    """The words of one option, its name first: `-n`, `-nVALUE`, `-n VALUE`, `--name[=VALUE]`. Empty where
    the table has no such option, or its value is more than a word."""
    name, value = word.partition("=")[::2] if word.startswith("--") else (word[:2], word[2:])
    values = tool.options.get(name, tool.replaced.get(name))
    if values is None:
        return ()
    if values == 0:
        return () if value else (name,)
    value = value or next(rest, "")
    return (name, value) if re.fullmatch(r"\w[\w.,-]*", value) else ()


def started(argv: Sequence[str]) -> str:
    """The file of the tree that a command starts; "" where it starts a program of the system, or reads its
    program from a word or from standard input."""
    if "/" in argv[0]:
        return argv[0]
    if not INTERPRETER.match(argv[0]):
        return ""
    python = argv[0].startswith("python")
    words = iter(argv[1:])
    for word in words:
        if word in ("-", "--"):
            return "" if python and word == "-" else next(words, "")
        if not word.startswith("-" if python else ("-", "+")):
            return word
        values = _values(word, python)
        if values is None:
            return ""
        for _ in range(values):
            next(words, "")
    return ""


def _values(option: str, python: bool) -> int | None:
    """How many of the words behind an option of an interpreter are its values; None where no file is behind
    it. Letters stand together: `-eo pipefail`, `-Werror`."""
    if option.startswith("--"):
        return int(option in _LONG)
    if python:
        letters, *value = re.split("[WX]", option, maxsplit=1)
        return None if {"c", "m"} & set(letters) else int(value == [""])
    return None if {"c", "s"} & set(option) else sum(letter in "oO" for letter in option)


def reads(command: Command, path: str, first_line: str) -> bool:
    """Whether the tool of a command is meant for this file.

    Bats files are shell with a syntax of their own, and `sh -n` would call every array of a bash
    script a syntax error.
    """
    if language(path, first_line) != command.tool.language:
        return False
    if command.tool.name != "bash-n":
        return True
    other = command.words[0] == "sh" and interpreter(first_line) in ("bash", "ksh")
    return not path.endswith(".bats") and not other


def laid_out(path: str) -> str:
    """The name of a file in the folder where a gate runs.

    It is the file's own, but for characters that a tool's output could not carry on one line
    (shellcheck loses all of its output to a name that is no UTF-8): these are escaped.
    """
    if path.isprintable():
        return path
    return "".join(c if c.isprintable() else _escaped(c) for c in path)


def _escaped(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))


def argument(path: str) -> str:
    """The same as a word of a command line that no tool takes for an option."""
    name = laid_out(path)
    return f"./{name}" if name.startswith("-") else name
