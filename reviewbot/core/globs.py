"""Globs: one token of a `File` cell, or a pattern of .gitattributes, as a regular expression.

Close to gitignore, and apart from it where a scope table means something else. A bare name matches
a file name at any depth; in gitignore `run*` would also claim everything below a folder
`runtime/`. A placeholder such as `<model>` stands for at least one character. Braces are
alternatives. So patterns are compiled here and not by pathspec; `*` becomes an atomic group, which
keeps matching linear in the path however many stars a hostile pattern has.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from reviewbot.core.patterns import pattern

MAX_CHARS = 512
MAX_STARS = 8
MAX_ALTERNATIVES = 64
MAX_SPELLED = 4_096  # characters of all alternatives of a pattern together
MAX_TOTAL = 50_000  # characters of all patterns of a table, spelled so; they are one regular expression
TOO_MANY = f"too many alternatives: spelled out, the patterns have more than {MAX_TOTAL:,} characters"
PLACEHOLDER = pattern(
    r"<[\w. -]+>|\{[\w.-]+\}|\$\{\w+\}|\$[A-Za-z_]\w*|%[sd]"
    r"|(?<![A-Za-z0-9])(?:NNN+|YYYY(?:-?MM-?DD)?)(?![A-Za-z0-9])"
)
CHOICE = pattern(r"<([\w.-]+(?:\|[\w.-]+)+)>")
ELLIPSIS = pattern(r"(?:(?<=/)|^)(?:\.\.\.|…)(?=/|$)")
LINE_SUFFIX = pattern(r"(?:#L\d+(?:-L?\d+)?|(?<=\w):\d+(?:-\d+)?)$")
STAR_RUN = pattern(r"[*\0]*\0[*\0]*")
KEPT = {"\1": "(?:", "\2": "|", "\3": ")"}
INNER_BRACES = pattern(r"\{([^{}]*,[^{}]*)\}")
# At least one character, of which the regular expression keeps the first and the others as two groups.
CAPTURED = "\x04?*"
PIECE = pattern(r"\x04\?\*+|\*+|\?|\[[!^]?\]?[^\]]*\]|\\.|.", re.DOTALL)
ROUTE_PART = pattern(r"\[\.{0,3}\w{3,}\]")  # `app/[slug]/page.tsx` names a file, no character class
# Files without an extension whose first line calls that interpreter. No other tool has this form.
INTERPRETERS = {"#!sh": "shell", "#!python": "python"}
Spelling = str | Callable[[re.Match[str]], str]  # what a placeholder becomes


class BadPattern(ValueError):
    """A token that names no file of a repository; the message says why."""


def glob_of(written: str) -> str:
    """The glob of one token, with `*` for each placeholder; a leading "!" is kept.

    Raises BadPattern: it reaches outside the repository, means every file, or is too large.
    """
    if len(written) > MAX_CHARS:
        raise BadPattern(f"the pattern is longer than {MAX_CHARS} characters")
    marked = _normal(written, "\0")
    glob = STAR_RUN.sub("*", marked)
    path = glob.removeprefix("!")
    if path.startswith(("/", "~")) or re.match(r"[A-Za-z]:", path) or ".." in path.split("/"):
        raise BadPattern(f"`{written}` is not a path inside the repository")
    if not path or not path.isprintable():
        raise BadPattern("the pattern is empty or holds a control character")
    if "\0" in marked and not path.strip("*./"):
        raise BadPattern(f"`{written}` would match every file")
    if path.count("*") > MAX_STARS or len(_alternatives(path)) > MAX_ALTERNATIVES:
        raise BadPattern(f"`{written}` has more than {MAX_STARS} `*` or {MAX_ALTERNATIVES} alternatives")
    if size_of([path]) > MAX_SPELLED:
        raise BadPattern(
            f"too many alternatives: spelled out, they have more than {MAX_SPELLED:,} characters"
        )
    if "#!" in glob and glob not in INTERPRETERS:
        raise BadPattern(f"`{written}`: the interpreters are `#!sh` and `#!python`")
    return glob


def size_of(globs: Iterable[str]) -> int:
    """The characters of globs whose alternatives are spelled out: what their regular expression costs."""
    return sum(len(text) for glob in globs for text in _alternatives(glob))


def exact_glob(written: str, placeholder: Spelling = "?*") -> str:
    """The glob of a token by which paths are matched, without "!": a placeholder is `?*` in it."""
    return _normal(written, placeholder).removeprefix("!")


def exact_regex(written: str) -> str:
    """The regular expression of a token as written; see `glob_regex`."""
    return glob_regex(exact_glob(written))


def _normal(written: str, placeholder: Spelling) -> str:
    text = unicodedata.normalize("NFC", written.strip())
    if "/" not in text:
        text = text.replace("\\", "/")
    text = LINE_SUFFIX.sub("", text)
    text = CHOICE.sub(lambda m: "{" + m[1].replace("|", ",") + "}", text)
    text = ELLIPSIS.sub("**", PLACEHOLDER.sub(placeholder, text))
    sign, text = ("!", text[1:]) if text.startswith("!") else ("", text)
    text = text.removeprefix("./")
    return sign + (text + "**" if text.endswith("/") else text)


def _alternatives(glob: str) -> list[str]:
    """The glob with those braces spelled out that a regular expression cannot hold in their place;
    the others become the characters of KEPT. Stops just above MAX_ALTERNATIVES."""
    done: list[str] = []
    todo = [glob]
    while todo and len(done) + len(todo) <= MAX_ALTERNATIVES:
        text = todo.pop()
        m = INNER_BRACES.search(text)
        if not m:
            done.append(text)
            continue
        parts = m[1].split(",")
        before, after = text[: m.start()], text[m.end() :]
        # Between two stars the shorter of two alternatives would hide the longer one.
        between = "*" in before[before.rfind("/") + 1 :] and "*" in after.partition("/")[0]
        if between or re.search(r"[*?\[/]", m[1]):
            todo.extend(before + part + after for part in reversed(parts))
        else:
            todo.append(before + "\1" + "\2".join(parts) + "\3" + after)
    return done + todo


def glob_regex(glob: str, *, folders: bool = True) -> str:
    """The regular expression, for `re.fullmatch(…, path, re.DOTALL)`, of a printable glob without "!".

    A glob without "/" matches at any depth, any other from the root. With `folders`, a last part
    without wildcards also stands for everything below it (in .gitattributes it does not).
    """
    return "|".join(_regex(text, folders=folders) for text in _alternatives(glob))


def names_folder(glob: str) -> bool:
    """Whether a bare name may be that of a folder: no wildcard, and no extension either."""
    return not re.search(r"[*?\[/]|\w\.\w", glob)


def _regex(glob: str, *, folders: bool) -> str:
    *parents, last = glob.removeprefix("/").split("/")
    below = folders and not re.search(r"[*?\[]", last) and ("/" in glob or names_folder(last))
    out = "" if "/" in glob else "(?:.*/)?"
    pending = ""  # the parts behind a `**/`, up to the next one
    deep = False
    for part in parents:
        if part == "**":
            out += _sought(pending, deep=deep)
            pending, deep = "", True
        else:
            pending += _part(part) + "/"
    if last == "**":
        return out + _sought(pending, deep=deep) + ".+"
    return out + ("(?:.*/)?" if deep else "") + pending + _part(last) + ("(?:/.*)?" if below else "")


def _sought(pending: str, *, deep: bool) -> str:
    """Parts behind a `**/` are found once, from the left: the next `**` takes whatever is between."""
    return f"(?>(?:[^/]+/)*?{pending})" if deep and pending else pending


def _part(part: str) -> str:
    """One part of a path. All stars but the last match as little as they can and are never tried
    again, which is exact for globs, and linear."""
    fixed, stars = [""], []  # the texts between the stars, and what a star matches
    route = ROUTE_PART.search(part) and not re.search(r"[*?{]", part)
    for piece in PIECE.findall(part):
        if piece[0] in CAPTURED[0] + "*":
            captured = piece[0] != "*"
            fixed[-1] += "([^/])" if captured else ""
            fixed.append("")
            stars.append("([^/]*{})" if captured else "[^/]*{}")
        elif piece == "?":
            fixed[-1] += "[^/]"
        elif piece[0] == "[" and len(piece) > 2 and not route:
            fixed[-1] += _class(piece)
        elif piece in KEPT:
            fixed[-1] += KEPT[piece]
        else:
            fixed[-1] += re.escape(piece[1:] if piece[0] == "\\" and len(piece) == 2 else piece)
    first, *others = fixed
    if not others:
        return first
    *lazy, last = stars
    middle = "".join(
        f"(?>{star.format('?')}{text})" for star, text in zip(lazy, others[:-1], strict=True) if text
    )
    return f"{first}{middle}{last.format('')}{others[-1]}"


def _class(piece: str) -> str:
    negated = piece[1] in "!^"
    inner = re.sub(r"[\\\[\]^&~|]", r"\\\g<0>", piece[1 + negated : -1])
    try:
        re.compile(f"[{inner}]")
    except re.error:  # [z-a], which matches nothing for git either
        return "(?!)"
    return f"[^/{inner}]" if negated else f"(?!/)[{inner}]"
