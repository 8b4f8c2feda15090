"""The processes of a gate line that executes: one for each changed file that its placeholders speak of.

`<each>` is a changed file: the word around it is the pattern of its path. A placeholder of a row of the
files in scope is bound: it stands for what it stood for in the path of a changed file. Paths are the
words of strangers: each becomes one word, or a part of one, and no option.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from reviewbot.core import captures
from reviewbot.core.globs import BadPattern, glob_of
from reviewbot.core.patterns import pattern
from reviewbot.core.types import GateRun, GateSpec, GateStatus, ScopeRow

EACH = "<each>"
PLACEHOLDER = pattern(r"<[\w.-]+>")
MOST = 200  # processes of one line
SHOWN = 5  # of the files that are left out

_EVERY = pattern(r"(?:\./)?<each>")
_OPTION = pattern(r"-[^=]*=")
_GLOB = pattern(r"[*?[]")


def placeholders(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for word in words for name in PLACEHOLDER.findall(word)))


def bound(rows: Iterable[ScopeRow]) -> tuple[frozenset[str], ...]:
    """The placeholders that each row binds."""
    return tuple(frozenset(captures.names(row.written)) for row in rows if row.pattern[:1] != "!")


def unresolved(words: Sequence[str], rows: Sequence[frozenset[str]]) -> str:
    """Why the placeholders of a line cannot be filled, given what each row binds; "" if they can."""
    known = frozenset[str]().union(*rows, [EACH])
    names = placeholders(words)
    if unknown := next((name for name in names if name not in known), ""):
        return f"nothing says what {unknown} stands for"
    wanted = _bound(names, rows)
    if any(wanted <= row for row in rows) or not wanted:
        return ""
    return f"no row of the files in scope has all of {', '.join(sorted(wanted))}"


def literal(text: str) -> str:
    """A pattern that matches this text only."""
    return _GLOB.sub(r"[\g<0>]", text)


def processes(run: GateRun, rows: Sequence[ScopeRow], paths: Sequence[str]) -> Iterator[GateRun]:
    """`run` itself, or one run for each filling of its placeholders. `rows` are those of its skill's scope,
    `paths` the changed files in it."""
    spec = run.spec
    if not placeholders(spec.argv):
        yield run
        return
    line = _Line(spec, rows)
    try:
        line.check()
    except BadPattern as error:
        yield run._replace(verdict=GateStatus.REFUSED, reason=str(error))
        return
    filled = (line.run(run, *filling) for path in paths for filling in line.fillings(path))
    runs = list(dict.fromkeys(filled))
    if not runs:
        why = f"no changed file matches {' '.join(line.wanted)}"
        yield run._replace(verdict=GateStatus.SKIPPED, reason=why)
    yield from runs[:MOST]
    if left := [" ".join(one.argv) for one in runs[MOST:]]:
        more = f" and {len(left) - SHOWN} more" if len(left) > SHOWN else ""
        why = f"more than {MOST} processes for one line; not run: {', '.join(left[:SHOWN])}{more}"
        yield run._replace(verdict=GateStatus.REFUSED, reason=why)


class _Line:
    """The placeholders of one line, and which files fill them."""

    def __init__(self, spec: GateSpec, rows: Sequence[ScopeRow]) -> None:
        self._spec = spec
        names = placeholders(spec.argv)
        self._bound = _bound(names, bound(rows))
        claiming = [row.written for row in rows if row.pattern[:1] != "!"]
        self._rows = [row for row in claiming if self._bound and self._bound <= set(captures.names(row))]
        each = EACH in names and EACH not in self._bound
        self._each = [word for word in spec.argv if EACH in word] if each else []

    @property
    def wanted(self) -> tuple[str, ...]:
        """The patterns of the files that it is for."""
        return tuple(dict.fromkeys([*map(_glob, self._each), *self._rows]))

    def check(self) -> None:
        """Raises BadPattern for a word around `<each>` that no path can have."""
        for word in self._each:
            if not _EVERY.fullmatch(_glob(word)):
                glob_of(_glob(word))

    def fillings(self, path: str) -> Iterator[tuple[str, Mapping[str, str]]]:
        """A path and what the placeholders are in the words that are not this path."""
        each = next(({EACH: stem} for word in self._each if (stem := _stem(word, path))), None)
        if self._each and each is None:
            return
        if not self._bound:
            yield path, each or {}
        for row in self._rows:
            if found := captures.values(row, path):
                own = {name: found[name] for name in self._bound}
                yield path if self._each else "", {**(each or {}), **own}

    def run(self, run: GateRun, path: str, values: Mapping[str, str]) -> GateRun:
        """The run with the words of its line filled; refused where they make none."""
        spec = self._spec
        argv = tuple(self._word(i, word, path, values) for i, word in enumerate(spec.argv))
        patterns = tuple(
            literal(argv[i]) if self._is_path(spec.argv[i], path) else _filled(glob, values, literal)
            for i, glob in enumerate(spec.patterns)
        )
        run = run._replace(spec=spec._replace(argv=argv, patterns=patterns), argv=argv)
        why = next(filter(None, map(_unfit, spec.argv, argv)), "")
        return run._replace(verdict=GateStatus.REFUSED, reason=why) if why else run

    def _word(self, index: int, word: str, path: str, values: Mapping[str, str]) -> str:
        if not self._is_path(word, path):
            return _filled(word, values, str)
        option = word[: len(word) - len(_glob(word))]
        if option:
            return option + path
        return f"./{path}" if index == 0 or word.startswith("./") or path.startswith("-") else path

    def _is_path(self, word: str, path: str) -> bool:
        return word in self._each and _stem(word, path) is not None


def _bound(names: Iterable[str], rows: Sequence[frozenset[str]]) -> frozenset[str]:
    """Those of the names that some row binds."""
    return frozenset(name for name in names if any(name in row for row in rows))


def _glob(word: str) -> str:
    """The pattern of a path in a word: `--file=a/<each>` is an option with a path."""
    return _OPTION.sub("", word, count=1) if word.startswith("-") else word


def _stem(word: str, path: str) -> str | None:
    """What `<each>` is in a path that the word means; None for any other path."""
    glob = _glob(word)
    if _EVERY.fullmatch(glob):
        return path
    return (captures.values(glob, path) or {}).get(EACH)


def _filled(word: str, values: Mapping[str, str], spelt: Callable[[str], str]) -> str:
    return PLACEHOLDER.sub(lambda m: spelt(values.get(m[0], m[0])), word)


def _unfit(written: str, word: str) -> str:
    """Why a filled word is not given to a program; "" where it can be."""
    if word == written:
        return ""
    if ".." in word.split("/"):
        return f"`{word}` reaches outside the repository"
    if word.startswith("-") and not written.startswith("-"):
        return f"`{word}` would be read as an option"
    return ""
