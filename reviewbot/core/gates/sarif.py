"""Results that a tool prints as JSON: SARIF 2.1.0, and the own forms of shellcheck and ruff.

What is printed is the change's own, so nothing in a document is taken to have the type it should have.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from reviewbot.core.patterns import pattern

LONGEST = 1000  # characters of a path or a message
MOST_BASES = 10  # of a path, one in the other
TOP = ("%SRCROOT%", "SRCROOT", "ROOTPATH", "PROJECTROOT")  # what tools call the tree, often without saying so
LEVELS = {"error": "error", "warning": "warning", "note": "note", "info": "note", "style": "note"}

_SCHEME = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:")
_CODE = pattern(r"\S{1,100}")
_ESCAPED = pattern(r"(?:%[0-9A-Fa-f]{2})+")
_ARGUMENT = pattern(r"\{(\d{1,2})\}")


class Said(NamedTuple):
    """One failure. `where` are the places that may be meant, the likeliest first: paths as they were
    printed, with 1-based lines; `quoted` is what was printed as the text of each, or ""."""

    where: tuple[tuple[str, int], ...]
    code: str  # "AssertionError", "E501"; ""
    message: str
    level: str = "error"  # "error" | "warning" | "note"
    quoted: tuple[str, ...] = ()
    test: str = ""  # the name of the test that fails there


def document(output: str) -> tuple[Iterator[Said], str] | None:
    """The results of the document that an output starts with, and what is behind it; None where it starts
    with none of a known form, or with a part of one."""
    text = output.lstrip("\ufeff \t\r\n")
    if text[:1] not in ("{", "["):
        return None
    try:
        found, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    results = _results(found)
    return None if results is None else (results, text[end:])


def _results(found: Any) -> Iterator[Said] | None:
    if isinstance(found, dict) and isinstance(found.get("runs"), list):
        return (said for run in _objects(found["runs"]) for said in _sarif(run))
    rows = found.get("comments") if isinstance(found, dict) else found
    if not isinstance(rows, list):
        return None
    own = [_shellcheck(row) or _ruff(row) for row in _objects(rows)]
    return (said for said in own if said) if all(own) and len(own) == len(rows) else None


# --- SARIF --------------------------------------------------------------------------------


def _sarif(run: Mapping[str, Any]) -> Iterator[Said]:
    rules = [rule for tool in _tools(run) for rule in _objects(tool.get("rules"))]
    by_id = {rule["id"]: rule for rule in rules if _code(rule.get("id"))}
    for result in _objects(run.get("results")):
        own = _object(result.get("rule"))
        index = result.get("ruleIndex", own.get("index"))
        id = _code(result.get("ruleId")) or _code(own.get("id"))
        # The index is of the driver's rules, which are the first.
        rule = by_id.get(id) or (_at(rules, index) if not id else {})
        level = _level(result, rule)
        message = _message(result, rule)
        where = tuple(_places(result, run))
        if level and message:
            yield Said(where, id or _code(rule.get("id")), message, level)


def _tools(run: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    tool = _object(run.get("tool"))
    return [_object(tool.get("driver")), *_objects(tool.get("extensions"))]


def _level(result: Mapping[str, Any], rule: Mapping[str, Any]) -> str:
    """The level of a result; "" where it is none that stands."""
    if result.get("kind", "fail") != "fail" or result.get("suppressions"):
        return ""
    if result.get("baselineState") == "absent":
        return ""
    usual = _object(rule.get("defaultConfiguration")).get("level", "warning")
    return _known(result.get("level", usual))


def _message(result: Mapping[str, Any], rule: Mapping[str, Any]) -> str:
    message = _object(result.get("message"))
    strings = _object(rule.get("messageStrings"))
    by_id = _object(strings.get(message["id"])) if isinstance(message.get("id"), str) else {}
    for text in (message, by_id, _object(rule.get("shortDescription"))):
        if words := _text(text.get("text")):
            given = message.get("arguments")
            return _with(words, given) if isinstance(given, list) else words
    return ""


def _with(words: str, given: Sequence[Any]) -> str:
    return _ARGUMENT.sub(lambda m: _text(given[int(m[1])]) if int(m[1]) < len(given) else m[0], words)[
        :LONGEST
    ]


def _places(result: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for location in _objects(result.get("locations"))[:10]:
        place = _object(location.get("physicalLocation"))
        file = _object(place.get("artifactLocation"))
        if "uri" not in file:
            file = _object(_at(_objects(run.get("artifacts")), file.get("index")).get("location"))
        path = _path(file, _object(run.get("originalUriBaseIds")))
        line = _object(place.get("region")).get("startLine")
        if path and type(line) is int and line > 0:
            yield path, line


def _path(file: Mapping[str, Any], bases: Mapping[str, Any]) -> str:
    """The path of a location in the tree; "" for any other. Its URI is relative to its base, and that to its
    own; a base that has no URI is the tree if it is called so."""
    uri = _name(file.get("uri"))
    for _ in range(MOST_BASES):
        if not uri or _SCHEME.match(uri):
            return ""
        if "uriBaseId" not in file:
            break
        id = file["uriBaseId"]
        known = isinstance(id, str) and id in bases
        if not known and id not in TOP:
            return ""
        file = _object(bases[id]) if known else {}
        if "uri" not in file and "uriBaseId" not in file and id not in TOP:
            return ""
        uri = _name(file.get("uri")) + uri
    else:
        return ""
    return _ESCAPED.sub(
        lambda m: bytes.fromhex(m[0].replace("%", "")).decode("utf-8", "surrogateescape"), uri
    )


# --- the forms of the tools -----------------------------------------------------------------


def _shellcheck(row: Mapping[str, Any]) -> Said | None:
    path, line, code = _name(row.get("file")), row.get("line"), row.get("code")
    level, message = _known(row.get("level")), _text(row.get("message"))
    if not (path and level and message and type(line) is int and type(code) is int):
        return None
    return Said(((path, line),), f"SC{code}"[:100], message, level)


def _ruff(row: Mapping[str, Any]) -> Said | None:
    path, message = _name(row.get("filename")), _text(row.get("message"))
    line = _object(row.get("location")).get("row")
    if not (path and message and type(line) is int):
        return None
    return Said(((path, line),), _code(row.get("code")) or "invalid-syntax", message)


# --- what may be anything -------------------------------------------------------------------


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _at(values: Sequence[Mapping[str, Any]], index: Any) -> Mapping[str, Any]:
    return values[index] if type(index) is int and 0 <= index < len(values) else {}


def _text(value: Any) -> str:
    """A sentence on one line, without what a terminal would obey."""
    if not isinstance(value, str):
        return ""
    return " ".join("".join(c if c.isprintable() else " " for c in value[: 2 * LONGEST]).split())[:LONGEST]


def _name(value: Any) -> str:
    """A path that the system could be asked for: half of a surrogate pair is no character."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return ""
    return value.encode("utf-8", "replace").decode()


def _code(value: Any) -> str:
    return value if isinstance(value, str) and value.isprintable() and _CODE.fullmatch(value) else ""


def _known(level: Any) -> str:
    return LEVELS.get(level, "") if isinstance(level, str) else ""
