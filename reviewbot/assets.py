"""Finds what travels with reviewbot but is no Python: the built-in skills, the prompts, the look of pages."""

from __future__ import annotations

from os import listdir
from os.path import dirname, isdir, join, realpath

from reviewbot.core.errors import AssetError


def assets(kind: str) -> str:
    """The folder `kind` ("skills", "prompts") of this installation, as an absolute path without links.

    A wheel carries it inside the package; in a checkout it lies beside the package. The
    wheel's place comes first: under `pip install --target` a stranger's `skills/` may lie
    beside the package.
    """
    package = dirname(realpath(__file__))
    for place in (join(package, "_data", kind), join(dirname(package), kind)):
        if isdir(place):
            return place
    raise AssetError(f"no {kind!r} folder in this installation of reviewbot ({package})", "install it again")


def prompts() -> tuple[tuple[str, str], ...]:
    """The name and the text of each template of what a model is told, sorted."""
    folder = assets("prompts")
    named = []
    for name in sorted(listdir(folder)):
        if name.endswith(".md.j2"):
            with open(join(folder, name), encoding="utf-8") as file:
                named.append((name, file.read()))
    return tuple(named)


def look() -> dict[str, str]:
    """By name, the templates, the style sheet and the mark of the HTML report and of the server's pages."""
    folder = join(dirname(realpath(__file__)), "core", "report", "look")
    named = {}
    for name in sorted(listdir(folder)):
        with open(join(folder, name), encoding="utf-8") as file:
            named[name] = file.read()
    return named
