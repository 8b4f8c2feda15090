"""Small trees as commits of a repository, made by a single git."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewbot.core.paths import path_bytes, quoted
from reviewbot.hosts.git import Git
from reviewbot.hosts.trees import Tree

_WHO = b"reviewbot <trees@example.invalid> 1735689600 +0000"  # 2025-01-01: the same ids every time


def store(git: Git, trees: Sequence[Tree]) -> list[str]:
    """The id of a commit without parents for each tree, in their order."""
    stream = b"".join(part for mark, tree in enumerate(trees, 1) for part in _commit(mark, tree))
    return git.ask("fast-import", "--quiet", "--done", stdin=stream + b"done\n").decode("ascii").split()


def _commit(mark: int, tree: Tree) -> Iterator[bytes]:
    """In the language of `git fast-import`, which answers with the commit's id."""
    yield b"commit refs/heads/%d\nmark :%d\ncommitter %s\ndata 0\n" % (mark, mark, _WHO)
    for path, content in tree.items():
        yield b"M 100644 inline %s\ndata %d\n" % (quoted(path_bytes(path)), len(content))
        yield content + b"\n"
    yield b"get-mark :%d\n" % mark
