"""Which gates run on which texts of a change, and on one text that an edit proposes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reviewbot.core.gates.commands import Command, argument, reads, recognise
from reviewbot.core.gates.config import configuration, why_not_ruff
from reviewbot.core.gates.placeholders import placeholders, processes
from reviewbot.core.globs import BadPattern, exact_regex, glob_of
from reviewbot.core.language import language
from reviewbot.core.types import (
    ABSENT,
    EXECUTING,
    Assignment,
    GatePlan,
    GateRun,
    GateSpec,
    GateStatus,
    Scope,
    Text,
    Texts,
)

PARTIAL = "only the hunks of the patch are known"

_EVERY = re.compile(r"<[\w. -]+>|\./?")
_CODE = re.compile(r"\b[A-Z]{1,5}\d{3,4}\b")
# `bash -n` does not run the `shopt` that makes the patterns further down valid.
_EXTGLOB = re.compile(r"\bshopt[ \t]+-s[ \t][^\n;&|]{0,200}?\bextglob\b")
_SYNTAX = {"shell": "bash -n <each>", "python": "python3 -m py_compile <each>"}


@dataclass(frozen=True, slots=True)
class _Ground:
    """What all gates of a change stand on."""

    texts: Texts
    config: Mapping[str, bytes]
    forbidden: Mapping[str, tuple[str, ...]]  # path -> codes that a skill forbids to report


def plan_gates(scope: Scope, texts: Texts, config: Mapping[str, bytes]) -> GatePlan:
    """At least one run for each gate of each skill that claims a changed file. Where all that a skill speaks
    of is deleted, or no text, what executes runs all the same: it can break by that.

    `texts` are those of head; `config` holds the tools' configuration files at base, by path.
    """
    ground = _Ground(texts, config, _forbidden(scope.assignments))
    return GatePlan(
        tuple(
            run
            for assignment in scope.assignments
            for spec in assignment.skill.gates
            if assignment.paths or (assignment.touched and _of_all(spec))
            for run in _planned(assignment, spec, ground)
        )
    )


def _of_all(spec: GateSpec) -> bool:
    """Whether a gate executes, and is for no single file."""
    return spec.kind == "executing" and not placeholders(spec.argv)


def _planned(assignment: Assignment, spec: GateSpec, ground: _Ground) -> Iterator[GateRun]:
    skill = assignment.skill
    run = GateRun(skill.name, spec, "", spec.argv, skill_path=skill.path)
    if spec.kind == "executing":
        yield from processes(run._replace(tool=EXECUTING), skill.scope, assignment.paths)
        return
    command = recognise(spec.argv) if spec.kind == "parse-only" else spec.reason
    try:
        paths = _chosen(command, assignment.paths, ground.texts) if isinstance(command, Command) else []
    except BadPattern as error:
        command = str(error)
    if not isinstance(command, Command):
        yield run._replace(verdict=GateStatus.REFUSED, reason=command)
        return
    run = run._replace(tool=command.tool.name, reason=command.note)
    if paths:
        yield from _runs(command, run, paths, ground)
    else:
        why = f"no changed file matches {' '.join(command.patterns)}"
        yield run._replace(verdict=GateStatus.SKIPPED, reason=why)


def _runs(command: Command, run: GateRun, paths: Sequence[str], ground: _Ground) -> Iterator[GateRun]:
    run = run._replace(config=configuration(run.tool, ground.config))
    whole: dict[tuple[str, ...], list[Text]] = {}
    left: dict[str, list[str]] = {}
    for path in paths:
        if why := _obstacle(run, path, ground.texts):
            left.setdefault(why, []).append(path)
        else:
            whole.setdefault(ground.forbidden.get(path, ()), []).append(ground.texts.files[path])
    for codes, texts in whole.items():
        for files in _batches(texts, command.tool.batch):
            yield run._replace(argv=_argv(command.words, files), files=files, forbidden=codes)
    for why, names in left.items():
        argv = (*command.words, *map(argument, names))
        yield run._replace(argv=argv, verdict=GateStatus.SKIPPED, reason=why)


def _chosen(command: Command, paths: Sequence[str], texts: Texts) -> list[str]:
    """The paths that the command's patterns name and its tool reads. Raises BadPattern."""
    for pattern in command.patterns:
        if not _EVERY.fullmatch(pattern):
            glob_of(pattern)
    regex = "|".join(".*" if _EVERY.fullmatch(p) else exact_regex(p) for p in command.patterns)
    named = re.compile(regex, re.DOTALL).fullmatch
    return [
        path
        for path in paths
        if named(unicodedata.normalize("NFC", path))
        and reads(command, path, _first_line(texts.files.get(path)))
    ]


def _first_line(text: Text | None) -> str:
    return text.first_line if text else ""


def _obstacle(run: GateRun, path: str, texts: Texts) -> str:
    """Why a file is not given to the tool, or ""."""
    text = texts.files.get(path)
    if text is None:
        return f"not read: {texts.unread.get(path, ABSENT)}"
    if text.partial:
        return PARTIAL
    return why_not_ruff(path, run.config) if run.tool == "ruff" else ""


def _batches(texts: Sequence[Text], size: int) -> Iterator[tuple[Text, ...]]:
    """At most `size` files each. A file that is not laid out under its own name is alone, so that
    no other can have the name it gets."""
    plain = [text for text in texts if text.path.isprintable()]
    for i in range(0, len(plain), size):
        yield tuple(plain[i : i + size])
    yield from ((text,) for text in texts if not text.path.isprintable())


def _argv(words: Sequence[str], texts: Sequence[Text]) -> tuple[str, ...]:
    extended = words[0] == "bash" and any(_EXTGLOB.search(text.content) for text in texts)
    names = [argument(text.path) for text in texts]
    return (words[0], *(("-O", "extglob") if extended else ()), *words[1:], *names)


def _forbidden(assignments: Sequence[Assignment]) -> dict[str, tuple[str, ...]]:
    """The codes that suppress classes of the skills that claim a path name."""
    codes: dict[str, set[str]] = {}
    for a in assignments:
        classes = [f"{c.title}\n{c.body}" for c in a.skill.classes if c.kind == "suppress"]
        if own := {code for text in classes for code in _CODE.findall(text)}:
            for path in a.paths:
                codes.setdefault(path, set()).update(own)
    return {path: tuple(sorted(own)) for path, own in codes.items()}


def rehearse_gates(plan: GatePlan, text: Text) -> tuple[GateRun, ...]:
    """The runs of `plan` that read the file of `text`, on this text alone, and always a syntax check."""
    planned = [run for run in plan.runs if not run.verdict and any(f.path == text.path for f in run.files)]
    own = [only(run, [text]) for run in planned]
    if not any(run.syntax for run in own):
        own += _syntax_check(text)
    return tuple({(run.tool, run.argv): run for run in own}.values())


def _syntax_check(text: Text) -> list[GateRun]:
    line = _SYNTAX.get(language(text.path, _first_line(text)))
    command = recognise(line.split()) if line else None
    if line is None or not isinstance(command, Command):
        return []
    spec = GateSpec(line, tuple(line.split()), "parse-only")
    return [GateRun("", spec, command.tool.name, _argv(command.words, [text]), (text,))]


def only(run: GateRun, texts: Sequence[Text]) -> GateRun:
    """The same run on other texts."""
    words = run.argv[: len(run.argv) - len(run.files)]
    return run._replace(argv=(*words, *(argument(t.path) for t in texts)), files=tuple(texts))
