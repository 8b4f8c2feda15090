"""Files that nobody wrote here by hand: generated, locked, vendored.

The names are those that GitHub's Linguist hides in a diff, and the folders that CMake fetches sources
into. The .gitattributes files at base have the last word, in both directions; those of the change
itself are not asked (a change could hide code).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from reviewbot.core.globs import MAX_CHARS, MAX_STARS, glob_regex
from reviewbot.core.patterns import pattern

GENERATED = pattern(
    r".*(?:\.lockb?|[.-]lock\.(?:json|ya?ml|hcl)|\.lockfile|\.min\.(?:js|css)|\.(?:js|css)\.map"
    r"|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h))$|go\.sum$|npm-shrinkwrap\.json$"
)
VENDORED = pattern(
    r"(?:^|/)(?:vendor|vendored|third[_-]party|3rdparty|node_modules|bower_components"
    r"|_deps/[^/]+-(?:src|build|subbuild)|cmake-build-[^/]+)/"
)
ATTRIBUTE = {"linguist-generated": "generated", "linguist-vendored": "vendored"}
STATE = pattern(r"([-!]?)(linguist-generated|linguist-vendored)(?:=(\S+))?$")

Rule = tuple[re.Pattern[str], str, bool | None]  # path below the folder, attribute, its state


def hidden(attributes: Mapping[str, str]) -> Callable[[str], str]:
    """The function from a path to "generated", "vendored" or ""; `attributes` maps the path of each
    .gitattributes file to its text."""
    rules = {path.removesuffix(".gitattributes"): _rules(text) for path, text in attributes.items()}
    # The folder nearest to the file wins, in it the last line.
    ordered = [(f, rules[f][::-1]) for f in sorted(rules, key=len, reverse=True) if rules[f]]

    def stated(path: str, attribute: str) -> bool | None:
        for folder, own in ordered:
            if path.startswith(folder):
                below = path[len(folder) :]
                for regex, name, state in own:
                    if name == attribute and regex.fullmatch(below):
                        return state
        return None

    def reason(path: str) -> str:
        for attribute, word in ATTRIBUTE.items():
            state = stated(path, attribute) if ordered else None
            if state or (state is None and _by_name(path) == word):
                return word
        return ""

    return reason


def _by_name(path: str) -> str:
    name = path[path.rfind("/") + 1 :]
    if VENDORED.search(path):
        return "vendored"
    return "generated" if GENERATED.match(name) else ""


def _rules(text: str) -> list[Rule]:
    """The lines of one .gitattributes file that set one of the two attributes, in its order."""
    rules: list[Rule] = []
    for line in text.split("\n"):
        words = line.split()
        if len(words) < 2 or "linguist-" not in line or words[0].startswith(("#", "[attr]", '"', "!")):
            continue
        if len(words[0]) > MAX_CHARS or words[0].count("*") > MAX_STARS or not words[0].isprintable():
            continue
        regex = None
        for word in words[1:]:
            if m := STATE.match(word):
                regex = regex or re.compile(glob_regex(words[0], folders=False), re.DOTALL)
                state = None if m[1] == "!" else m[1] != "-" and m[3] not in ("false", "unset")
                rules.append((regex, m[2], state))
    return rules
