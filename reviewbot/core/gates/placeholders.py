"""The processes of a gate line that executes: one for each changed file that its placeholders speak of.

`<each>` is a changed file: the word around it is the pattern of its path. A placeholder of a row of the
files in scope is bound: it stands for what it stood for in the path of a changed file. Paths are the
words of strangers: each becomes one word, or a part of one, and no option.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from reviewbot.core.gates import captures
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
    runs = list(dict.fromkeys(own for path in paths for own in line.runs(run, path)))
    if not runs:
        why = f"no changed file matches {' '.join(line.wanted)}"
        yield run._replace(verdict=GateStatus.SKIPPED, reason=why)
    yield from runs[:MOST]
    if left := [" ".join(one.argv) for one in runs[MOST:]]:
        more = f" and {len(left) - SHOWN} more" if len(left) > SHOWN else ""
        why = f"more than {MOST} processes for one line; not run: {', '.join(left[:SHOWN])}{more}"
        yield run._replace(verdict=GateStatus.REFUSED, reason=why)


class _Word(NamedTuple):
    """A word of a line, cut where its path begins."""

    option: str  # "--file=" of `--file=a/<each>`; ""
    glob: str

    @property
    def every(self) -> bool:
        """Whether it is any path."""
        return _EVERY.fullmatch(self.glob) is not None

    def stem(self, path: str) -> str | None:
        """What `<each>` is in a path that the word means; None for any other path."""
        return path if self.every else (captures.values(self.glob, path) or {}).get(EACH)

    def naming(self, path: str, first: bool) -> str:
        """The word for this path, which is no option; the first of a line is no program of the system."""
        dotted = not self.option and (first or self.glob.startswith("./") or path.startswith("-"))
        return f"{self.option}{'./' if dotted else ''}{path}"


class _Line:
    """The placeholders of one line, and which files fill them."""

    def __init__(self, spec: GateSpec, rows: Sequence[ScopeRow]) -> None:
        self._spec = spec
        names = placeholders(spec.argv)
        self._bound = _bound(names, bound(rows))
        claiming = [row.written for row in rows if row.pattern[:1] != "!"]
        self._rows = [row for row in claiming if self._bound and self._bound <= set(captures.names(row))]
        each = EACH in names and EACH not in self._bound
        self._each = {i: _cut(word) for i, word in enumerate(spec.argv) if each and EACH in word}

    @property
    def wanted(self) -> tuple[str, ...]:
        """The patterns of the files that it is for."""
        return tuple(dict.fromkeys([*(word.glob for word in self._each.values()), *self._rows]))

    def check(self) -> None:
        """Raises BadPattern for a word around `<each>` that no path can have."""
        for word in self._each.values():
            if not word.every:
                glob_of(word.glob)

    def runs(self, run: GateRun, path: str) -> Iterator[GateRun]:
        """Those that a changed file asks for: its path is in the words around `<each>` that mean it, and what
        the placeholders are in it is in all others."""
        stems = {i: stem for i, word in self._each.items() if (stem := word.stem(path)) is not None}
        if self._each and not stems:
            return
        each = {EACH: next(iter(stems.values()))} if stems else {}
        own = (found for row in self._rows if (found := captures.values(row, path)))
        for values in own if self._bound else [{}]:
            values = {**each, **{name: values[name] for name in self._bound}}
            yield self._filled(run, {i: self._each[i].naming(path, i == 0) for i in stems}, values)

    def _filled(self, run: GateRun, paths: Mapping[int, str], values: Mapping[str, str]) -> GateRun:
        """The run with the words of its line filled, those of `paths` by their index; refused where they
        make none."""
        spec = self._spec
        argv = tuple(paths.get(i) or _filled(word, values, str) for i, word in enumerate(spec.argv))
        patterns = tuple(
            literal(argv[i]) if i in paths else _filled(glob, values, literal)
            for i, glob in enumerate(spec.patterns)
        )
        run = run._replace(spec=spec._replace(argv=argv, patterns=patterns), argv=argv)
        why = next(filter(None, map(_unfit, spec.argv, argv)), "")
        return run._replace(verdict=GateStatus.REFUSED, reason=why) if why else run


def _cut(word: str) -> _Word:
    option = _OPTION.match(word)
    return _Word(option[0], word[option.end() :]) if option else _Word("", word)


def _bound(names: Iterable[str], rows: Sequence[frozenset[str]]) -> frozenset[str]:
    """Those of the names that some row binds."""
    return frozenset(name for name in names if any(name in row for row in rows))


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
