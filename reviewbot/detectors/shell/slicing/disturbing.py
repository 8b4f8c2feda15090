"""What makes a line of a reduced script mean another thing in the whole one.

A function or an alias with the name of a command, a trap that runs between commands, code that is not in
the text, an option, a variable that cannot be set. Where one of them may be at work there is no proof.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.errexit import HARMLESS, OPTIONS
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.slicing.earlier import Earlier
from reviewbot.detectors.shell.tree import Node, Role, overlooked

# All that a reduced script says itself: it means another thing where a function has this name.
_SAID = pattern(
    r"set|false|true|:|printf|cat|exit|return|shift|break|test|\[\[?|local|declare|export|readonly|typeset|if"
    r"|then|else|elif|fi|for|in|do|done|while|until|case|esac|function|select|time|coproc|command|builtin"
)
# The grammar takes a line that begins with a backslash for more of the line above.
_ESCAPED = pattern(
    r"^[ \t]*\\(?:alias|trap|eval|source|shopt|set|enable|declare|typeset|readonly|exec|builtin|command"
    r"|shift)\b",
    re.MULTILINE,
)
_QUOTING = pattern(r"[\"'\\]")
_BEFORE = ("command", "builtin", "time", "-p", "--")  # what may stand before the name of a command
_CODE = ("eval", "source", ".")
_DECLARING = ("declare", "typeset", "local", "readonly")
_PLAIN_FLAGS = pattern(r"-[agxfFp]+|[^-+].*")
_HOOKS = pattern(r"(?:SIG)?(?:ERR|DEBUG|RETURN)|.*[${].*", re.IGNORECASE)
_HARMLESS_LETTERS = pattern(r"[-+][euxvfabmEChHT]*o?")
_HARMLESS_OPTIONS = (*OPTIONS, "xtrace", "verbose", "noglob", "allexport", "monitor", "functrace")
_HARMLESS_SHOPTS = ("nullglob", "globstar", "dotglob", "extglob", "nocaseglob", "failglob", *OPTIONS)
# The set-up of a known program, which defines functions of its own name.
_SETS_UP = pattern(r"\$\((?:\S*/)?(?:conda|micromamba|mamba|pyenv|ssh-agent|brew|modulecmd)\b")
_SPLITS = pattern(r"IFS=(?:\$?[\"'](?:\\[nt]|[ ,:;|\n\t])*[\"'])?")
_MODES = pattern(r"(?:POSIXLY_CORRECT|BASH_COMPAT|BASHOPTS|SHELLOPTS)\b|IFS\+=")
_NAME = pattern(r"[A-Za-z_]\w*")
# A loop with a bound, or over what is given to it.
_BOUND = pattern(r"(?:while|until)\s+[^$`(]*\bread\b|(?:while|until)\b[^`]*?(?:\s-[lg][te]\s|\(\(|\$#)")
_CALCULATED = pattern(r"\$\(|`|^(?:while|until)\s+(?:true|:)\b")
_ENDLESS = pattern(r"for[ \t]*\(\([^;]*;[ \t]*;")
_LEAVES = pattern(r"\b(?:exit|return|die|fatal|abort)\b")
_SOME = 300  # characters of an assignment, or of a condition, that are read
_CHEAP = 10  # mentions of functions that take as long to be looked at as a statement
_LONG = 5000  # characters; a longer loop is not read


class Disturbances:
    """Of one script."""

    def __init__(self, file: ShellFile) -> None:
        self._file = file

    @cached_property
    def names_are_taken(self) -> bool:
        """Whether a function has the name of something that a reduced script says; or nobody can tell."""
        taken = any(map(_SAID.fullmatch, self._file.functions))
        content = self._file.text.content
        return taken or _ESCAPED.search(content) is not None or bool(overlooked(self._file.nodes, content))

    @cached_property
    def cost(self) -> int:
        """Of one call of `before`, as a Budget counts."""
        return self._earlier.mentions // _CHEAP if self._found else 0

    def before(self, route: Sequence[Node], lines: Iterable[str], replaced: Iterable[Node] = ()) -> bool:
        """Whether one may be at work, for these lines, where control gets by a route (see Earlier.than).

        What stands in a node that is `replaced` is of no account, nor in a shell of its own.
        """
        names = {"", *(name for line in lines for name in _NAME.findall(line))}
        found = [node for name in names for node in self._found.get(name, ())]
        if not found:
            return False
        has_run = self._earlier.than(route)
        return any(
            has_run(node.start)
            and not any(other.start <= node.start < other.end for other in replaced)
            and self._reaches(node, route)
            for node in found
        )

    def _reaches(self, node: Node, route: Sequence[Node]) -> bool:
        """Whether it runs in the shell of the route."""
        apart = node.background or node.role in (Role.STAGE, Role.LAST_STAGE)
        shell = node if apart else self._file.options.shell_of(node)
        return shell is None or any(shell.start <= place.start < shell.end for place in route)

    @cached_property
    def _earlier(self) -> Earlier:
        return Earlier(self._file)

    def is_code(self, command: Node) -> bool:
        """Whether a command is a function of the script, or code from elsewhere: it may do more than fail."""
        return any(w in self._file.functions or w in _CODE for w in command_words(command)[:1])

    def may_stay_in(self, node: Node) -> bool:
        """Whether there is a loop in a node, or a `wait`, that may never end, or that may leave."""
        at = bisect_left(self._stays, node.start)
        return at < len(self._stays) and self._stays[at] < node.end

    @cached_property
    def _stays(self) -> Sequence[int]:
        return [node.start for node in self._file.nodes if self._may_stay(node)]

    def _may_stay(self, node: Node) -> bool:
        if node.kind in ("for_statement", "c_style_for_statement"):
            return self._may_leave(node) or bool(_ENDLESS.match(self._text(node)))
        if node.kind != "while_statement":
            return node.name == "wait" or (node.name == "sleep" and node.words[1:] == ("infinity",))
        body = next((child.start for child in node.children if child.kind == "do_group"), node.end)
        head = self._text(node)[: body - node.start]
        return not _BOUND.match(head) or bool(_CALCULATED.search(head)) or self._may_leave(node)

    def _may_leave(self, loop: Node) -> bool:
        long = loop.end - loop.start > _LONG
        return long or bool(_LEAVES.search(self._file.text.content, loop.start, loop.end))

    @cached_property
    def _found(self) -> Mapping[str, Sequence[Node]]:
        """By the variable that alone it matters to; "" for all."""
        found = defaultdict[str, list[Node]](list)
        for node in self._file.nodes:
            for name in self._in(node):
                found[name].append(node)
        return found

    def _in(self, node: Node) -> Iterator[str]:
        if node.kind == "declaration_command":
            made = (self._text(c) for c in node.children if c.kind == "variable_assignment")
            yield from self._spoilt([*map(_spelt, node.words), *made])
        elif node.kind == "variable_assignment":
            text = self._text(node)
            if _MODES.match(text) or (text.startswith("IFS=") and not _SPLITS.fullmatch(text)):
                yield ""
        elif node.kind == "command":
            words = command_words(node)
            if words and words[0] in _DECLARING:
                yield from self._spoilt(words, 0)
            elif words and _disturbs(words):
                yield ""

    def _spoilt(self, words: Sequence[str], assigned: int = 1) -> Iterator[str]:
        """The names that a declaration makes something else than a variable that can be set to a word.

        `assigned`: how often ShellFile.assigned counts what it assigns.
        """
        if words[0] not in _DECLARING:
            return
        flags = "".join(w[1:] for w in words[1:] if w[:1] in "-+" and not _PLAIN_FLAGS.fullmatch(w))
        fixed = words[0] == "readonly" or "r" in flags
        if not (fixed or flags):
            return
        for word in words[1:]:
            name, given, _ = word.partition("=")
            # It has one value, and nobody sets it again.
            constant = given and len(self._file.assigned.get(name, ())) <= assigned and not flags.strip("rgx")
            if word[:1] not in "-+" and not constant:
                yield name if _NAME.fullmatch(name) else ""

    def _text(self, node: Node) -> str:
        return self._file.text.content[node.start : min(node.end, node.start + _SOME)]


def command_words(command: Node) -> list[str]:
    """The name and the arguments of a command, without quotes; none of what is none."""
    words = [*map(_spelt, command.words)] if command.kind == "command" else []
    while words and words[0] in _BEFORE:
        del words[0]
    return words


def _spelt(word: str) -> str:
    return _QUOTING.sub("", word)


def _disturbs(words: Sequence[str]) -> bool:
    """Whether a command changes what the commands behind it do, or may."""
    name, rest = words[0], words[1:]
    match name:
        case "alias" | "exec":
            return any(word[:1] not in "-+{" for word in rest)
        case "enable" | "coproc":
            return True
        case "shopt":
            flags = "".join(word for word in rest if word[:1] == "-")
            asks = not ("s" in flags or "u" in flags)
            return not asks and any(w[:1] != "-" and w not in _HARMLESS_SHOPTS for w in rest)
        case "set":
            return _sets_a_mode(rest)
        case "trap":
            operands = [word for word in rest if word != "--"]
            return operands[:1] not in (["-"], [""]) and any(map(_HOOKS.fullmatch, operands[1:]))
        case "eval":
            return bool(rest) and not _SETS_UP.match(rest[0])
        case "source" | ".":
            return bool(rest) and not HARMLESS.search(rest[0])
    return False


def _sets_a_mode(words: Sequence[str]) -> bool:
    """Whether `set` sets more than what decides where a script ends, and how it is traced."""
    rest = iter(words)
    for word in rest:
        if word in ("--", "-"):
            return False
        if word[:1] not in "-+":
            return "$" in word
        if not _HARMLESS_LETTERS.fullmatch(word):
            return True
        if word[-1] == "o" and next(rest, "xtrace") not in _HARMLESS_OPTIONS:
            return True
    return False
