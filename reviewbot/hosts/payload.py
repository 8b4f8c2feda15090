"""Fields of a payload, each held to its type: a wrong one is named with its file and its place."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from reviewbot.core.errors import UsageError

ANY = re.compile(r".*", re.DOTALL)


class Fields(NamedTuple):
    """An object of the payload. `file` and `path` say in errors where a wrong field is. Methods raise
    UsageError for a field of another type."""

    values: Mapping[str, Any]
    file: str
    path: str = ""

    def inner(self, name: str) -> Fields | None:
        """The object in a field; None: it is null or missing."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self.wrong(name, "an object")
        return Fields(value, self.file, f"{self.path}{name}.")

    def object(self, name: str) -> Fields:
        """As `inner`; raises UsageError also where there is none, as the next two do."""
        found = self.inner(name)
        if found is None:
            raise self.wrong(name, "an object")
        return found

    def text(self, name: str, form: re.Pattern[str] = ANY) -> str:
        """`form`: what the whole of it has to match."""
        value = self.values.get(name)
        if not isinstance(value, str) or not form.fullmatch(value):
            raise self.wrong(name, f"text of the form {form.pattern}" if form is not ANY else "text")
        return value

    def number(self, name: str) -> int:
        """From 1 to the largest of 63 bits."""
        value = self.values.get(name)
        if type(value) is not int or not 0 < value < 2**63:
            raise self.wrong(name, "a whole number above 0")
        return value

    def wrong(self, name: str, expected: str) -> UsageError:
        """To be raised. `expected`: what the field should be, with its article."""
        state = "is missing" if self.values.get(name) is None else "is something else"
        return UsageError(
            f"{self.file}: `{self.path}{name}` {state}", f"a payload as GitHub sends it has {expected} there"
        )


def fields_of(payload: bytes | Mapping[str, Any], file: str) -> Fields:
    """payload: JSON, or what was read from it. Raises UsageError where it is no JSON, or no object."""
    if isinstance(payload, bytes):
        try:
            payload = json.loads(payload)
        except (ValueError, RecursionError) as error:
            why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            raise UsageError(
                f"{file} is no JSON: {why}", "give the payload of an event as it was sent"
            ) from None
    if not isinstance(payload, Mapping):
        raise UsageError(f"{file} holds no object", "give the payload of an event as it was sent")
    return Fields(payload, file)
