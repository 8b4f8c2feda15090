"""A shell script, parsed once, and what every shell detector asks of it.

The grammar is tree-sitter-bash as ast-grep carries it. Its traps are the reason for some of
the functions here: a list behind a heredoc (`cmd <<EOF || exit 1`) hangs inside the
`heredoc_redirect`, `until` is a `while_statement`, `[ … ]` is a `test_command`, and `if` has no
"then" node: the condition is the field `condition`, the body its later siblings.
"""

from __future__ import annotations

import re
from functools import cached_property

from ast_grep_py import SgNode, SgRoot

from reviewbot.core.types import Text

SHEBANG = re.compile(r"#!\s*\S*?(?:env\s+(?:-\S+\s+)*)?(?:/|\b)(?:ba|da|k|a)?sh\b")


class ShellFile:
    """`root` is the `program` node. Lines of nodes are 0-based; `line(node)` is a git line."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.path = text.path
        self.partial = text.partial

    @cached_property
    def root(self) -> SgNode:
        return SgRoot(self.text.content, "bash").root()

    @staticmethod
    def line(node: SgNode) -> int:
        return node.range().start.line + 1

    @staticmethod
    def last_line(node: SgNode) -> int:
        end = node.range().end
        return end.line + (1 if end.column else 0) or 1


def is_shell(path: str, first_line: str) -> bool:
    """Whether bash, dash, ksh or sh would run this file: by its name, or by its first line."""
    if path.endswith((".sh", ".bash", ".sbatch", ".slurm", ".ksh", ".bats")):
        return not re.match(r"#!.*\b(zsh|fish|csh|tcsh|python\d?)\b", first_line)
    return "." not in path.rsplit("/", 1)[-1] and bool(SHEBANG.match(first_line))
