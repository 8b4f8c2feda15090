"""Where programs are looked for: never among the files that are reviewed.

A search path with `.`, an empty entry, or a folder of the repository (`direnv` puts one there) would
start the `git` that a stranger has committed, outside of every sandbox.
"""

from __future__ import annotations

import os

_given: dict[str, str] = {}  # the user's PATH, by what it was turned into


def keep_out(folder: str) -> None:
    """Take out of this process's PATH what is relative, and what lies in the work tree around `folder`."""
    given = os.environ.get("PATH", os.defpath)
    top = _work_tree(folder)
    entries = [e for e in given.split(os.pathsep) if os.path.isabs(e) and not (top and _is_below(e, top))]
    # An empty PATH would mean the current folder.
    kept = os.pathsep.join(entries) or os.defpath
    if kept != given:
        _given[kept] = _given.get(given, given)
        os.environ["PATH"] = kept


def given() -> str:
    """PATH as the user has it, for what runs on the user's word: it can find what is reviewed."""
    path = os.environ.get("PATH", os.defpath)
    return _given.get(path, path)


def _work_tree(folder: str) -> str | None:
    """The nearest folder upwards with a `.git`, as git itself looks; a real path."""
    top = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(top, ".git")):
        above = os.path.dirname(top)
        if above == top:
            return None
        top = above
    return top


def _is_below(entry: str, top: str) -> bool:
    """Whether an entry leads into a folder, or through it: a link there is the stranger's too."""
    inside = os.path.join(top, "")
    parent, name = os.path.split(entry.rstrip(os.sep))
    through = os.path.join(os.path.realpath(parent), name)
    return any(os.path.join(place, "").startswith(inside) for place in (os.path.realpath(entry), through))
