"""GitHub's official REST description: is a request allowed, is an answer complete and well-formed?"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import ValidationError
from openapi_schema_validator import OAS30ReadValidator, OAS30WriteValidator, oas30_format_checker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT4

DATA = Path(__file__).resolve().parents[2] / "data" / "github"

SEVERAL_SEGMENTS = {"path", "ref", "basehead", "tree_sha"}
REVIEW_COMMENT_KEYS = {"path", "body", "line", "side", "start_line", "start_side", "position"}
# Null in real answers although the description says otherwise: the places of outdated comments and of
# comments on a whole file, a fork that was deleted.
REALLY_NULLABLE = re.compile(r"/(line|original_line|start_line|start_side|position|head/repo|head/user)$")
# Statuses that any operation may answer, described or not.
ANYWHERE = {401, 403, 404, 410, 422, 429, 500, 502, 503, 504}


class Operation(NamedTuple):
    template: str
    method: str
    details: dict[str, Any]
    names: dict[str, str]  # the path's parameters


class Spec:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.registry = Registry().with_resource("urn:github", Resource(document, DRAFT4))
        self._validators: dict[tuple[int, bool], Any] = {}
        self._routes = sorted(map(route, document["paths"]), key=lambda item: item[0])

    def find(self, method: str, path: str) -> Operation | None:
        """The operation that a path without prefix and query belongs to."""
        for _, template, pattern in self._routes:
            item = self.document["paths"][template]
            if (match := pattern.fullmatch(path)) and method.lower() in item:
                return Operation(template, method, item[method.lower()], match.groupdict())
        return None

    def resolved(self, node: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in node:
            target: Any = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            node = target
        return node

    def errors(self, schema: dict[str, Any], value: Any, written: bool) -> list[str]:
        key = (id(schema), written)
        if key not in self._validators:
            absolute = json.loads(json.dumps(schema).replace('"#/components/', '"urn:github#/components/'))
            kind = OAS30WriteValidator if written else OAS30ReadValidator
            self._validators[key] = kind(
                absolute, registry=self.registry, format_checker=oas30_format_checker
            )
        found = []
        for error in self._validators[key].iter_errors(value):
            place = "/" + "/".join(map(str, error.absolute_path))
            # Beside a list of values `nullable` counts for nothing by the letter; GitHub means it.
            nullable = error.schema.get("nullable") or (not written and REALLY_NULLABLE.search(place))
            if not (error.instance is None and nullable):
                found.append(f"{place}: {told(error)}")
        return found

    def request_errors(self, operation: Operation, query: dict[str, str], body: Any) -> list[str]:
        """What is wrong with a request by the description and by the rules that it leaves out."""
        details = operation.details
        shared = self.document["paths"][operation.template].get("parameters", [])
        parameters = [self.resolved(item) for item in (*shared, *details.get("parameters", []))]
        allowed = {item["name"] for item in parameters if item["in"] == "query"}
        found = [f"unknown query parameter {name}" for name in sorted(set(query) - allowed)]
        if "requestBody" not in details:
            return found + (["a body is not allowed"] if body else [])
        if body is None:
            return found + (["a body is required"] if details["requestBody"].get("required") else [])
        schema = details["requestBody"]["content"]["application/json"]["schema"]
        found += self.errors(schema, body, written=True)
        if isinstance(body, dict):
            properties = self.resolved(schema).get("properties", body)
            found += [f"unknown key {key}" for key in sorted(set(body) - set(properties))]
            found += unwritten_rules(operation, body)
        return found

    def answer_schema(self, operation: Operation, status: int) -> dict[str, Any] | None:
        """The JSON schema of an answer; None where the description has none."""
        answer = operation.details["responses"].get(str(status))
        content = self.resolved(answer).get("content", {}) if answer else {}
        found = content.get("application/json", {}).get("schema")
        return found if isinstance(found, dict) else None

    def answer_errors(self, operation: Operation, status: int, answer: Any) -> list[str]:
        if str(status) not in operation.details["responses"] and status not in ANYWHERE:
            return [f"status {status} is not described"]
        schema = self.answer_schema(operation, status)
        return self.errors(schema, answer, written=False) if schema else []

    def filled(self, schema: dict[str, Any], value: Any, link: Callable[[str], str]) -> Any:
        """A copy of `value` with every required key it lacks; `link` makes a URL for a key."""
        schema = self.resolved(schema)
        for part in (*schema.get("oneOf", ()), *schema.get("anyOf", ())):
            filled = self.filled(part, value, link)
            if not self.errors(part, filled, written=False):
                return filled
        for part in schema.get("allOf", ()):
            value = self.filled(part, value, link)
        if isinstance(value, list) and "items" in schema:
            return [self.filled(schema["items"], item, link) for item in value]
        if isinstance(value, dict):
            return self._filled_object(schema, value, link)
        return value

    def _filled_object(
        self, schema: dict[str, Any], value: dict[str, Any], link: Callable[[str], str]
    ) -> Any:
        properties = schema.get("properties", {})
        filled = {
            key: self.filled(properties[key], item, link) if key in properties else item
            for key, item in value.items()
        }
        for key in schema.get("required", ()):
            if key not in filled:
                filled[key] = self._sample(properties.get(key, {}), key, link)
        return filled

    def _sample(self, schema: dict[str, Any], key: str, link: Callable[[str], str]) -> Any:
        schema = self.resolved(schema)
        if schema.get("nullable"):
            return None
        for part in (*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())):
            return self._sample(part, key, link)
        if "enum" in schema:
            return schema["enum"][0]
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if kind == "object":
            return self._filled_object(schema, {}, link)
        if kind == "string" and schema.get("format") == "date-time":
            return "2026-11-30T10:00:00Z"
        if kind == "string":
            return link(key) if schema.get("format") == "uri" or key.endswith("url") else ""
        return {"integer": 0, "number": 0, "boolean": False, "array": []}[kind]


def told(error: ValidationError) -> str:
    """The message, which may begin with a whole list; then the rule that it breaks."""
    if len(error.message) <= 300:
        return error.message
    return f"{error.message[:100]} … {error.validator} {str(error.validator_value)[:100]}"


def route(template: str) -> tuple[tuple[int, int], str, re.Pattern[str]]:
    """The fewer and the longer fixed parts, the sooner a template is tried."""

    def group(match: re.Match[str]) -> str:
        return f"(?P<{match[1]}>{'.+' if match[1] in SEVERAL_SEGMENTS else '[^/]+'})"

    pattern = re.sub(r"\{(\w+)\}", group, template)
    return (template.count("{"), -len(template)), template, re.compile(pattern)


def unwritten_rules(operation: Operation, body: dict[str, Any]) -> Iterator[str]:
    """Rules that GitHub has and its description lacks."""
    what = operation.template.rsplit("/", 1)[-1]
    begun = operation.method == "POST" and what == "check-runs"
    if begun and body.get("status") == "completed" and "conclusion" not in body:
        yield "status completed needs a conclusion"
    if operation.method == "POST" and what == "reviews":
        for comment in body.get("comments", ()):
            for key in sorted(set(comment) - REVIEW_COMMENT_KEYS):
                yield f"a comment of a review takes no {key}"
    if operation.method == "POST" and operation.template.endswith("/pulls/{pull_number}/comments"):
        if body.get("subject_type") == "line":
            yield "subject_type line is refused beside a line"
        if body.get("subject_type") == "file" and {"line", "side", "start_line", "start_side"} & set(body):
            yield "a comment on a file takes no line"


def official() -> Spec:
    return Spec(json.loads(gzip.decompress((DATA / "rest.json.gz").read_bytes())))
