"""A TOML file as a pydantic model; what is wrong with it is said with its line and the remedy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from reviewbot.core.errors import ConfigError, nearest
from reviewbot.core.patterns import pattern

_HEADER = pattern(r"\s*(\[+)\s*([^\]]*?)\s*\]")
_DOTS = 1_000  # of one line; tomllib takes time in the square of the parts of a key
_FAULTS = 10  # that one error names
_KEY = pattern(r"\s*[\"']?([\w.-]+)[\"']?\s*=")


class Table(BaseModel):
    """A table whose keys are all known and whose values have the type that was written."""

    model_config = ConfigDict(extra="forbid", strict=True)


T = TypeVar("T", bound=Table)
Place = Sequence[int | str]  # keys, and the numbers of the tables of an array, from 0


def parse_toml(model: type[T], data: bytes, path: str) -> T:
    """Raises ConfigError with `path:line` and the remedy."""
    if deep := next((n for n, line in enumerate(data.split(b"\n"), 1) if line.count(b".") > _DOTS), 0):
        raise ConfigError(f"{path}:{deep}: more than {_DOTS:,} dots in a line")
    try:
        text = data.decode()
        return model.model_validate(tomllib.loads(text))
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
        raise ConfigError("; ".join(_faults(model, error, text, path))) from error


def line_of(text: str, place: Place) -> int:
    """The line at which a key, or a table of an array, stands; the TOML parser keeps no places. Of a
    key that is missing, the line of its table; of an item in a value, that of the value's key."""
    keys = [str(part) for part in place]
    found = 1
    table: list[str] = []
    counts: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = [part.strip(" \"'") for part in header[2].split(".")]
            if header[1] == "[[":
                counts[header[2]] = counts.get(header[2], -1) + 1
                table.append(str(counts[header[2]]))
            here = table
        elif key := _KEY.match(line):
            here = [*table, *key[1].split(".")]
        else:
            continue
        if here[: len(keys)] == keys:
            return number
        if here == keys[: len(here)]:
            found = number
    return found


def _faults(model: type[Table], error: ValidationError, text: str, path: str) -> Iterator[str]:
    faults = error.errors()
    for fault in faults[:_FAULTS]:
        keys = [k for k in fault["loc"] if isinstance(k, str)]
        name, place = ".".join(keys), f"{path}:{line_of(text, fault['loc'])}"
        if fault["type"] == "extra_forbidden":
            yield f"{place}: unknown key {name}; {nearest(keys[-1], _known(model, keys[:-1]))}"
        elif fault["type"] == "list_type" and isinstance(fault["input"], dict):
            yield f"{place}: [{name}] is a single table; write [[{name}]], in two pairs of brackets"
        else:
            yield f"{place}: {name}: {fault['msg'].removeprefix('Value error, ')}"
    if len(faults) > _FAULTS:
        yield f"and {len(faults) - _FAULTS:,} more"


def _known(model: type[BaseModel], tables: Sequence[str]) -> list[str]:
    for table in tables:
        annotation = model.model_fields[table].annotation
        for inner in (annotation, *get_args(annotation)):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                model = inner
    return [field.alias or name for name, field in model.model_fields.items()]
