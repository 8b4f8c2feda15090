"""`.reviewbot/config.toml` → Settings. An unknown key is an error with its line and the nearest known key."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from reviewbot.core.tomlfile import Table, parse_toml
from reviewbot.core.types import Settings


class _SkillsTable(Table):
    use: list[str] = Field(default_factory=list)
    disable: list[str] = Field(default_factory=list)


class _LimitsTable(Table):
    max_file_bytes: Annotated[int, Field(gt=0)] = Settings().max_file_bytes


class _GatesTable(Table):
    timeout: Annotated[float, Field(gt=0, le=999_999, strict=False)] = Settings().gate_timeout


class _Config(Table):
    skills: _SkillsTable = _SkillsTable()
    limits: _LimitsTable = _LimitsTable()
    gates: _GatesTable = _GatesTable()


def parse_settings(data: bytes, path: str) -> Settings:
    """Raises ConfigError with `path:line` and the remedy."""
    config = parse_toml(_Config, data, path)
    return Settings(
        use=tuple(config.skills.use),
        disable=tuple(config.skills.disable),
        max_file_bytes=config.limits.max_file_bytes,
        gate_timeout=config.gates.timeout,
    )
