"""Prints the syntax tree that ast-grep sees, for the authors of rules: the child process of a dump.

Started like ruleworker.py. The file `job` holds the language and the text, `answers` receives a line
for each node: its place, its field, its kind, and the text of a leaf. A node without a name
(`"||"`) can be named as a kind too.
"""

from __future__ import annotations

import json
import sys
from typing import Any

MOST = 20_000  # nodes
SHOWN = 40  # characters of a leaf
# The fields of the three grammars; ast-grep tells of a field by its name only.
FIELDS = (
    *("name", "value", "body", "condition", "argument", "redirect", "destination", "descriptor"),
    *("left", "right", "operator", "variable", "index", "initializer", "update", "consequence"),
    *("alternative", "fallthrough", "termination", "function", "arguments", "object", "attribute"),
    *("subscript", "parameters", "return_type", "type", "alias", "module_name", "definition", "subject"),
    *("guard", "superclasses", "key", "code", "expression", "cause", "pattern", "operators"),
    *("type_parameters", "format_specifier", "type_conversion"),
)


def main() -> int:
    sys.path.append(sys.argv[1])
    import ast_grep_py

    with open("job", encoding="utf-8") as job:
        language, text = json.load(job)
    root = ast_grep_py.SgRoot(text.encode("utf-8", "replace").decode("utf-8"), language).root()
    with open("answers", "w", encoding="utf-8") as out:
        _write(root, out)
    return 0


def _write(root: Any, out: Any) -> None:
    waiting = [(0, "", root)]
    written = 0
    while waiting and written < MOST:
        depth, field, node = waiting.pop()
        place, children = node.range().start, node.children()
        kind = node.kind() if node.is_named() else json.dumps(node.kind(), ensure_ascii=False)
        leaf = "" if children or not node.is_named() else f"  {_short(node.text())}"
        indent = "  " * depth if depth <= SHOWN else f"{'  ' * SHOWN}… {depth} "
        out.write(f"{place.line + 1:>5}:{place.column + 1:<4} {indent}{field}{kind}{leaf}\n")
        written += 1
        fields = _fields(node) if children else []
        for child in reversed(children):
            name = next((f"{name}: " for name, named in fields if named == child), "")
            waiting.append((depth + 1, name, child))
    if waiting:
        out.write(f"… only the first {MOST:,} nodes are shown\n")


def _fields(node: Any) -> list[tuple[str, Any]]:
    return [(name, child) for name in FIELDS for child in node.field_children(name)]


def _short(text: str) -> str:
    text = json.dumps(text, ensure_ascii=False)
    return text if len(text) <= SHOWN else f'{text[: SHOWN - 2]}…"'


if __name__ == "__main__":
    sys.exit(main())
