"""substring-for-key: which test of a text stands for which key."""

from __future__ import annotations

import json

import pytest

from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.substring_for_key import DETECTOR, find


def hits(code: str, path: str = "corpus.py") -> list[Hit]:
    return list(find(PythonFile(Text(path, code))))


def reading(test: str, lookup: str, between: str = "") -> str:
    return f"def f(line, r, key):\n    if {test}:\n{between}        return {lookup}\n"


def test_the_test_and_the_lookup_are_named_and_the_lookup_is_quoted():
    (hit,) = hits(reading('"content" in line', 'json.loads(line)["content"]'))
    assert (hit.start_line, hit.line, hit.grade) == (2, 2, Grade.STRONG)
    assert hit.failure.startswith('`"content" in line` is about the text')
    assert '`json.loads(line)["content"]` at line 3 then raises KeyError' in hit.failure
    assert [(c.kind, c.line) for c in hit.claims] == [("quote", 3)]


@pytest.mark.parametrize("row", ['["content"]', '{"text": "content"}', '{"a": {"content": 1}}'])
def test_the_rows_of_which_it_warns_do_end_the_run(row: str):
    space: dict[str, object] = {"json": json}
    exec(reading('"content" in line', 'json.loads(line)["content"]'), space)
    with pytest.raises((KeyError, TypeError)):
        space["f"](row, None, None)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("test", "lookup"),
    [
        ("'\"content\"' in line", 'json.loads(line)["content"]'),
        ("'\"content\":' in line", 'json.loads(line)["content"]'),
        ("'\"content\": [{' in line", 'orjson.loads(line)["content"]'),
        ('"content" in line and key', 'loads(line)["content"][0]["text"]'),
        ('"content" not in line', 'json.loads(line)["content"]'),
        ('"content" in r.text', 'r.json()["content"]'),
        ('"content" in r.text', 'json.loads(r.text)["content"]'),
    ],
)
def test_spellings_of_the_same(test: str, lookup: str):
    assert [hit.start_line for hit in hits(reading(test, lookup))] == [2]


@pytest.mark.parametrize(
    ("test", "lookup"),
    [
        ('"content" in line', 'json.loads(line).get("content")'),
        ('"content" in line', 'json.loads(line)["text"]'),
        ('"content" in line', 'json.loads(key)["content"]'),
        ('"content" in line', "json.loads(line)[key]"),
        ('"content" in line', 'pickle.loads(line)["content"]'),
        ('"content" in line', 'line["content"]'),
        ('"content" in json.loads(line)', 'json.loads(line)["content"]'),
        ('"a b" in line', 'json.loads(line)["a b"]'),
        ("key in line", 'json.loads(line)["content"]'),
        ('"content" in line.split()', 'json.loads(line)["content"]'),
    ],
)
def test_other_tests_and_other_lookups(test: str, lookup: str):
    assert hits(reading(test, lookup)) == []


def test_lookups_further_than_25_lines_away_are_another_matter():
    near, far = ("        key()\n" * n for n in (24, 25))
    assert len(hits(reading('"a" in line', 'json.loads(line)["a"]', near))) == 1
    assert hits(reading('"a" in line', 'json.loads(line)["a"]', far)) == []


def test_one_finding_for_a_test_with_all_its_lookups():
    code = reading('"a" in line', '(json.loads(line)["a"],\n            json.loads(line)["a"])')
    (hit,) = hits(code)
    assert hit.also == ((4, 4),)


@pytest.mark.parametrize(
    "title",
    [
        "`in line` instead of parsing JSON",
        "String search instead of a JSON key check",
        "A substring for a key",
    ],
)
def test_it_speaks_for_classes_of_unknown_skills(title: str):
    skill = Skill("s", "", "", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert bind(skill, [DETECTOR])


@pytest.mark.parametrize("title", ["Keys leaked in log lines", "Errors in line endings", "Invalid JSON"])
def test_it_does_not_speak_for_others(title: str):
    skill = Skill("s", "", "", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert bind(skill, [DETECTOR]) == ()


def test_hostile_modules_are_read():
    row = ' if "a" in line:\n  x = json.loads(line)["a"]\n'
    assert len(hits("def f(line):\n" + row * 2000)) == 2000
    assert hits("def f(line):\n" + ' x = "a" in line\n' * 3000 + ' y = json.loads(key)["a"]\n' * 3000) == []
