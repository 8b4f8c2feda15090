"""What a build leaves and what a publication takes: whether the one hands out what the other has made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.launches import script_of

_CONTAINERS = ("docker", "podman", "nerdctl", "buildah")
_WEB = (("npm", "pnpm", "yarn", "bun"), frozenset({"dist", "build", "public", "out"}))
_WHEELS = (("poetry", "flit", "hatch", "uv", "pdm"), frozenset({"dist"}))
# Program -> the word that makes it build, and the folders it writes to where nobody names another.
_BUILDS: Mapping[str, tuple[str, frozenset[str]]] = {
    **{name: ("build", folders) for names, folders in (_WEB, _WHEELS) for name in names},
    "hugo": ("hugo", frozenset({"public"})),
    "mkdocs": ("build", frozenset({"site"})),
    "jekyll": ("build", frozenset({"_site"})),
    "make": ("html", frozenset({"html", "_build"})),
}
# Program -> what its `publish` hands out unnamed.
_PUBLISHES = {name: folders for names, folders in (_WEB, _WHEELS) for name in names}
_PATH = pattern(r"(?:[\w.-]+/)*[\w.-]+")


def products(command: Sequence[str]) -> frozenset[str]:
    """The image tags or the folders that a build leaves; none for what is no build. `command` is `bare`."""
    name = command[0]
    if name in _CONTAINERS:
        builds = "build" in command[1:3] and "--push" not in command
        tags = {value for option, value in pairwise(command) if option in ("-t", "--tag")}
        return frozenset(tags) if builds else frozenset()
    script = script_of(command)
    if script == "build" or (script == "setup.py" and {"sdist", "bdist_wheel"} & set(command)):
        return _WHEELS[1]
    word, folders = _BUILDS.get(name, ("", frozenset[str]()))
    return folders if word in command else frozenset()


def handed_out(command: Sequence[str], made: frozenset[str]) -> frozenset[str]:
    """What of `made`, image tags, folders or files, a publication names, or hands out unnamed."""
    operands = frozenset(word for word in command[1:] if not word.startswith("-"))
    paths = paths_in(operands)
    parts = {part for path in paths for part in path.split("/")}
    unnamed = _PUBLISHES.get(command[0], frozenset()) if "publish" in command[1:2] else frozenset()
    inside = {m for m in made if any(m.startswith(f"{path}/") for path in paths)}
    return (operands | paths | parts | unnamed) & made | inside


def paths_in(words: Iterable[str]) -> frozenset[str]:
    """The words that may be files or folders: `dist/*` and `./dist/` are `dist`."""
    return frozenset(p for word in words if _PATH.fullmatch(p := word.rstrip("/*").removeprefix("./")))
