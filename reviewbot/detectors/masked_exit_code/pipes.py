"""Pipelines that end in a filter: the status of the command in front of it is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.masked_exit_code.work import (
    COMPRESSORS,
    FILTERS,
    PROGRAMMED,
    Trade,
    Work,
    stops_reading,
)
from reviewbot.detectors.shell.launches import unquoted
from reviewbot.detectors.shell.script import ShellFile, innermost
from reviewbot.detectors.shell.tree import Node, Role

_KEPT = pattern(r"\|\||\$\?|\bexit\b|\btouch\b")  # the status is handled in front of the pipe
_TO_FILE = pattern(r"(?<![-=<0-9&])1?&?>{1,2}\|?[ \t]*(?!&|/dev/)[^\s&|;)]")
_BEHIND = pattern(r"(?:[^\n;&|]|&\d|(?<=>)&|&(?=>)|\\\n)*")  # to the end of a command and its redirections
_IN_HEREDOC = pattern(rf"\|&?[ \t]*({'|'.join((*FILTERS, *PROGRAMMED))})\b([^|&;]*)")
_SOME = 2000  # characters of a statement that are read
_FILES = 4  # of one `tee` that are looked for


class Pipe(NamedTuple):
    """`node` is the pipeline, or the statement with a heredoc in whose first line the pipe stands.

    `whole` is `node`, but of `a | b | c && d`: the grammar reads that as `a | { b | c && d; }`, and
    `a | b | c > f && d` as `a | { { b | c; } > f && d; }`. There `node` is what stands left of `&&`,
    whose status is read, and `whole` begins at `a`.
    """

    node: Node
    whole: Node
    worker: Node
    work: Work
    stage: int  # of the worker, from 0
    lost: tuple[int, ...]  # the stages that work, the worker's among them
    filter: str
    written: tuple[str, ...]  # the files that `tee` writes
    product: bool  # what it prints goes into a file: that is no log
    closes: str  # the stage that stops reading before the end, if one behind the worker does


class Pipes:
    def __init__(self, file: ShellFile, trade: Trade) -> None:
        self._file = file
        self._trade = trade

    def __iter__(self) -> Iterator[Pipe]:
        for node in self._file.nodes:
            if node.kind == "pipeline" and not _is_rest(node):
                pipe = self._pipeline(node)
            elif node.kind == "redirected_statement":
                heredoc = next((c for c in node.children if c.kind == "heredoc_redirect"), None)
                pipe = self._heredoc(node, heredoc) if heredoc else None
            else:
                continue
            if pipe:
                yield pipe

    def _pipeline(self, node: Node) -> Pipe | None:
        whole, (*stages, last) = node, node.children
        while last.kind == "list" or innermost(last).kind == "pipeline":
            if last.kind == "list":
                node = last = last.children[0]
            else:
                *before, last = innermost(last).children
                stages += before
        if not stages or not self._trade.is_filter(last):
            return None
        workers = [(w, at) for at, stage in enumerate(stages) if (w := self._trade.worker(stage))]
        if not workers:
            return None
        works = [(self._trade.of(w), at, w) for w, at in workers]
        work, at, worker = max(works, key=lambda x: x[:2])
        if work is Work.TALKS or _KEPT.search(self._text(stages[at])):
            return None
        tees = [s for s in (*stages, last) if innermost(s).name == "tee"]
        written = tuple(w for t in tees for w in _operands(t))[:_FILES]
        lost = tuple(n for w, n, _ in works if w >= Work.MAYBE or n == at)
        product = self._is_product(last)
        closes = next((innermost(s).name for s in (*stages[at + 1 :], last) if stops_reading(s)), "")
        return Pipe(node, whole, worker, work, at, lost, innermost(last).name, written, product, closes)

    def _heredoc(self, node: Node, heredoc: Node) -> Pipe | None:
        """`python3 - <<'EOF' | tee log`: in the grammar the pipe stands inside of the heredoc."""
        worker = innermost(node)
        line = self._file.text.content[heredoc.start : min(heredoc.end, heredoc.start + _SOME)].split("\n")[0]
        found = list(_IN_HEREDOC.finditer(line))
        if worker.kind != "command" or not found or found[-1].end() < len(line.rstrip()):
            return None  # what stands behind the pipe is not read here
        work = self._trade.of(worker)
        name, rest = found[-1].groups()
        if work < Work.MAYBE or (name == "cat" and rest.strip()):
            return None
        files = tuple(w for w in map(unquoted, rest.split()) if not w.startswith("-"))
        written = files if name == "tee" else ()
        closes = name if name in ("head", "less", "more") else ""
        product = bool(_TO_FILE.search(line))
        return Pipe(node, node, worker, work, 0, (0,), name, written, product, closes)

    def _is_product(self, last: Node) -> bool:
        """Read from the text: of `a && b | head > f` the grammar gives the redirection to the list."""
        if innermost(last).name in ("tee", *COMPRESSORS):
            return False
        rest = _BEHIND.match(self._file.text.content, last.start, last.end + _SOME)
        return rest is not None and bool(_TO_FILE.search(rest[0]))

    def _text(self, node: Node) -> str:
        return self._file.text.content[node.start : min(node.end, node.start + _SOME)]


def _is_rest(node: Node) -> bool:
    """Whether a pipeline is only the end of one: behind a heredoc, or the `b | c` of `a | b | c && d`."""
    while node.parent is not None and (node.role is Role.LEFT or innermost(node.parent) is node):
        node = node.parent
    return node.role is Role.LAST_STAGE or (
        node.parent is not None and node.parent.kind == "heredoc_redirect"
    )


def _operands(tee: Node) -> list[str]:
    return [unquoted(w) for w in innermost(tee).words[1:] if not w.startswith(("-", ">"))]
