"""Whether a flag that is the only argument of a script gets to the loop that parses it, as it was given."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.script import ShellFile, innermost, variables_read
from reviewbot.detectors.shell.slicing.disturbing import command_words
from reviewbot.detectors.shell.tree import CLAUSES, Node, Role
from reviewbot.detectors.shell.wayout import leaving

_READ = pattern(
    r"\$[1-9@*#]|\$\{(?:[1-9@*]|#(?:[1-9@*}:]|[-+?%=])|!(?:[^A-Za-z_]|\w+(?![\w\[*@])))|\bBASH_ARG[VC]\b"
)
# With one argument, and that a flag which wants a value, none of these is true.
_ONE = r"\"?(?:\$#|\$\{#\})\"? (?:(?:-eq|==?) \"?0\"?|-lt \"?1\"?|-le \"?0\"?)|-z \"?\$\{?1(?::?-)?\}?\"?"
_HELP = r"\"?\$\{?1(?::?-)?\}?\"? ==? [\"']?(?:-h|--help|help|--version)[\"']?"
_TEST = (
    rf"(?:\[ (?:{_ONE}|{_HELP}) \]|\[\[ (?:{_ONE}|{_HELP})(?>(?: \|\| {_HELP})*) \]\]"
    r"|\(\( ?\$# ?(?:==|<=) ?0 ?\)\))"
)
_FALSE = pattern(rf"{_TEST}(?>(?: \|\| {_TEST})*)")
# More than the first argument, or the end of a command, or of the script.
_MORE = pattern(r"\$\(|`|[<>]\(|\$\{?[2-9]|\$\{!|\?")
_ASSIGNED = pattern(r"([A-Za-z_]\w*)(?:\[[^]\n]{0,80}\])?\+?=")
_NAME = pattern(r"[A-Za-z_]\w*")
_OVER_ALL = pattern(r"\bfor\s+\w+\s+do\b")  # the grammar does not know it
_LOOPS = ("while_statement", "for_statement", "c_style_for_statement")
_ALL = ('"$@"', "$@", '"${@}"')
_ASSIGNMENTS = ("variable_assignment", "variable_assignments", "declaration_command")
_CALLS = 10  # from one function to the next that are followed back
_LONG = 5000  # characters; a longer statement is not read


def arrival(file: ShellFile, loop: Node) -> list[Node]:
    """The loop and the calls that lead to it, the last one at the top level. None of them where arguments
    are looked at, or changed, on the way; where there are several ways; and where there is surely none."""
    route, read = [loop], set(variables_read(file.text.content[loop.start : loop.end]))
    while len(route) <= _CALLS:
        node = route[-1]
        if not all(_passes(file, statement, read) for statement in _above(node)) or not _is_open(file, node):
            return []
        function = file.options.function_of(node)
        if function is None:
            return [] if _OVER_ALL.search(file.text.content) else route
        calls = file.options.calls.get(function.name, ())
        if file.functions[function.name] is not function or len(calls) != 1:
            return []
        route.append(calls[0])
        if len(calls[0].words) != 2 or calls[0].words[1] not in _ALL:
            return []
    return []


def _above(node: Node) -> Iterator[Node]:
    """The statements that come before a node in its function, the nearest first."""
    while node.parent is not None and node.kind != "function_definition":
        siblings = node.parent.children
        at = bisect_left(siblings, node.start, key=lambda child: child.start)
        yield from (siblings[before] for before in range(at - 1, -1, -1))
        node = node.parent


def _is_open(file: ShellFile, node: Node) -> bool:
    """Whether nothing around a node repeats it, or asks for an argument, such as the word of a `case`."""
    outer = node.parent
    while outer is not None and outer.kind != "function_definition":
        first = outer.children[0].start
        if outer.kind in _LOOPS or first - outer.start > _LONG:
            return False
        if outer.kind != "program" and _READ.search(file.text.content, outer.start, first):
            return False
        outer = outer.parent
    return True


def _passes(file: ShellFile, statement: Node, read: set[str]) -> bool:
    """Whether a statement leaves the arguments alone, and goes on whatever they are.

    `read` are the names that are spoken of behind it, in arithmetic without a `$`; its own are added.
    """
    if statement.kind == "function_definition":
        return True
    if statement.end - statement.start > _LONG or leaving(file, statement):
        return False
    text = file.text.content[statement.start : statement.end]
    if _is_skipped(file, statement):
        return True
    if any(map(_changes, (statement, *statement.inside()))):
        return False
    if _READ.search(text) and _READ.search(_without_literals(statement, text)):
        told = _only_tells(file, statement) and not _MORE.search(text)
        if not told or not read.isdisjoint(_ASSIGNED.findall(text)):
            return False
    read.update(_NAME.findall(text))
    return True


def _is_skipped(file: ShellFile, statement: Node) -> bool:
    """Whether its condition is false for one argument, so that nothing of it runs."""
    test = statement
    if statement.kind == "if_statement" and not any(c.kind in CLAUSES for c in statement.children):
        test = next(c for c in statement.children if c.role is Role.CONDITION)
    while statement.kind == "list" and test.kind == "list" and test.operator == "&&":
        test = test.children[0]
    return test is not statement and bool(_FALSE.fullmatch(file.text.content, test.start, test.end))


def _changes(node: Node) -> bool:
    """Whether it sets, shifts or goes over the arguments."""
    if node.kind == "for_statement":
        return not node.source.field_children("value")
    words = command_words(node)
    if words[:1] != ["set"]:
        return words[:1] in (["shift"], ["getopts"])
    rest = iter(words[1:])
    for word in rest:
        if word in ("--", "-") or word[:1] not in "-+":
            return True
        if word[-1] == "o":
            next(rest, "")
    return False


def _only_tells(file: ShellFile, statement: Node) -> bool:
    inner = innermost(statement)
    if inner.kind == "command":
        said = inner.name in ("echo", "printf") and inner.name not in file.functions
        return said and inner.words[1:2] != ("-v",)
    return inner.kind in _ASSIGNMENTS and len(inner.words) <= 1


def _without_literals(statement: Node, text: str) -> str:
    """The text without what stands in single quotes, such as a script for awk."""
    for literal in statement.source.find_all(kind="raw_string"):
        text = text.replace(literal.text(), "", 1)
    return text
