"""One line of a gates fence as an argv that no shell will ever see.

A gate is run without a shell, so a line that needs one is refused. A line whose program only reads
and parses its files is "parse-only". Every other command is "executing": it may run code of the
repository, so it sees nothing but the sandbox, and what cannot work there is refused with the reason.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from reviewbot.core.gates import EACH, PLACEHOLDER, literal, parses, placeholders, recognise, unresolved
from reviewbot.core.patterns import pattern
from reviewbot.core.types import GateSpec

NETWORK = pattern(r"(?:ssh|scp|sftp|rsync|curl|wget|nc|ncat|telnet|ftp|gh|hub|glab|aws|gcloud|az|kubectl)$")
REMOTE_GIT = frozenset(["push", "pull", "fetch", "clone", "ls-remote"])
PREFIXES = frozenset(["sudo", "env", "exec", "time", "xargs"])
# What changes the shell that it is typed into, for the lines behind it.
BUILTINS = pattern(
    r"(?:cd|export|source|\.|set|unset|alias|eval|exec|trap|ulimit|umask|read|shopt|wait|return|exit"
    r"|if|for|while|until|case|function)$"
)
INSTALLERS = pattern(r"(?:pip[\d.]*|pipx|uv|conda|poetry|apt|apt-get|brew|dnf|yum|apk)$")
PACKAGES = frozenset(["npm", "pnpm", "yarn", "cargo", "go", "gem", "bundle"])  # these test things as well
INSTALLS = frozenset(["install", "ci", "add", "i", "get", "update", "fetch"])
SERVICES = {
    "git": "the sandbox has the files of a commit and no repository",
    "sudo": "nobody is root in the sandbox",
    **dict.fromkeys(["docker", "podman"], "no containers can be started in the sandbox"),
}
SHELL = pattern(r"(?:ba|da|z|k)?sh$")
_MARKS = {"*": "\1", "?": "\2", "[": "\3"}  # a glob character that no quote protects, while words are cut


def parse_gate(line: str, at: int, bound: Sequence[frozenset[str]] = ()) -> GateSpec:
    """The spec of a command line, which stands at line `at` of the skill file. `bound` are the placeholders
    that each row of the files in scope binds. Never raises."""
    command, note = split_comment(line.strip().removeprefix("$ "))
    argv: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    if needs := _shell_syntax(command):
        kind, reason = "refused", f"it needs a shell ({needs})"
    elif network := network_tool(command):
        kind, reason = "refused", f"`{network}` uses the network"
    else:
        try:
            argv, patterns = _words(command)
            kind, reason = _kind(argv, bound)
        except ValueError as e:  # an open quote
            kind, reason = "refused", f"it cannot be read: {str(e).lower()}"
    return GateSpec(line.strip(), argv, kind, reason, note, at, patterns if kind == "executing" else ())


def network_tool(line: str) -> str:
    """The program of a line that talks to other machines, or "git push" and its like; else ""."""
    for part in re.split(r"[|;&()`]+|\b(?:do|then|else)\b", split_comment(line)[0]):
        words = [w for w in part.split() if "=" not in w and w not in PREFIXES]
        name = words[0].rsplit("/", 1)[-1] if words else ""
        if NETWORK.match(name):
            return name
        if name == "git" and len(words) > 1 and words[1] in REMOTE_GIT:
            return f"git {words[1]}"
    return ""


def split_comment(line: str) -> tuple[str, str]:
    """The command of a line, and the text of the comment behind it."""
    for at, char in _unquoted(line):
        if char == "#" and (at == 0 or line[at - 1].isspace()):
            return line[:at].rstrip(), line[at + 1 :].strip()
    return line.strip(), ""


def _unquoted(line: str, *, also_double: bool = False) -> list[tuple[int, str]]:
    """(offset, character) of what no quote or backslash protects; double quotes protect neither
    "$" nor a backtick, which `also_double` asks for."""
    found = []
    quote = ""
    escaped = False
    for at, char in enumerate(line):
        if escaped:
            escaped = False
        elif char == "\\" and quote != "'":
            escaped = True
        elif quote:
            if char == quote:
                quote = ""
            elif quote == '"' and also_double and char in "$`":
                found.append((at, char))
        elif char in "'\"":
            quote = char
        else:
            found.append((at, char))
    return found


def _shell_syntax(command: str) -> str:
    """What in a command only a shell can do; "" if there is nothing."""
    plain = PLACEHOLDER.sub(lambda m: "_" * len(m[0]), command)
    active = "".join(char for _, char in _unquoted(plain, also_double=True))
    if "$(" in active or "`" in active:
        return "a command substitution"
    if "$" in active:
        return "a variable"
    if m := re.search(r"&&|\|\||>>|<<|[|;&<>(){}]", re.sub(r"\{[^{}\s]*\}", "", active)):
        return f"`{m[0]}`"
    if re.match(r"[A-Za-z_]\w*=", command):
        return "an assignment"
    return ""


def _words(command: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words, and the same as patterns; no patterns where no glob is in them. Raises ValueError."""
    active = {at for at, char in _unquoted(command) if char in _MARKS}
    if not active or set(command) & set(_MARKS.values()):
        return tuple(shlex.split(command)), ()
    marked = "".join(_MARKS[char] if at in active else char for at, char in enumerate(command))
    words = shlex.split(marked)
    plain = str.maketrans({mark: char for char, mark in _MARKS.items()})
    return tuple(w.translate(plain) for w in words), tuple(literal(w).translate(plain) for w in words)


def _kind(argv: tuple[str, ...], bound: Sequence[frozenset[str]]) -> tuple[str, str]:
    """The kind of a command, and the reason where it does not only parse."""
    if any(word.startswith(("/", "~")) or ".." in word.split("/") for word in argv):
        return "refused", "it reaches outside the repository"
    command = recognise(argv)
    if not isinstance(command, str):
        return "parse-only", ""
    if parses(argv):
        return "refused", command
    if why := _cannot_work(argv):
        return "refused", why
    if why := unresolved(argv, bound):
        return "refused", why
    names = ["changed file" if name == EACH else name for name in placeholders(argv)]
    times = f", once for each {' and '.join(names)}" if names else ""
    return "executing", f"it runs code of the repository{times}"


def _cannot_work(argv: tuple[str, ...]) -> str:
    """Why a command would fail in any sandbox, whatever the code is like; "" if it need not."""
    program, *words = argv
    if BUILTINS.match(program):
        return f"it needs a shell (`{program}`)"
    if SHELL.match(program) and any(re.match(r"-\w*c", word) for word in words[:1]):
        return f"it needs a shell (`{program} -c`)"
    module = words[1] if words[:1] == ["-m"] and len(words) > 1 else program
    if INSTALLERS.match(module) or (program in PACKAGES and words[:1] and words[0] in INSTALLS):
        return f"it installs something (`{' '.join(argv[:3])}`), and gates have no network"
    return SERVICES.get(program, "")
