"""What `reviewbot skills new` writes: a small skill that is whole, with a rule and a case of each kind.

`skill/` beside this file is that folder; the name of the new skill is put in.
"""

from __future__ import annotations

import os

from reviewbot.hosts.trees import Tree, read_tree

_NAME = b"@NAME@"


def skeleton(name: str) -> Tree:
    """The files of a new skill called `name`."""
    files = read_tree(os.path.join(os.path.dirname(__file__), "skill"))
    return {path: content.replace(_NAME, name.encode()) for path, content in files.items()}
