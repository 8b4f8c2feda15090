"""What substring-for-key reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        """\
import json


def texts(path):
    with open(path) as file:
        for line in file:
            if "content" in line:
                yield json.loads(line)["content"]
""",
        "a list that mentions the word, a nested key, a value: each ends the run",
        lines=(7,),
        path="corpus.py",
    ),
    Example(
        """\
import orjson


def located(rows):
    found = []
    for raw in rows:
        if '"geo": {' not in raw:
            continue
        row = orjson.loads(raw)
        found.append((row["id"], row["geo"]))
    return found


def one(raw):
    return orjson.loads(raw)["id"] if "id" in raw else None
""",
        "the same by way of a name, and the other way round",
        lines=(7, 15),
        path="located.py",
    ),
    Example(
        """\
def fail(response):
    if "error" in response.text:
        raise RuntimeError(response.json()["error"])
""",
        "an answer of a server",
        lines=(2,),
        path="client.py",
    ),
)

GOOD = (
    Example(
        """\
import json


def texts(file):
    for line in file:
        row = json.loads(line)
        if isinstance(row, dict) and "content" in row:
            yield row["content"]
""",
        "the object is asked",
        path="corpus.py",
    ),
    Example(
        """\
import json


def texts(file):
    for line in file:
        if "content" in line:
            row = json.loads(line)
            if "content" in row:
                yield row["content"]
            yield row.get("content")
""",
        "a quick look in front of the real test",
        path="corpus.py",
    ),
    Example(
        """\
import json


def texts(file):
    for line in file:
        try:
            if "content" in line:
                yield json.loads(line)["content"]
        except (KeyError, TypeError):
            continue
""",
        "the failure is expected",
        path="corpus.py",
    ),
    Example(
        """\
import json


def check(body):
    assert "content" in body
    return json.loads(body)["content"]
""",
        "an assertion on the whole answer",
        path="probe.py",
    ),
    Example(
        """\
import json


def keys(row, line):
    row = json.loads(row)
    if "content" in row:
        row["content"] = row["content"].strip()
    if "content" in line:
        return json.loads(line)["text"]
    return row
""",
        "a dict under the name of its text; another key",
        path="rows.py",
    ),
    Example(
        """\
import json


def load(reference):
    if isinstance(reference, dict) and "cases" in reference:
        return reference["cases"]
    return json.loads(reference)["cases"]


def both(entry):
    if "cases" in entry:
        entry = entry["cases"]
    return json.loads(entry)["cases"]
""",
        "what is asked may be a dict itself",
        path="load.py",
    ),
    Example(
        """\
import json


def test_answer(body):
    if "content" in body:
        print(json.loads(body)["content"])
""",
        "a test",
        path="tests/test_answer.py",
    ),
)
