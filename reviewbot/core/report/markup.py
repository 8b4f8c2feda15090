"""Text from strangers as inert Markdown: it cannot link, mention, draw, or leave its table cell."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reviewbot.core.patterns import pattern
from reviewbot.core.visible import visible

ZERO_WIDTH_SPACE = "\u200b"
# GitHub's renderer counts the backticks of a fence in a byte, and of a span up to 80 (cmark, MAXBACKTICKS).
MAX_FENCE, MAX_SPAN = 255, 80

_PUNCTUATION = pattern(r"[\\`*\[\]<>~&$#]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
# What GitHub turns into a link or a notification by itself: a zero-width space takes it apart.
_LIVE = pattern(r"@(?=\w)|#(?=\d)|GH-(?=\d)|:(?=//)|www(?=\.)", re.IGNORECASE)
_RUN = pattern("`{250}(?=`)")
_LIST_MARK = pattern(r"^(\d*)([-+=.)])")  # at the start of a line it would begin a list or a heading
_LANGUAGES = {
    "sh": "bash", "bash": "bash", "sbatch": "bash", "slurm": "bash", "bats": "bash", "ksh": "bash",
    "py": "python", "pyi": "python", "yml": "yaml", "yaml": "yaml", "toml": "toml", "json": "json",
}  # fmt: skip


def prose(text: str) -> str:
    """A sentence in one line. Its single-backtick code spans stay code, all else is plain text."""
    parts = _one_line(text).split("`")
    if len(parts) % 2 == 0:  # an odd backtick: none of them can be trusted to be a span
        parts = ["`".join(parts)]
    inert = "".join(
        _plain(part) if i % 2 == 0 else code(part) if part.strip() else _plain(f"`{part}`")
        for i, part in enumerate(parts)
    )
    return _LIST_MARK.sub(r"\g<1>\\\g<2>", inert)


def code(text: str) -> str:
    r"""A code span, whatever the text holds.

    A text with `\|` in it is plain: in a table cell renderers disagree on who owns the pipe.
    """
    text = _one_line(text)
    if "\\|" in text or not text or longest_run(text) >= MAX_SPAN:
        return _plain(text)
    run = "`" * (longest_run(text) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{run}{pad}{text}{pad}{run}"


def fence(text: str, info: str = "") -> str:
    """A code block whose fence is longer than any run of backticks in it; a run that no fence can be longer
    than is parted by an invisible space."""
    text = _RUN.sub(lambda found: found[0] + ZERO_WIDTH_SPACE, visible(text))
    run = "`" * max(3, longest_run(text) + 1)
    return f"{run}{info}\n{text}\n{run}"


def language(path: str) -> str:
    """The info string for the code of a file."""
    return _LANGUAGES.get(path.rpartition(".")[2].lower(), "")


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table. The cells are Markdown of one line, their pipes not yet escaped."""
    escaped = (tuple(cell.replace("|", "\\|") for cell in row) for row in rows)
    lines = [head, ("---",) * len(head), *escaped]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def details(summary: str, body: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>"


def _plain(text: str) -> str:
    text = _LIVE.sub(lambda found: found[0] + ZERO_WIDTH_SPACE, text)
    return _PUNCTUATION.sub(lambda found: "\\" + found[0], text)


def _one_line(text: str) -> str:
    return " ".join(visible(text).split())


def longest_run(text: str) -> int:
    """Of backticks."""
    return max(map(len, re.findall("`+", text)), default=0)
