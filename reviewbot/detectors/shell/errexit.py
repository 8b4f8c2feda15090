"""Which shell options are in force at a place: errexit above all, nounset and pipefail by the same walk.

One pass in the order of the text. A subshell, substitution or pipeline stage gives its changes
back at its end; a change inside a branch makes the option UNKNOWN after it; a function runs
with the options of its callers. What a sourced file sets cannot be known from here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.tree import SUBSTITUTIONS, Node, Role


class Setting(Enum):
    ON = "on"
    OFF = "off"
    UNKNOWN = "unknown"  # a sourced file, a branch, or callers that differ
    IGNORED = "ignored"  # errexit only: on, but bash disregards it inside a condition, `!`, `&&`, `||`
    CALLER = "caller"  # only inside Options: as at the call of the function around it


class State(NamedTuple):
    errexit: Setting
    nounset: Setting
    pipefail: Setting
    errtrace: Setting
    trap: Setting  # ON: an ERR trap that ends the script


_Entry = tuple[State, Node | None]  # the options at a call, and the condition that it stands in
_ALL_OFF = State(*[Setting.OFF] * 5)
_AS_CALLER = State(*[Setting.CALLER] * 5)
_UNCALLED: _Entry = (State(*[Setting.UNKNOWN] * 5), None)
_IGNORING = (Role.CONDITION, Role.LEFT, Role.NEGATED)
# Those that decide where a script ends, and how `set` is given them.
OPTIONS = {"errexit": "e", "nounset": "u", "pipefail": "o pipefail", "errtrace": "E"}
_LETTERS = {letter: name for name, letter in OPTIONS.items()}
_ANYTHING = dict.fromkeys(OPTIONS, Setting.UNKNOWN)
_LEAVES = pattern(r"\b(?:exit|kill)\b")
_SPOKEN = pattern(r"\bset[ \t]+(?!--(?:\s|$))[-+\"']|errexit")
_PLAIN_SET = pattern(r"\s*set((?:\s+[-+]?\w+)+)\s*;?\s*")
_OPERANDS = pattern(r"\s*set\s+--\s")
_SHELL = pattern(r"(?:.*[/=])?((?:ba|da|k|mk|z)?sh)")
# Files that prepare an environment; those that are known to leave the options alone.
_ENVIRONMENT = (
    r"(?:^|[/.])(?:activate|env|environment|profile|bashrc|bash_profile|conda\.sh|mamba\.sh|nvm\.sh"
    r"|modules?\.sh|setvars\.sh|os-release|lmod\.sh)[\"']?$|^/etc/"
)
HARMLESS = pattern(_ENVIRONMENT)
_HARMLESS = pattern(rf"{_ENVIRONMENT}|<\((?!\s*(?:curl|wget|cat|ssh|base64)\b)")
_MANY = 100  # changes before a node that are looked at
_SCOPES = ("function_definition", "subshell", *SUBSTITUTIONS)
_BRANCHES = ("if_statement", "case_statement", "elif_clause", "else_clause", "case_item", "do_group")
_ALTERNATIVES = ("elif_clause", "else_clause", "case_item")


class _Context(NamedTuple):
    """Where a node stands within its function, and what is set there."""

    state: State
    function: Node | None
    shell: Node | None  # the subshell, substitution, pipeline stage or background job around it
    ignored: Node | None  # the condition around it

    def entered(self, entries: Mapping[Node, _Entry]) -> _Entry:
        """The same with what the callers of the function have set."""
        if self.function is None:
            return self.state, self.ignored
        entry, ignored = entries.get(self.function, _UNCALLED)
        return _applied(entry, self.state._asdict()), self.ignored or ignored


class Options:
    """The options at every node of one script. `first_line` may be a shebang with flags."""

    def __init__(self, nodes: Sequence[Node], first_line: str) -> None:
        self.functions: Mapping[str, Node] = {n.name: n for n in nodes if n.kind == "function_definition"}
        self.calls: Mapping[str, Sequence[Node]] = self._find_calls(nodes)
        interpreter, flags = _shebang(first_line)
        self._flags = set_changes(flags)
        self._start = _applied(_ALL_OFF, self._flags)
        text = nodes[0].text
        self._spoken = bool(_SPOKEN.search(text))
        self._inherits = interpreter in ("sh", "dash", "ksh") or "inherit_errexit" in text
        self._contexts: dict[Node, _Context] = {}
        self._effects: dict[str, State] = {}
        self._changing: dict[Node, Mapping[str, Setting]] = {}  # in the order of the text
        self._walk(nodes)
        if self._effects:  # a call may stand before the text of a function that sets something
            self._walk(nodes)
        self._entries = self._enter()

    def errexit_at(self, node: Node) -> Setting:
        """ON: a failing statement here ends the script (an ERR trap that exits counts too)."""
        state, ignored = self._at(node)
        stops = state.errexit if state.errexit is not Setting.OFF else state.trap
        return Setting.IGNORED if ignored and stops is not Setting.OFF else stops

    def ignored_by(self, node: Node) -> Node | None:
        """The condition, or the call in one, for which bash would disregard errexit at this node."""
        return self._at(node)[1]

    def nounset_at(self, node: Node) -> Setting:
        return self._at(node)[0].nounset

    def pipefail_at(self, node: Node) -> Setting:
        return self._at(node)[0].pipefail

    def setting_at(self, node: Node, option: str) -> Setting:
        """`option` is "errexit", "nounset" or "pipefail"."""
        return self.errexit_at(node) if option == "errexit" else getattr(self._at(node)[0], option)

    def decided_at(self, node: Node, option: str) -> tuple[int, Setting] | None:
        """The line that gives an option the value it has at a node; None where no one line surely does."""
        value = getattr(self._at(node)[0], option)
        changes = self._changes_of[option]
        before = bisect_left(changes, node.start, key=lambda change: change.start)
        for change in changes[max(before - _MANY, 0) : before][::-1]:
            if self._changing[change][option] is value and self._reaches(change, node):
                return change.line, value
        if self._settings_of[option] != {value}:
            return None
        if option in self._flags:
            return 1, value
        outside = before and self._contexts[changes[0]].function is None
        return (changes[0].line, value) if outside else None

    @cached_property
    def _changes_of(self) -> Mapping[str, Sequence[Node]]:
        """Option -> the commands that change it."""
        return {name: [c for c, made in self._changing.items() if name in made] for name in OPTIONS}

    @cached_property
    def _settings_of(self) -> Mapping[str, set[Setting]]:
        """Option -> all that it is set to anywhere, the shebang included."""
        made = (self._flags, *self._changing.values())
        return {name: {changes[name] for changes in made if name in changes} for name in OPTIONS}

    def _reaches(self, change: Node, node: Node) -> bool:
        """Whether a change is made by the function that a node stands in, and in no inner shell."""
        context = self._contexts[change]
        shell = context.shell
        same = context.function is self._contexts[node].function
        return same and (shell is None or shell.start <= node.start < shell.end)

    def changed_in(self, node: Node) -> bool:
        """Whether a command in a node, or the node itself, changes an option or may."""
        at = bisect_left(self._change_places, node.start)
        return at < len(self._change_places) and self._change_places[at] < node.end

    @cached_property
    def _change_places(self) -> Sequence[int]:
        return sorted(change.start for change in self._changing)

    def function_of(self, node: Node) -> Node | None:
        """The innermost function definition around a node."""
        return self._contexts[node].function

    def shell_of(self, node: Node) -> Node | None:
        """The innermost subshell, substitution, pipeline stage or background job around a node."""
        return self._contexts[node].shell

    def _at(self, node: Node) -> _Entry:
        return self._contexts[node].entered(self._entries)

    def _find_calls(self, nodes: Iterable[Node]) -> Mapping[str, Sequence[Node]]:
        calls = defaultdict(list)
        for node in nodes:
            if node.kind == "command" and node.name in self.functions:
                calls[node.name].append(node)
        return calls

    def _walk(self, nodes: Sequence[Node]) -> None:
        frames: list[tuple[Node, State, bool]] = []  # (node, state before it, whether it gives back)
        begins: set[Node | None] = set()  # each `if` of which no branch has begun
        state = self._start
        for node in nodes:
            while frames and frames[-1][0].end <= node.start:
                state = self._left(*frames.pop(), state)
            if node.role is Role.BODY and node.parent in begins:
                begins.discard(node.parent)
                frames[-1] = (frames[-1][0], state, False)  # each branch starts behind the condition
            gives_back = _is_scope(node)
            if gives_back or node.kind in _BRANCHES or node.role is Role.RIGHT:
                frames.append((node, state, gives_back))
                if node.kind == "if_statement" and not gives_back:
                    begins.add(node)
                state = self._entered(node, state, frames)
            context = self._contexts[node] = self._context(node, state)
            if node.kind == "command" and (changes := self._changed_by(node, context)):
                self._changing[node] = changes
                state = _applied(state, changes)
        while frames:
            state = self._left(*frames.pop(), state)

    def _context(self, node: Node, state: State) -> _Context:
        parent = node.parent
        if parent is None:
            return _Context(state, None, None, None)
        _, function, shell, ignored = self._contexts[parent]
        if parent.kind == "function_definition":
            function, shell, ignored = parent, None, None
        elif _is_scope(parent):
            shell = parent
        return _Context(state, function, shell, node if node.role in _IGNORING else ignored)

    def _entered(self, node: Node, state: State, frames: Sequence[tuple[Node, State, bool]]) -> State:
        if node.kind == "function_definition":
            return _AS_CALLER
        if node.kind in _ALTERNATIVES:
            return next((before for outer, before, _ in reversed(frames) if outer is node.parent), state)
        if node.kind in SUBSTITUTIONS and not self._inherits:
            state = state._replace(errexit=Setting.OFF)
        if node.kind in (*SUBSTITUTIONS, "subshell") and state.errtrace is Setting.OFF:
            state = state._replace(trap=Setting.OFF)
        return state

    def _left(self, node: Node, before: State, gives_back: bool, state: State) -> State:
        if not gives_back:
            if node.kind == "if_statement" and node.children[-1].kind == "else_clause":
                return state  # one of the branches has run, and each has been merged into it
            return State(*(a if a is b else Setting.UNKNOWN for a, b in zip(before, state, strict=True)))
        if node.kind == "function_definition" and state != _AS_CALLER:
            self._effects[node.name] = state
        return before

    def _changed_by(self, command: Node, context: _Context) -> Mapping[str, Setting]:
        words = tuple(map(unquoted, command.words))
        if command.name in ("builtin", "command"):
            words = words[1:]
        words = (words[0].lstrip("\\"), *words[1:]) if words else words
        match words[:1]:
            case ("set",):
                return _unless_on(context, set_changes(words[1:]))
            case ("eval",) if words[1:]:
                return self._evaluated(" ".join(words[1:]), context)
            case ("exec",) if "$0" in words:
                return set_changes(_shell_flags(words[1 : words.index("$0")]))
            case ("shopt",):
                flags = "".join(word for word in words[1:] if word[0] == "-")
                setting = Setting.ON if "s" in flags else Setting.OFF
                return {name: setting for name in OPTIONS if name in words and "o" in flags}
            case ("trap",) if any(w.strip("\"'").upper() == "ERR" for w in words[2:]):
                return {"trap": self._ends(words[2 if words[1] == "--" else 1])}
            case ("source" | ".",) if len(words) > 1 and (
                _SPOKEN.search(words[1]) or not _HARMLESS.search(words[1])
            ):
                return _unless_on(context, _ANYTHING)
        effect = self._effects.get(command.name)
        if effect is None or (context.function is not None and context.function.name == command.name):
            return {}
        return effect._asdict()

    def _evaluated(self, code: str, context: _Context) -> Mapping[str, Setting]:
        """What `eval` of a text changes: a plain `set` is read, another mention leaves it unknown."""
        if plain := _PLAIN_SET.fullmatch(code):
            return set_changes(plain[1].split())
        expands = "$" in code and not _OPERANDS.match(code)
        spoken = self._spoken if expands else _SPOKEN.search(code)
        return _unless_on(context, _ANYTHING) if spoken else {}

    def _ends(self, action: str) -> Setting:
        """Whether the action of an ERR trap ends the script."""
        body = action.strip("\"'")
        handlers = [self.functions[w] for w in re.findall(r"[\w-]+", body) if w in self.functions]
        texts = [body, *(handler.text for handler in handlers)]
        if any(_LEAVES.search(text) for text in texts):
            return Setting.ON
        return Setting.UNKNOWN if re.fullmatch(r"[A-Za-z_][\w-]*", body) and not handlers else Setting.OFF

    def _enter(self) -> dict[Node, _Entry]:
        """Function -> the options at its calls, merged, and the call that ignores errexit, if one does."""
        entries: dict[Node, _Entry] = {}
        called_by: dict[Node | None, list[tuple[Node, Node]]] = defaultdict(list)
        for name, calls in self.calls.items():
            for call in calls:
                called_by[self._contexts[call].function].append((call, self.functions[name]))
        waiting: list[Node | None] = [None]
        while waiting:
            for call, function in called_by[waiting.pop()]:
                entry = self._merged(entries.get(function), *self._at_call(call, entries))
                if entry != entries.get(function):
                    entries[function] = entry
                    waiting.append(function)
        return entries

    def _at_call(self, call: Node, entries: Mapping[Node, _Entry]) -> _Entry:
        state, ignored = self._contexts[call].entered(entries)
        if state.errtrace is Setting.OFF:
            state = state._replace(trap=Setting.OFF)
        return state, ignored

    @staticmethod
    def _merged(known: _Entry | None, state: State, ignored: Node | None) -> _Entry:
        if known is None:
            return state, ignored
        merged = (a if a is b else Setting.UNKNOWN for a, b in zip(known[0], state, strict=True))
        return State(*merged), known[1] or ignored


def _is_scope(node: Node) -> bool:
    return node.kind in _SCOPES or node.role in (Role.STAGE, Role.LAST_STAGE) or node.background


def _applied(state: State, changes: Mapping[str, Setting]) -> State:
    return state._replace(**{k: v for k, v in changes.items() if v is not Setting.CALLER})


def _unless_on(context: _Context, changes: Mapping[str, Setting]) -> dict[str, Setting]:
    """A library, or `set $FLAGS`, may add errexit; that one takes it away again is no known habit."""
    now = context.state._asdict()
    return {k: v for k, v in changes.items() if v is not Setting.UNKNOWN or now[k] is not Setting.ON}


def _shebang(line: str) -> tuple[str, list[str]]:
    """The name of the shell in a `#!` line, also behind `env -S`, and the options that it gets."""
    words = line[2:].split() if line[:2] == "#!" else []
    found = (_SHELL.fullmatch(word.removeprefix("-S")) for word in words)
    return next((shell[1] for shell in found if shell), ""), _shell_flags(words)


def _shell_flags(words: Sequence[str]) -> list[str]:
    """The options behind the name of a shell; none where no shell is started."""
    for at, word in enumerate(words):
        if _SHELL.fullmatch(word.removeprefix("-S")):
            return [w for w in words[at + 1 :] if w[:2] != "--"]
    return []


def set_changes(words: Sequence[str]) -> dict[str, Setting]:
    """What the arguments of `set` change: `-euo pipefail`, `+e`, `-o errexit`; up to the first operand."""
    changes: dict[str, Setting] = {}
    rest = iter(map(unquoted, words))
    for word in rest:
        if "$" in word and word[0] in "-+$":  # `set $FLAGS`, `set -${X}e`: anything may be in it
            return {**_ANYTHING, **changes}
        if len(word) < 2 or word[0] not in "-+" or word == "--":
            break
        setting = Setting.ON if word[0] == "-" else Setting.OFF
        for letter in word[1:]:
            name = next(rest, "") if letter == "o" else _LETTERS.get(letter)
            if name in OPTIONS:
                changes[name] = setting
            elif name and "$" in name:
                changes = {**_ANYTHING, **changes}
    return changes
