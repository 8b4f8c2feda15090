"""`.reviewbot/config.toml` → Settings. An unknown key is an error with its line and the nearest known key."""

from __future__ import annotations

import re
from posixpath import normpath
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from reviewbot.core.tomlfile import Table, parse_toml
from reviewbot.core.types import GateTerms, ModelTerms, PullTerms, Settings

# What a gate cannot be given: the sandbox has its own, and the linker's would change what is run.
OWN_VARIABLES = re.compile(r"PATH|HOME|TMPDIR|PWD|OLDPWD|SHLVL|_|LD_.*")


class _SkillsTable(Table):
    use: list[str] = Field(default_factory=list)
    disable: list[str] = Field(default_factory=list)


class _LimitsTable(Table):
    max_file_bytes: Annotated[int, Field(gt=0)] = Settings().max_file_bytes


def _variable(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError(f"{name!r} is no name of a variable")
    if OWN_VARIABLES.fullmatch(name):
        raise ValueError(f"{name} is the sandbox's own")
    return name


def _place(path: str) -> str:
    """A place of the machine that can be named in a sandbox beside what is there."""
    if not path.startswith("/") or "\0" in path or normpath(path) != path:
        raise ValueError(f"{path!r} is no plain absolute path")
    if path.split("/")[1] in ("", "proc", "dev", "sys", "tree", "pristine", "tools"):
        raise ValueError(f"{path} cannot be shown in the sandbox")
    return path


class _GatesTable(Table):
    execute: bool = GateTerms().execute
    timeout: Annotated[float, Field(gt=0, le=999_999, strict=False)] = GateTerms().timeout
    memory: Annotated[int, Field(gt=0, le=1_000_000)] = GateTerms().memory
    env: list[Annotated[str, AfterValidator(_variable)]] = Field(default_factory=list)
    binds: list[Annotated[str, AfterValidator(_place)]] = Field(default_factory=list)
    python: Annotated[str, AfterValidator(_place)] | None = None
    cache: bool = GateTerms().cache


Effort = Literal["low", "medium", "high", "xhigh", "max"]
Percent = Annotated[int, Field(ge=0, le=100)]
_Terms = ModelTerms()


class _ModelTable(Table):
    provider: Literal["", "anthropic", "bedrock", "vertex", "foundry"] = ""
    find: str = _Terms.find
    refute: str = _Terms.refute
    find_effort: Effort = "medium"
    refute_effort: Effort = "low"
    passes: Literal[1, 2, 3] = 1
    max_usd: Annotated[float, Field(ge=0, le=1000, strict=False)] = _Terms.max_usd
    max_usd_day: Annotated[float, Field(ge=0, le=100_000, strict=False)] = _Terms.max_usd_day
    inline: Annotated[int, Field(ge=0, le=50)] = _Terms.inline
    inline_confidence: Percent = _Terms.inline_confidence
    table_confidence: Percent = _Terms.table_confidence


_Pull = PullTerms()


class _CheckTable(Table):
    fail_on: Literal["blocker", "warning", "note", "never"] = "never"
    gate: bool = _Pull.gate


class _PullTable(Table):
    drafts: bool = _Pull.drafts
    authors: bool = _Pull.authors
    resolve: bool = _Pull.resolve


class _Config(Table):
    skills: _SkillsTable = _SkillsTable()
    limits: _LimitsTable = _LimitsTable()
    gates: _GatesTable = _GatesTable()
    model: _ModelTable = _ModelTable()
    check: _CheckTable = _CheckTable()
    pull: _PullTable = _PullTable()


def parse_settings(data: bytes, path: str) -> Settings:
    """Raises ConfigError with `path:line` and the remedy."""
    config = parse_toml(_Config, data, path)
    gates = config.gates
    return Settings(
        use=tuple(config.skills.use),
        disable=tuple(config.skills.disable),
        max_file_bytes=config.limits.max_file_bytes,
        gates=GateTerms(
            execute=gates.execute,
            timeout=gates.timeout,
            memory=gates.memory,
            env=tuple(gates.env),
            binds=tuple(gates.binds),
            python=gates.python or "",
            cache=gates.cache,
        ),
        model=ModelTerms(**config.model.model_dump()),
        pull=PullTerms(**config.check.model_dump(), **config.pull.model_dump()),
    )
