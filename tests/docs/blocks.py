"""The code blocks of a page, in order, with the comment that stands in front of each.

A comment says what becomes of its block:
    <!-- exit 1 0 -->        the statuses of its commands, one each (default: 0)
    <!-- not run: REASON --> it cannot run in a test
    <!-- file: PATH -->      it is not run but written there, below the folder of the moment
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))
SHELLS = ("sh", "console", "indented")
COMMENT = re.compile(r"<!-- (exit|not run:|file:) (.*) -->")


class Step(NamedTuple):
    """One command, and what the page shows of its output; None: nothing is shown."""

    command: str
    shown: tuple[str, ...] | None = None


class Block(NamedTuple):
    page: str
    line: int  # of the fence, 1-based
    language: str
    text: str
    say: str = ""  # "exit", "not run:", "file:" or ""
    what: str = ""

    @property
    def first(self) -> str:
        return self.text.split("\n", 1)[0]

    def steps(self) -> list[Step]:
        return [*(_shown(self.text) if self.language == "console" else _statements(self.text))]


def blocks(page: str) -> list[Block]:
    found: list[Block] = []
    say, what = "", ""
    for token in MarkdownIt("commonmark").parse((ROOT / page).read_text()):
        if token.type == "html_block" and (match := COMMENT.fullmatch(token.content.strip())):
            say, what = match.groups()
        elif token.type in ("fence", "code_block") and token.map:
            language = token.info.split(" ")[0] if token.type == "fence" else "indented"
            found.append(Block(page, token.map[0] + 1, language, token.content, say, what))
            say, what = "", ""
        elif token.type == "paragraph_open":
            say, what = "", ""
    return found


def _shown(text: str) -> Iterator[Step]:
    """`$ command`, and behind it the lines that it prints."""
    command, lines = "", []
    for line in text.rstrip("\n").split("\n"):
        if line.startswith("$ "):
            if command:
                yield Step(command, tuple(lines) or None)
            command, lines = line[2:], []
        else:
            lines.append(line)
    yield Step(command, tuple(lines) or None)


def _statements(text: str) -> Iterator[Step]:
    """A statement is as many lines as bash needs to make sense of them."""
    open_lines: list[str] = []
    for line in text.rstrip("\n").split("\n"):
        open_lines.append(line)
        statement = "\n".join(open_lines)
        known = subprocess.run(["bash", "-n"], input=statement, capture_output=True, text=True)
        if known.returncode == 0 and not known.stderr and not line.endswith("\\"):
            if statement.strip() and not statement.lstrip().startswith("#"):
                yield Step(statement)
            open_lines = []
    assert not open_lines, f"bash does not understand {open_lines}"


def fits(shown: tuple[str, ...], printed: str) -> bool:
    """Whether the output is what is shown. `…` alone stands for any lines, in a line for any characters."""
    parts = []
    for line in shown:
        words = ".*".join(re.escape(part) for part in line.split("…"))
        parts.append("(?:.*\n)*?" if line == "…" else f"{words}\n")
    return re.fullmatch("".join(parts), printed.rstrip("\n") + "\n") is not None
