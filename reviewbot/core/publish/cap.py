"""Bodies within GitHub's limit and free of secrets.

GitHub refuses a comment of more than 65,536 characters and does not say how it counts them, so both ways
are counted. What is folded goes first, then long fences, the largest first and each as a whole; then what
stands last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reviewbot.core.ask.redact import redacted
from reviewbot.core.patterns import pattern
from reviewbot.core.report.markup import prose
from reviewbot.core.report.words import count
from reviewbot.core.visible import visible

LIMIT = 65_000
WHERE = "`reviewbot pr` prints it."

_FENCE = pattern(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_SUMMARY = pattern(r"<details><summary>([^<\n]{0,200})</summary>")
_LONG = 4_000  # a fence that may go before the sentences behind it
_ROOM = 300  # for the sentence that says what was left out


class _Block(NamedTuple):
    """Lines that stay or go together."""

    kind: str  # "fold" | "fence" | "head" and "row" of a table | ""
    text: str


def size(text: str) -> int:
    """The larger of its code points and its UTF-16 units, which are never fewer."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def capped(body: str, tail: str = "", where: str = WHERE) -> str:
    """`body`, and `tail` on a line of its own, within LIMIT; the tail is kept whole at any price.

    `where`: a sentence that says where the whole is to be found.
    """
    end = f"\n\n{tail}" if tail else ""
    room = LIMIT - size(end)
    blocks = list(_blocks(body))
    whole = _joined(blocks)
    if size(whole) > room:
        whole = _cut(_lightened(blocks, room, where), room, where)
    return (whole + end).lstrip("\n")


def inert(text: str) -> str:
    """A sentence of a stranger as inert Markdown. A secret in it is looked for first: the characters that
    make it inert would hide it."""
    return prose(redacted(text))


def plain(text: str) -> str:
    """A sentence of a stranger for where GitHub shows the text as it is."""
    return visible(redacted(text))


def clipped(text: str, limit: int) -> str:
    """Plain text within `limit` as `size` counts it; `…` stands for its end where that is cut."""
    if size(text) <= limit:
        return text
    units = text.encode("utf-16-le", "surrogatepass")[: 2 * (limit - 1)]
    if 0xD8 <= units[-1] <= 0xDB:  # half of a pair
        units = units[:-2]
    return units.decode("utf-16-le", "surrogatepass") + "…"


def _joined(blocks: Iterable[_Block]) -> str:
    return "\n".join(block.text for block in blocks).rstrip("\n")


def _lightened(blocks: list[_Block], room: int, where: str) -> list[_Block]:
    """The blocks, with a line instead of each folded one, and then of each long fence, that has to go."""
    sizes = [size(block.text) + 1 for block in blocks]
    large = sorted(range(len(blocks)), key=lambda n: sizes[n], reverse=True)
    folds = [n for n in large if blocks[n].kind == "fold"]
    fences = [n for n in large if blocks[n].kind == "fence" and sizes[n] > _LONG]
    kept, total = list(blocks), sum(sizes)
    for n in (*folds, *fences):
        if total <= room:
            break
        found = _SUMMARY.match(blocks[n].text)
        what = found[1] if found else "a block of code"
        kept[n] = _Block("", f"Left out for its length: {what}. {where}")
        total += size(kept[n].text) + 1 - sizes[n]
    return kept


def _cut(blocks: list[_Block], room: int, where: str) -> str:
    """The first of the blocks, as many as there is room for, and how much is not here."""
    if size(_joined(blocks)) <= room:
        return _joined(blocks)
    used = kept = 0
    for block in blocks:
        used += size(block.text) + 1
        if used > room - _ROOM - size(where):
            break
        kept += 1
    kept = _of_tables(blocks, kept)
    kinds = Counter(block.kind for block in blocks[kept:] if block.text.strip())
    rows, rest = kinds["row"], kinds.total() - kinds["row"] - kinds["head"]
    lost = [count(rows, "row of the table", "rows of the table")] if rows else []
    lost += [count(rest, "further part")] if rest else []
    note = f"Left out for their length: {' and '.join(lost)}. {where}"
    text = f"{_joined(blocks[:kept])}\n\n{note}".lstrip("\n")
    return text if size(text) <= room else ""


def _of_tables(blocks: list[_Block], kept: int) -> int:
    """`kept`, or fewer where only the head of a table would stay."""
    start = kept
    while start and blocks[start - 1].kind == "head":
        start -= 1
    goes_on = kept < len(blocks) and blocks[kept].kind in ("head", "row")
    return start if goes_on else kept


def _blocks(body: str) -> Iterator[_Block]:
    """The body by what may be cut from it. What it leaves open is closed."""
    held: list[str] = []
    fence, depth, rows = "", 0, 0
    for line in body.split("\n"):
        held.append(line)
        if fence:
            fence = "" if _closes(line, fence) else fence
        elif not (fence := _opens(line)):
            depth = max(0, depth + _folds(line))
        if not fence and not depth:
            rows = rows + 1 if line.startswith("|") else 0
            yield _Block(_kind(held, rows), "\n".join(held))
            held = []
    if held:
        closing = [fence] if fence else []
        held += closing + ["</details>"] * depth
        yield _Block(_kind(held, 0), "\n".join(held))


def _opens(line: str) -> str:
    """The fence that a line opens; "" where it opens none."""
    found = _FENCE.fullmatch(line)
    return "" if not found or (found[1][0] == "`" and "`" in found[2]) else found[1]


def _closes(line: str, fence: str) -> bool:
    found = _FENCE.fullmatch(line)
    return bool(found and found[1].startswith(fence) and not found[2].strip())


def _folds(line: str) -> int:
    """By how many folded parts a line leads further in. In the middle of one it is a stranger's code span."""
    return line.startswith("<details>") - line.startswith("</details>")


def _kind(lines: list[str], rows: int) -> str:
    if lines[0].startswith("<details>"):
        return "fold"
    if len(lines) > 1:
        return "fence"
    return "" if not rows else "head" if rows <= 2 else "row"
