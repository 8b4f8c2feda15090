"""What a review needs before it begins: the settings and skills at base, and the tools."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from reviewbot.core.errors import ConfigError, UsageError
from reviewbot.core.options import DiffOptions
from reviewbot.core.rulebook import SETTINGS
from reviewbot.core.skill.choice import WITHOUT_MODEL, is_general
from reviewbot.core.skill.discovery import Fault, Place
from reviewbot.core.skill.loaded import Loaded
from reviewbot.core.tools import Tools
from reviewbot.core.types import GateResult, GateRun, GateTerms, Settings, Side, Skill, Skills
from reviewbot.detectors.bind import unknown_pins
from reviewbot.gates.rules import RuleWorker
from reviewbot.gates.run import LocalGates
from reviewbot.hosts import searchpath
from reviewbot.hosts.commitfolders import CommitFolders
from reviewbot.hosts.local import LocalSource
from reviewbot.wiring.hands import PLAIN, Around
from reviewbot.wiring.inventory import at_base, built_in, chosen, errors, named, not_at_base, settings_in
from reviewbot.wiring.model import is_on, reader

if TYPE_CHECKING:
    from reviewbot.gates.executing import Executing
    from reviewbot.gates.sandbox import Entry
    from reviewbot.wiring.model import AnySource


class Prepared(NamedTuple):
    settings: Settings
    skills: Skills
    tools: Tools
    model: bool  # whether one is asked


def prepare(options: DiffOptions, source: AnySource, closing: ExitStack, around: Around = PLAIN) -> Prepared:
    """Raises UsageError or ConfigError before any work starts; `closing` gives back what the tools hold."""
    place = _place(source)
    settings = settings_at(place) if place else Settings()
    cached = settings.gates.cache and around.results
    terms = settings.gates._replace(timeout=_timeout(settings), cache=cached)
    model = is_on(options, settings.model)
    skills = _skills(options, source, place, settings, model=model)
    pins = (fault for skill in skills.active for fault in unknown_pins(skill))
    execute = _Execute(options.unsafe_gates, source, terms, closing)
    gates = LocalGates(terms.timeout, execute=execute, cached=terms.cache)
    limited = replace(source, limit=settings.max_file_bytes)
    reading = reader(options, settings.model, limited, closing, around)
    tools = Tools(limited, around.gates(gates), RuleWorker(), reading, options.progress)
    return Prepared(settings, skills._replace(failed=(*skills.failed, *pins)), tools, model)


def _place(source: AnySource) -> Place | None:
    """The tree at base; None: a patch has none."""
    if isinstance(source, LocalSource):
        return CommitFolders(source.git, source.ground)
    return source.place


def settings_at(place: Place) -> Settings:
    """Those at base. Raises ConfigError where they are there and cannot be read."""
    folder, _, name = SETTINGS.rpartition("/")
    [entries] = place.entries([folder])
    entry = entries if isinstance(entries, Fault) else entries.get(name)
    if entry is None:
        return Settings()
    content = place.read([SETTINGS])[0] if entry == "file" else entry
    if isinstance(content, bytes):
        return settings_in({SETTINGS: content})
    why = content.why if isinstance(content, Fault) else "a folder, not a file"
    raise ConfigError(f"{SETTINGS} at base cannot be read: {why}")


class _Execute:
    """Runs the gates that execute code. What that takes is imported, and made once, for the reviews that
    have some; `closing` gives it back at their end."""

    def __init__(self, unsafe: bool, source: AnySource, terms: GateTerms, closing: ExitStack) -> None:
        self._unsafe = unsafe
        self._source = source
        self._terms = terms
        self._closing = closing

    def __call__(self, runs: Sequence[GateRun]) -> Sequence[GateResult]:
        return self._executing.run(runs)

    @cached_property
    def _executing(self) -> Executing:
        from reviewbot.gates.executing import Executing
        from reviewbot.gates.runners import Sandboxed, Unsandboxed
        from reviewbot.gates.trees import Trees
        from reviewbot.hosts.wholetree import tree_id

        source, terms = self._source, self._terms
        sandboxed = Sandboxed(terms)
        runner = Unsandboxed(terms, searchpath.given()) if self._unsafe else sandboxed
        named = partial(tree_id, source) if isinstance(source, LocalSource) else lambda side: ""
        trees = self._closing.enter_context(Trees(self._files, cache(named)))
        return Executing(trees, terms, runner, sandboxed, terms.cache)

    def _files(self, side: Side) -> Iterator[Entry]:
        from reviewbot.gates.sandbox import Entry
        from reviewbot.hosts.wholetree import whole_tree

        if not isinstance(self._source, LocalSource):
            raise UsageError(self._source.no_tree)
        yield from (Entry(*file) for file in whole_tree(self._source, side))


def _timeout(settings: Settings) -> float:
    given = os.environ.get("REVIEWBOT_GATE_TIMEOUT")
    if not given:
        return settings.gates.timeout
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]+)?", given) or not float(given):
        raise ConfigError(f"REVIEWBOT_GATE_TIMEOUT={given!r} is no number of seconds above 0")
    return float(given)


def _skills(
    options: DiffOptions, source: AnySource, place: Place | None, settings: Settings, *, model: bool = False
) -> Skills:
    local = source if isinstance(source, LocalSource) else None
    found = at_base(place) if place else ()
    builtin = built_in()
    if not options.skills:
        work_tree = local.git.folder if local and local.git.has_work_tree else None
        notes = not_at_base(work_tree, options.cwd, found, settings) if work_tree else ()
        return chosen(found, builtin, settings, model=model)._replace(notes=notes)
    rows = [_named(name, options.cwd, found, builtin) for name in dict.fromkeys(options.skills)]
    skills = [skill for _, skill in rows]
    for name, times in Counter(skill.name for skill in skills).items():
        if times > 1:
            raise ConfigError(f"--skill: {times} skills are called {name}", "name one of them")
    if not model and (vain := next(filter(is_general, skills), None)):
        raise UsageError(f"--skill {vain.name}: {WITHOUT_MODEL}", "name another skill")
    return Skills(tuple(skills), failed=errors(row for row, _ in rows))


def _named(name: str, cwd: str, found: Sequence[Loaded], builtin: Sequence[Loaded]) -> tuple[Loaded, Skill]:
    try:
        row = named(name, cwd, found, builtin)
    except UsageError as error:
        raise UsageError(f"--skill {error}") from error
    if row.skill is None:
        raise ConfigError(f"--skill {name}: {errors([row])[0]}")
    return row, row.skill
