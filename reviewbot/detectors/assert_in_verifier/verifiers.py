"""Which functions of a module verify, and which of their asserts decide.

Spellings that only look like it are kept out: checkpoint, checkout, checksum, checkbox, invalidate,
gated, gate_proj, moe_gate, aggregate, disparity, and the validation_step and validation_loss of a
training loop, which measure and do not verify.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Grade
from reviewbot.detectors.assert_in_verifier.conduct import BLOCKS, PROMISE, Function, conduct
from reviewbot.detectors.python import PythonFile, dotted

_VERIFIER = pattern(
    r"verif|(?<!in)validat(?!ion_?(?:step|epoch|loop|loader|data|set|loss|split|start|end)|e_(?:one_)?epoch)"
    r"|(?<!log_)(?<!un)check(?!point|out|box|(?-i:sum)|erboard|(?-i:in)(?![a-z])|mark)|sanity|audit"
    r"|(?<![a-z])(?<!moe_)(?<!router_)(?<!expert_)(?<!attn_)(?<!mlp_)(?<!forget_)(?<!input_)(?<!output_)"
    r"(?<!topk_)(?<!noisy_)gate(?!d|_)|compare|ensure|assert_|(?<!dis)parity",
    re.IGNORECASE,
)
_SCRIPT = pattern(
    r"(?:^|[_-])(?:verif(?:y|ier|ication)|validat(?:e(?=[_-])|or)|check(?:er|s)?|sanity|audit)(?:[_-]|$)"
    r"|[_-]gate$|(?<!dis)parity",
    re.IGNORECASE,
)
_MAIN = ("main", "run", "cli")
_BROAD = ("", "Exception", "BaseException", "AssertionError")


@dataclass(slots=True)
class Verifier:
    """A function, or the module level of a script, and the asserts that do its work."""

    name: str
    node: Function | ast.Module
    in_script: bool
    asserts: list[ast.Assert] = field(default_factory=list)

    @property
    def first(self) -> ast.Assert | None:
        """The first assertion that does not only tell a type checker what a name holds."""
        return next((a for a in self.asserts if not _narrows(a.test)), None)

    @property
    def grade(self) -> Grade | None:
        """STRONG: checking is all it does; HINT: it has more asserts than other work.

        Who raises what is to be refused, and asserts without a word, may assert what cannot be.
        """
        if isinstance(self.node, ast.Module) or (self.in_script and self.name in _MAIN):
            return Grade.STRONG
        found = conduct(self.node)
        if not found.work and found.explains and (self.in_script or not found.answers):
            return Grade.STRONG
        promises = self.in_script or PROMISE.match(self.name)
        return Grade.HINT if promises and found.asserts > found.work + found.answers else None


def verifiers(file: PythonFile) -> list[Verifier]:
    """The verifiers of a module; a nested function belongs to the one around it."""
    script = Verifier(_script(file), file.tree, True)
    runs = bool(_SCRIPT.search(script.name)) and any(map(_is_main_guard, file.tree.body))
    found = [script]
    stack: list[tuple[ast.AST, Verifier | None]] = [(file.tree, script if runs else None)]
    while stack:  # no recursion: reviewed code nests as deep as it likes
        node, owner = stack.pop()
        if isinstance(node, ast.Assert) and owner and not _implements_assert(node, owner):
            owner.asserts.append(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("test"):
                continue
            if owner is script or _VERIFIER.search(node.name):
                owner = Verifier(node.name, node, runs)
                found.append(owner)
        elif isinstance(node, ast.ClassDef) and _is_test_case(node):
            continue
        stack += [(child, owner) for child in reversed([*_inside(node)])]
    return [verifier for verifier in found if verifier.first]


def names_a_verifier(file: PythonFile) -> bool:
    """Asked of the text, because parsing costs 20 times as much and most modules have no verifier."""
    names = re.finditer(r"\bdef[ \t]+(\w+)", file.text.content)
    return bool(_SCRIPT.search(_script(file))) or any(_VERIFIER.search(name[1]) for name in names)


def _script(file: PythonFile) -> str:
    return file.path.rsplit("/", 1)[-1].removesuffix(".py")


def _is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in ast.iter_child_nodes(node.test)
    )


def _is_test_case(node: ast.ClassDef) -> bool:
    bases = (dotted(base).rsplit(".", 1)[-1] for base in node.bases)
    return node.name.startswith("Test") or any(base.endswith(("TestCase", "TestBase")) for base in bases)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """The statements in a node, without the asserts by which nothing is let through."""
    for name in BLOCKS:
        block: Sequence[ast.AST] = getattr(node, name, ())
        answered = name == "body" and isinstance(node, ast.Try) and any(map(_answers, node.handlers))
        for before, child in zip((None, *block), block, strict=False):
            if isinstance(child, ast.Assert) and (answered or _is_sure(child, before) or _is_never(child)):
                continue
            yield child


def _answers(handler: ast.ExceptHandler) -> bool:
    """Whether a handler makes an answer of a failed assertion; the line behind it may fail there too."""
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [dotted(kind).rsplit(".", 1)[-1] if kind else "" for kind in caught]
    return any(name in _BROAD for name in names) and not any(
        isinstance(n, ast.Raise) for statement in handler.body for n in ast.walk(statement)
    )


def _is_sure(node: ast.Assert, before: ast.AST | None) -> bool:
    """Whether the statement before leaves nothing open: `parts = s.split(",")`, `found = None`."""
    match before:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            pass
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            pass
        case _:
            return False
    match value, node.test:
        case (
            ast.Call(func=ast.Attribute(attr="split"), args=[_, *_]),
            ast.Compare(
                left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=tested)]),
                ops=[ast.NotEq() | ast.Gt()],
                comparators=[ast.Constant(value=0)],
            ),
        ):
            return tested == name
        case (
            ast.Constant(value=None),
            ast.Compare(left=ast.Name(id=tested), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
        ):
            return tested == name
    return False


def _is_never(node: ast.Assert) -> bool:
    """`assert False, "should not be reached"`: it says so itself."""
    match node:
        case ast.Assert(test=ast.Constant(value=False), msg=ast.Constant(value=str(text))):
            return "reach" in text
    return False


def _implements_assert(node: ast.Assert, owner: Verifier) -> bool:
    """Whether condition and message are handed in by somebody who wrote `assert`, or meant to."""
    if not isinstance(owner.node, ast.FunctionDef) or "assert" not in owner.name or node.msg is None:
        return False
    given = {parameter.arg for parameter in owner.node.args.args}
    return all(isinstance(part, ast.Name) and part.id in given for part in (node.test, node.msg))


def _narrows(test: ast.expr) -> bool:
    """Whether the assertion only tells a type checker what a name holds."""
    match test:
        case ast.BoolOp(
            op=ast.Or(),
            values=[
                ast.Compare(left=one, ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
                ast.Call(func=ast.Name(id="isinstance"), args=[other, *_]),
            ],
        ) if dotted(one) == dotted(other) != "":
            return True
        case ast.BoolOp(values=values):
            return all(map(_narrows, values))
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id="isinstance"))):
            return True
        case ast.Call(func=ast.Name(id="isinstance")):
            return True
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
    return False
