"""The statements of a shell script as a light tree: read from ast-grep once, then plain Python.

Only the kinds of KINDS become nodes (about a fifth of the grammar's), so that a detector may
walk as it likes: each call into the parser costs about a microsecond, and a node's position
costs time in proportion to its column.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from ast_grep_py import Rule, SgNode, SgRoot

from reviewbot.core.patterns import pattern

STATEMENTS = frozenset(
    {
        "command",
        "declaration_command",
        "unset_command",
        "variable_assignment",
        "variable_assignments",
        "test_command",
        "compound_statement",
        "subshell",
        "list",
        "pipeline",
        "negated_command",
        "redirected_statement",
        "if_statement",
        "while_statement",
        "for_statement",
        "c_style_for_statement",
        "case_statement",
        "function_definition",
    }
)
CLAUSES = ("elif_clause", "else_clause", "do_group", "case_item")
SUBSTITUTIONS = ("command_substitution", "process_substitution")
KINDS = (*sorted(STATEMENTS), *CLAUSES, *SUBSTITUTIONS, "heredoc_redirect", "heredoc_body")
_RULES: list[Rule] = [{"kind": kind} for kind in KINDS]
_NO_WORDS = ("variable_assignment", "file_redirect", "heredoc_redirect", "herestring_redirect")
_OPERATOR = pattern(r"&&|\|[|&]?")
# But for line ends in a word, or behind a backslash.
_ON_ONE_LINE = ("command", "declaration_command", "unset_command", "redirected_statement")
_GAP = 80  # characters in which the operator of a list is looked for, if its right side is no node
_LINE_END = pattern(r"(?<!\\)\n")
_ROUNDS = 3  # of parsing, until no line is read as one with the line above
_BACKGROUND = pattern(r"[ \t]*&(?![&>])")
# A position costs one step per character before it on its line: about a second a file at most.
COLUMNS = 500_000_000
# Where one of these stands in the wrong place, the parser takes time in the square of their
# number to recover: 4,000 nested `a=(` take 2 seconds, 100,000 would take 20 minutes.
_COSTLY = ("=(", "((", "|| {")
COSTLY = 5000


class Role(Enum):
    """What a node is to its parent."""

    ROOT = "root"
    BODY = "body"  # one of the statements of a sequence
    CONDITION = "condition"  # of if, elif, while, until
    LEFT = "left"  # of && or ||
    RIGHT = "right"
    NEGATED = "negated"
    STAGE = "stage"  # of a pipeline, not its last
    LAST_STAGE = "last stage"
    INNER = "inner"  # the command behind a redirection, the body of a function, a loop or a clause
    ARGUMENT = "argument"  # a substitution, an assignment before a command, text of a heredoc


class Status(Enum):
    """Who gets the exit status of a statement when it has run."""

    READ = "read"  # a condition, `!`, `&&`, `||`
    MASKED = "masked"  # a later stage, `&` or the surrounding command takes its place
    RESULT = "result"  # it is the status of the function around it
    LOST = "lost"  # nobody, unless errexit is on


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """`start` and `end` are character offsets; `line` and `last_line` are 1-based, inclusive."""

    kind: str
    start: int
    end: int
    line: int
    last_line: int
    parent: Node | None
    source: SgNode
    children: list[Node] = field(default_factory=list)
    role: Role = Role.BODY
    status: Status = Status.LOST
    operator: str = ""  # of a list; of a heredoc_redirect with a list or pipeline behind its `<<EOF`
    background: bool = False
    statement: Node = field(init=False)  # the member of a sequence that holds this node, or itself
    last_statement: Node | None = None  # of the sequence that this node holds
    _words: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        self.statement = self

    @property
    def words(self) -> tuple[str, ...]:
        """Name and arguments of a command or declaration as written, quotes kept; of a function its name."""
        if self._words is None:
            self._words = tuple(_words(self))
        return self._words

    @property
    def name(self) -> str:
        """The name of a command or function, unquoted; "" for what is neither."""
        named = self.kind in ("command", "function_definition") and self.words
        return self.words[0].strip("\"'") if named else ""

    @property
    def text(self) -> str:
        return self.source.text()

    @property
    def body(self) -> list[Node]:
        """The statements of the sequence that this node holds, conditions left out."""
        return [child for child in self.children if child.role is Role.BODY]

    def ancestors(self) -> Iterator[Node]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def inside(self) -> Iterator[Node]:
        """The nodes below this one, in the order of the text."""
        stack = self.children[::-1]
        while stack:
            node = stack.pop()
            yield node
            stack += node.children[::-1]


def _words(node: Node) -> Iterator[str]:
    if node.kind == "function_definition":
        name = node.source.field("name")
        if name is not None:
            yield name.text()
    elif node.kind == "command" or node.kind.endswith("_command"):
        yield from (part.text() for part in node.source.children() if part.kind() not in _NO_WORDS)


def read(content: str) -> tuple[Node, ...]:
    """The nodes in the order of the text, parents first; the first is the whole program.

    Raises ValueError for a script that would keep the parser, or the reading of positions, for minutes.
    """
    if sum(content.count(text) for text in _COSTLY) > COSTLY:
        raise ValueError(f"more than {COSTLY:,} of `=(`, `((` and `|| {{`: too many to be parsed")
    joints: list[int] = []
    for _ in range(_ROUNDS):
        nodes = _nodes(content, joints)
        found = overlooked(nodes, content)
        if not found:
            break
        joints = sorted({*joints, *found})
    for node in nodes:
        _roles(node, content)
    for node in nodes:
        if node.parent is not None:
            node.status = _status(node, node.parent)
            node.statement = node if node.role is Role.BODY else node.parent.statement
    return tuple(nodes)


def _nodes(content: str, joints: Sequence[int]) -> list[Node]:
    """The nodes without their roles, the line ends at `joints` read as `;`."""
    ends = [0, *(at + 1 for at in joints)]
    lost = [at for at in joints if content[at] == "\n"]
    pieces = (content[start:at] for start, at in zip(ends, [*joints, len(content)], strict=True))
    program = SgRoot(";".join(pieces), "bash").root()
    root = Node("program", 0, len(content), 1, content.count("\n") + 1, None, program, role=Role.ROOT)
    nodes, around, columns = [root], root, 0
    for source in program.find_all(any=_RULES):
        place = source.range()
        start, end = place.start, place.end
        columns += start.column + end.column
        if columns > COLUMNS:
            raise ValueError(f"line {start.line + 1} is too long to be read")
        while around.end <= start.index and around.parent is not None:
            around = around.parent
        line = start.line + 1 + bisect_left(lost, start.index)
        last_line = max(end.line + (1 if end.column else 0) + bisect_left(lost, end.index), line)
        node = Node(source.kind(), start.index, end.index, line, last_line, around, source)
        around.children.append(node)
        nodes.append(node)
        around = node
    return nodes


def overlooked(nodes: Iterable[Node], content: str) -> set[int]:
    """The ends of commands at which the grammar has read on; after `read` those that it could not mend."""
    return {at for node in nodes for at in _joints(node, content)}


def _joints(node: Node, content: str) -> Iterator[int]:
    """Where the grammar has overlooked that a command ends: the line end, or the blank before a comment.

    Below `a | b | c` it takes the first words of a line `d || e` or `d > f` for arguments of `c`, and behind
    `[ $# -eq 0 ]` all lines for one, where a redirection and a `]` follow somewhere.
    """
    if node.line == node.last_line or node.kind not in _ON_ONE_LINE:
        return
    parts = node.source.children()
    for part in (node.source, *(p for p in parts if p.kind() == "file_redirect")):
        for left, right in pairwise(part.children()):
            before, behind = left.range(), right.range()
            if left.kind() == "heredoc_redirect" or right.kind() == "heredoc_redirect":
                continue
            gap = _LINE_END.search(content, before.end.index, behind.start.index)
            if gap and left.kind() != "comment":
                yield gap.start()
            elif gap and content[before.start.index - 1] in " \t":
                yield before.start.index - 1


def _roles(node: Node, content: str) -> None:
    """Gives each child its role, and the node its operator."""
    statements = [child for child in node.children if child.kind in STATEMENTS]
    for child in node.children:
        child.role = Role.ARGUMENT
    role = _ROLES.get(node.kind, Role.ARGUMENT)
    for child in statements:
        child.role = role
    if role is Role.BODY:
        body_start = _body_start(node)
        for child in statements:
            if child.start < body_start:
                child.role = Role.CONDITION
            else:
                node.last_statement = child
            child.background = bool(_BACKGROUND.match(content, child.end))
    elif node.kind == "list" and statements:
        right = statements[1].start if len(statements) > 1 else statements[0].end + _GAP
        node.operator = _operator(content[statements[0].end : right])
        statements[0].role = Role.LEFT
    elif node.kind == "pipeline" and statements:
        statements[-1].role = Role.LAST_STAGE
    elif node.kind == "while_statement":
        for child in statements:
            child.role = Role.CONDITION
    elif node.kind == "heredoc_redirect" and statements:
        node.operator = _operator(content[node.start : statements[0].start + 2])  # a pipeline holds its `|`
    for child in node.children:
        if child.kind in CLAUSES:
            child.role = Role.INNER


_ROLES = {
    **dict.fromkeys(("program", "compound_statement", "subshell", "if_statement"), Role.BODY),
    **dict.fromkeys((*CLAUSES, *SUBSTITUTIONS), Role.BODY),
    "list": Role.RIGHT,
    "pipeline": Role.STAGE,
    "negated_command": Role.NEGATED,
    "redirected_statement": Role.INNER,
    "function_definition": Role.INNER,
    "heredoc_redirect": Role.RIGHT,
}


def _body_start(node: Node) -> int:
    """Where the conditions of an if or elif end: at its `then`. They are no node of their own."""
    if node.kind not in ("if_statement", "elif_clause"):
        return node.start
    return next((t.range().start.index for t in node.source.children() if t.kind() == "then"), node.start)


def _operator(gap: str) -> str:
    found = _OPERATOR.search(re.sub(r"<<-?\s*\S+|(?:^|\s)#.*", "", gap))
    return found.group() if found else ""


def _status(node: Node, parent: Node) -> Status:
    if node.role in (Role.CONDITION, Role.LEFT, Role.NEGATED):
        return Status.READ
    if node.role in (Role.STAGE, Role.ARGUMENT) or node.background:
        return Status.MASKED
    if parent.kind == "redirected_statement":
        for operator in (c.operator for c in parent.children if c.operator):
            return Status.MASKED if operator.startswith("|") and operator != "||" else Status.READ
    if node.role is Role.BODY:
        if parent.kind in SUBSTITUTIONS:
            return Status.MASKED
        if parent.kind == "program" or parent.last_statement is not node:
            return Status.LOST
    if parent.kind == "function_definition":
        return Status.RESULT
    return parent.status
