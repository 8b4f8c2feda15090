"""`.reviewbot/config.toml` → Settings. An unknown key is an error with its line and the nearest known key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reviewbot.core.errors import ConfigError, nearest
from reviewbot.core.types import Settings


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _SkillsTable(_Table):
    use: list[str] = []
    disable: list[str] = []


class _LimitsTable(_Table):
    max_file_bytes: Annotated[int, Field(gt=0)] = Settings().max_file_bytes


class _GatesTable(_Table):
    timeout: Annotated[float, Field(gt=0, le=999_999, strict=False)] = Settings().gate_timeout


class _Config(_Table):
    skills: _SkillsTable = _SkillsTable()
    limits: _LimitsTable = _LimitsTable()
    gates: _GatesTable = _GatesTable()


def parse_settings(data: bytes, path: str) -> Settings:
    """Raises ConfigError with `path:line` and the remedy."""
    try:
        text = data.decode()
        config = _Config.model_validate(tomllib.loads(text))
    except RecursionError as error:
        raise ConfigError(f"{path}: its values nest too deep") from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}:{line}: not UTF-8", "save the file as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found.group(1)) if found else text.count("\n") + 1  # "at end of document"
        raise ConfigError(f"{path}:{line}: not TOML: {error}") from error
    except ValidationError as error:
        raise ConfigError("; ".join(_faults(error, text, path))) from error
    return Settings(
        use=tuple(config.skills.use),
        disable=tuple(config.skills.disable),
        max_file_bytes=config.limits.max_file_bytes,
        gate_timeout=config.gates.timeout,
    )


def _faults(error: ValidationError, text: str, path: str) -> Iterator[str]:
    for fault in error.errors():
        keys = [k for k in fault["loc"] if isinstance(k, str)]
        name, place = ".".join(keys), f"{path}:{_line(text, keys)}"
        if fault["type"] == "extra_forbidden":
            yield f"{place}: unknown key {name}; {nearest(keys[-1], _known(keys[:-1]))}"
        else:
            yield f"{place}: {name}: {fault['msg']}"


def _known(tables: list[str]) -> list[str]:
    model: type[BaseModel] = _Config
    for table in tables:
        inner = model.model_fields[table].annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            model = inner
    return list(model.model_fields)


def _line(text: str, keys: list[str]) -> int:
    """The line of the last key, in its own table; the TOML parser keeps no places."""
    table: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if header := re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line):
            place = table = [part.strip(" \"'") for part in header.group(1).split(".")]
        elif key := re.match(r"\s*[\"']?([\w.-]+)[\"']?\s*=", line):
            place = [*table, *key.group(1).split(".")]
        else:
            continue
        if place[: len(keys)] == keys:
            return number
    return 1
