"""The values of core as JSON, and back.

By hand, since paths and outputs hold lone surrogates, which pydantic takes for no text. A field that has its
default is left out; so a value that an earlier version wrote is read as long as new fields have defaults.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from reviewbot.jobs.engine import JSON

T = TypeVar("T")


class _Fields(NamedTuple):
    """Of a NamedTuple or a dataclass."""

    types: Mapping[str, Any]
    defaults: Mapping[str, object]


def dump(value: object) -> JSON:
    """Raises TypeError for what is none of core's values."""
    if value is None or type(value) in (bool, int, float, str):
        return value  # type: ignore[return-value]
    if isinstance(value, Enum):
        return dump(value.value)
    if (fields := _fields(type(value))) is not None:
        pairs = ((name, getattr(value, name)) for name in fields.types)
        return {name: dump(item) for name, item in pairs if not _is_default(fields, name, item)}
    if isinstance(value, (tuple, list)):
        return [dump(item) for item in value]
    if isinstance(value, Mapping):
        return {_key(key): dump(item) for key, item in value.items()}
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def load(form: type[T], value: JSON, **given: object) -> T:
    """The value of class `form` that was dumped, with `given` fields that were not.

    Raises ValueError for what no value of that class is dumped as.
    """
    fields = _fields(form) if isinstance(form, type) else None
    if fields is None:
        made: T = _load(form, value)
        return made
    if not isinstance(value, Mapping) or value.keys() - fields.types.keys():
        raise ValueError(f"this is no {form.__name__}")
    read = {name: _load(fields.types[name], item) for name, item in value.items()}
    if missing := fields.types.keys() - read.keys() - given.keys() - fields.defaults.keys():
        raise ValueError(f"this {form.__name__} has no {min(missing)}")
    return form(**{**read, **given})


def _load(form: Any, value: JSON) -> Any:
    origin, args = get_origin(form), get_args(form)
    if form in (object, Any):
        return value
    if origin in (Union, UnionType):
        return _one_of(args, value)
    if origin is tuple:
        return _tuple(args, value)
    if origin is not None and issubclass(origin, Mapping):
        return {key: _load(args[1], item) for key, item in _as(Mapping, value).items()}
    if isinstance(form, type) and issubclass(form, Enum):
        return form(value)
    if isinstance(form, type) and _fields(form) is not None:
        return load(form, value)
    return _as((int, float) if form is float else form, value)


def _one_of(forms: tuple[Any, ...], value: JSON) -> Any:
    """Of core's unions: a form or None, and plain ones."""
    if value is None and NoneType in forms:
        return None
    rest = [form for form in forms if form is not NoneType]
    for form in rest:
        if type(value) is form:
            return value
    return _load(rest[0], value)


def _tuple(args: tuple[Any, ...], value: JSON) -> tuple[Any, ...]:
    items = _as(list, value)
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple(_load(args[0], item) for item in items)
    if len(args) != len(items):
        raise ValueError(f"{len(items)} values in place of {len(args)}")
    return tuple(_load(form, item) for form, item in zip(args, items, strict=True))


def _as(form: Any, value: JSON) -> Any:
    if not isinstance(value, form) or (isinstance(value, bool) and form is not bool):
        raise ValueError(f"{type(value).__name__} in place of {form}")
    return value


def _read_fields(form: Any) -> _Fields | None:
    if dataclasses.is_dataclass(form) and isinstance(form, type):
        own = dataclasses.fields(form)
        defaults = {f.name: f.default for f in own if f.default is not dataclasses.MISSING}
        return _Fields(_hints(form, [f.name for f in own]), defaults)
    if issubclass(form, tuple) and hasattr(form, "_field_defaults"):
        return _Fields(_hints(form, form._fields), form._field_defaults)
    return None


_fields: Callable[[Any], _Fields | None] = cache(_read_fields)


def _hints(form: type, names: Any) -> dict[str, Any]:
    hints: Callable[[str], Any] = get_type_hints(form).__getitem__
    return {name: hints(name) for name in names}


def _is_default(fields: _Fields, name: str, value: object) -> bool:
    """Of equals the type counts too: 0 is no False, and 0.0 no 0."""
    if name not in fields.defaults:
        return False
    default = fields.defaults[name]
    return type(value) is type(default) and value == default


def _key(key: object) -> str:
    if type(key) is not str:
        raise TypeError(f"the key {key!r} has no form in JSON")
    return key
