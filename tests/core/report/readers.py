"""What reads the reports of other formats: a schema, a runner, an editor, a browser."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft4Validator, Draft7Validator

DATA = Path(__file__).parents[2] / "data"


@cache
def _sarif() -> Draft4Validator:
    packed = (DATA / "sarif" / "sarif-schema-2.1.0.json.gz").read_bytes()
    return Draft4Validator(json.loads(gzip.decompress(packed)))


@cache
def _rdjson() -> Draft7Validator:
    text = (DATA / "rdjson" / "DiagnosticResult.json").read_text(encoding="utf-8")
    return Draft7Validator(json.loads(text))


def sarif_run(text: str) -> dict[str, Any]:
    """The one run of a log, after the official schema has been heard."""
    log = json.loads(text)
    _sarif().validate(log)
    (run,) = log["runs"]
    return dict(run)


def rdjson(text: str) -> dict[str, Any]:
    document = json.loads(text)
    _rdjson().validate(document)
    return dict(document)


class Command(NamedTuple):
    level: str
    properties: dict[str, str]
    message: str


def commands(text: str) -> list[Command]:
    """What the runner of GitHub Actions makes of each line of stdout, as its TryParseV2 does."""
    return [_command(line) for line in text.splitlines()]


def _command(line: str) -> Command:
    assert line.startswith("::"), line
    end = line.index("::", 2)
    level, _, given = line[2:end].partition(" ")
    pairs = (pair.partition("=") for pair in given.split(",") if pair)
    properties = {key.strip(): _unescaped(value, ("%3A", ":"), ("%2C", ",")) for key, _, value in pairs}
    return Command(level, properties, _unescaped(line[end + 2 :]))


def _unescaped(text: str, *more: tuple[str, str]) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
        text = text.replace(code, character)
    return text
