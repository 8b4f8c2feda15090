"""The folders of a commit, as the search for skills sees them. Links are followed inside of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import dirname, normpath

from reviewbot.core.paths import path_bytes, path_text
from reviewbot.core.skill.discovery import NOWHERE, Entry, Fault, join
from reviewbot.core.skill.text import MAX_BYTES
from reviewbot.hosts.git import Git
from reviewbot.hosts.running import Found

LISTED = 8_000_000  # bytes of a git tree, some 200,000 names
FOLLOWED, HOPS = 50, 10  # links that we follow ourselves, each through so many others
FOLDER, LINK, SUBMODULE = b"40000", b"120000", b"160000"
# What `cat-file` answers where there is no folder to list.
NO_FOLDER = frozenset(["missing", "notdir", "blob", "commit"])


@dataclass(frozen=True)
class CommitFolders:
    """A Place: the folders of a commit. Paths start at its top."""

    git: Git
    commit: str
    _behind: dict[str, str] = field(default_factory=dict)  # links that git itself does not follow
    _ids: dict[str, str] = field(default_factory=dict)  # of the folders on the way to a link

    def entries(self, folders: Sequence[str]) -> Sequence[Mapping[str, Entry] | Fault]:
        trees = [_tree(found) for found in self._found(folders, LISTED)]
        links = [
            join(folder, name)
            for folder, tree in zip(folders, trees, strict=True)
            if not isinstance(tree, Fault)
            for name, mode in tree.items()
            if mode == LINK
        ]
        ends = dict(zip(links, self._ends(links), strict=True))
        return [
            tree
            if isinstance(tree, Fault)
            else {n: _entry(m, ends.get(join(folder, n))) for n, m in tree.items()}
            for folder, tree in zip(folders, trees, strict=True)
        ]

    def _ends(self, links: Sequence[str]) -> list[Entry]:
        """What the links stand for. One back to a folder on the way to it is a name like that of a file:
        that folder is not entered again."""
        above = list(dict.fromkeys(f for link in links for f in _above(link) if f not in self._ids))
        folders = self._found(above, 0, contents=False)
        self._ids.update({folder: found.id for folder, found in zip(above, folders, strict=True)})
        ends = self._found(links, 0, contents=False)
        return [
            "file" if found.id and found.id in map(self._ids.get, _above(link)) else _end(found)
            for link, found in zip(links, ends, strict=True)
        ]

    def read(self, paths: Sequence[str]) -> Sequence[bytes | Fault]:
        return [f.content if f.kind == "blob" else _fault(f) for f in self._found(paths, MAX_BYTES + 1)]

    def _found(self, paths: Sequence[str], cap: int, *, contents: bool = True) -> list[Found]:
        """What git says of each path, behind all links."""
        found = self._asked(paths, cap, contents=contents)
        for n in [n for n, one in enumerate(found) if one.kind == "dangling"][:FOLLOWED]:
            if path := self._followed(self._real(paths[n])):
                [behind] = self._asked([path], cap, contents=contents)
                if behind.kind != "missing":
                    found[n], self._behind[paths[n]] = behind, path
        return found

    def _asked(self, paths: Sequence[str], cap: int, *, contents: bool) -> list[Found]:
        """The same where no link on the way has a `.` in its target. No name may hold a line end."""
        names = [
            f"{self.commit}:".encode() + path_bytes(self._real(path)) for path in paths if "\n" not in path
        ]
        answers = self.git.found(names, cap, contents=contents)
        return [Found("unnamed") if "\n" in path else next(answers) for path in paths]

    def _real(self, path: str) -> str:
        """The path by which git finds what is behind a link that was followed here."""
        folder, rest = path, ""
        while folder and folder not in self._behind:
            folder, _, name = folder.rpartition("/")
            rest = f"/{name}{rest}"
        return self._behind[folder] + rest if folder else path

    def _followed(self, path: str) -> str | None:
        """The path behind all links, for which git calls `./x` a name that is not there."""
        for _ in range(HOPS):
            link, target = self._first_link(path)
            if not link:
                return path
            path = normpath(join(dirname(link), target) + path[len(link) :])
            if path.startswith(("/", "../")) or path in (".", ".."):
                return None
        return None

    def _first_link(self, path: str) -> tuple[str, str]:
        """The first part of a path that is a link, and where it leads; "" where none is one."""
        parts = path.split("/")
        above = ["/".join(parts[: n + 1]) for n in range(len(parts))]
        rows = self.git.ask("ls-tree", "-z", "--full-tree", self.commit, "--", *above).split(b"\0")
        links = {path_text(row.partition(b"\t")[2]): row for row in rows if row.startswith(LINK)}
        link = next((name for name in above if name in links), "")
        blob = next(self.git.blobs([links[link].split()[2]], MAX_BYTES + 1)) if link else None
        return link, path_text(blob.content) if blob else ""


def _tree(found: Found) -> Mapping[str, bytes] | Fault:
    """The mode of each name in a folder."""
    if found.kind in NO_FOLDER:
        return {}
    if found.kind != "tree":
        return _fault(found)
    if found.size > LISTED:
        return Fault("S001", "a folder of too many files")
    width = len(found.id) // 2  # bytes of an object's name
    modes, at = {}, 0
    while at < found.size:
        end = found.content.index(b"\0", at)
        mode, _, name = found.content[at:end].partition(b" ")
        modes[path_text(name)] = mode
        at = end + 1 + width
    return modes


def _entry(mode: bytes, end: Entry | None) -> Entry:
    if mode == SUBMODULE:
        return Fault("S010", "a submodule, which is another repository")
    return end or ("folder" if mode == FOLDER else "file")


def _end(found: Found) -> Entry:
    """What a link stands for."""
    return "file" if found.kind == "blob" else "folder" if found.kind == "tree" else _fault(found)


def _fault(found: Found) -> Fault:
    if found.kind == "symlink":
        return Fault(
            "S010", f"a link out of the repository, to {path_text(found.content)}; it is not followed"
        )
    if found.kind == "missing":
        return Fault("S001", "git lacks its content")
    if found.kind == "unnamed":
        return Fault("S001", "git cannot be asked for a name with a line end in it")
    return NOWHERE


def _above(path: str) -> Iterator[str]:
    """The folders above a path, the top ("") last."""
    while path:
        path = dirname(path)
        yield path
