"""The file of the debts that are known: JSON, sorted, one entry a line, without line numbers, made to be read
and merged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from reviewbot.core.errors import ConfigError

DEFAULT = ".reviewbot/baseline.json"
SCHEMA = "reviewbot.baseline/1"
LARGEST = 64_000_000  # bytes
WRITE_IT = "write it with `reviewbot audit --write-baseline`"

_KEYS = ("path", "class", "fingerprint")
_FINDINGS = re.compile(r'"findings"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")
_PRINT = re.compile(r"[0-9a-f]{16}")
_NO_BYTES = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # the others stand for bytes that are no text
_DIGITS = 18  # of a number; Python refuses to read one of more than 4,300


class _Doubled(dict[str, Any]):
    """An object in which `key` comes more than once: what one reader sees of it, another does not."""

    key = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made and not isinstance(made, _Doubled):
            made = _Doubled(made)
            made.key = key
        made[key] = value
    return made


def _number(digits: str) -> int | str:
    return int(digits) if len(digits) <= _DIGITS else f"{digits[:_DIGITS]}…"


_JSON = json.JSONDecoder(object_pairs_hook=_object, parse_int=_number)


class Known(NamedTuple):
    """One entry. `fingerprint` is that of a finding: made of its words, not of its line."""

    path: str
    slug: str
    fingerprint: str
    places: int = 1  # of the same cause; one more is new
    model: bool = False  # whether a model found it: nobody else can tell that it is gone
    failure: str = ""  # of a gate that executes: how it failed; it may fail otherwise at the same place


def parse(data: bytes, path: str) -> tuple[Known, ...]:
    """Raises ConfigError with `path:line` and the remedy."""
    try:
        text = data.decode("utf-8")
        document = _JSON.decode(text)
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path}:{data.count(bytes([10]), 0, error.start) + 1}: not UTF-8", WRITE_IT
        ) from error
    except json.JSONDecodeError as error:
        raise ConfigError(f"{path}:{error.lineno}: not JSON: {error.msg}", WRITE_IT) from error
    except RecursionError as error:
        raise ConfigError(f"{path}:1: its values nest too deep", WRITE_IT) from error
    if isinstance(document, _Doubled):
        raise ConfigError(
            f"{path}:{_line_of(text, document.key)}: it has {document.key!r} more than once", WRITE_IT
        )
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        found = document.get("schema") if isinstance(document, dict) else None
        why = f"its schema is {found!r}" if isinstance(found, str) else "it names no schema"
        raise ConfigError(f"{path}:{_line_of(text, 'schema')}: {why}, and not {SCHEMA!r}", WRITE_IT)
    rows = document.get("findings")
    if not isinstance(rows, list) or document.keys() != {"schema", "findings"}:
        odd = next((key for key in document if key not in ("schema", "findings")), "findings")
        raise ConfigError(f"{path}:{_line_of(text, odd)}: it has `schema` and the list `findings`", WRITE_IT)
    return tuple(_entry(row, text, number, path) for number, row in enumerate(rows))


def _entry(row: Any, text: str, number: int, path: str) -> Known:
    if not isinstance(row, dict):
        fault = "an entry is an object"
    elif isinstance(row, _Doubled):
        fault = f"an entry has {row.key!r} more than once"
    elif missing := next((key for key in _KEYS if not isinstance(row.get(key), str) or not row[key]), ""):
        fault = f"an entry has a {missing}, a text"
    elif odd := next((key for key in row if key not in (*_KEYS, "places", "origin", "failure")), ""):
        fault = f"an entry has no {odd!r}"
    elif odd := next((key for key in _KEYS if _NO_BYTES.search(row[key])), ""):
        fault = f"{row[odd]!r} is no {odd}: it has half of a character"
    elif not _PRINT.fullmatch(row["fingerprint"]):
        fault = f"{row['fingerprint']!r} is no fingerprint of 16 hexadecimal digits"
    elif type(places := row.get("places", 1)) is not int or places < 1:
        fault = f"{places!r} is no number of places"
    elif row.get("origin", "model") != "model":
        fault = "the origin of an entry is 'model', or not said"
    elif not isinstance(how := row.get("failure", ""), str) or (
        "failure" in row and not _PRINT.fullmatch(how)
    ):
        fault = f"{how!r} is no failure of 16 hexadecimal digits"
    else:
        return Known(row["path"], row["class"], row["fingerprint"], places, "origin" in row, how)
    raise ConfigError(f"{path}:{_line_of_entry(text, number)}: {fault}", WRITE_IT)


def _line_of(text: str, key: str) -> int:
    found = re.search(rf"{re.escape(json.dumps(key))}\s*:", text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _line_of_entry(text: str, number: int) -> int:
    """The line at which an item of the list starts; the JSON parser keeps no places."""
    found = _FINDINGS.search(text)
    at = found.end() if found else 0
    for _ in range(number):
        _, at = _JSON.raw_decode(text, _skipped(text, at))
    return text.count("\n", 0, _skipped(text, at)) + 1


def _skipped(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def written(entries: Iterable[Known]) -> str:
    """A baseline as text: ASCII, sorted, an entry a line."""
    rows = [f"\n    {json.dumps(_row(entry))}" for entry in sorted(set(entries))]
    end = "\n  " if rows else ""
    return f'{{\n  "schema": "{SCHEMA}",\n  "findings": [{",".join(rows)}{end}]\n}}\n'


def _row(entry: Known) -> dict[str, Any]:
    row: dict[str, Any] = dict(zip(_KEYS, entry[:3], strict=True))
    row |= {"places": entry.places} if entry.places > 1 else {}
    row |= {"origin": "model"} if entry.model else {}
    return row | {"failure": entry.failure} if entry.failure else row
