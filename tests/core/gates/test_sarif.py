"""What tools print as JSON, as places; and what only looks like it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.gates import said
from reviewbot.core.gates.places import MOST
from reviewbot.core.gates.sarif import Said


def sarif(*results: dict[str, Any], **driver: Any) -> str:
    run = {"tool": {"driver": {"name": "t", **driver}}, "results": list(results)}
    return json.dumps({"version": "2.1.0", "runs": [run]})


def result(uri: str = "a.py", line: Any = 3, **more: Any) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}, "region": {"startLine": line}}
    plain = {"ruleId": "R1", "message": {"text": "it breaks"}, "locations": [{"physicalLocation": place}]}
    return plain | more


BREAKS = Said((("a.py", 3),), "R1", "it breaks", "warning")


def test_a_result_is_a_place():
    assert said(sarif(result())) == (BREAKS,)


@pytest.mark.parametrize(
    ("more", "level"),
    [
        ({"level": "error"}, "error"),
        ({"level": "warning"}, "warning"),
        ({"level": "note"}, "note"),
        ({"level": "error", "kind": "fail", "suppressions": []}, "error"),
    ],
)
def test_its_level_is_kept(more: dict[str, Any], level: str):
    assert [one.level for one in said(sarif(result(**more)))] == [level]


@pytest.mark.parametrize(
    "more",
    [
        {"level": "none"},
        {"level": "loud"},
        {"level": ["error"]},
        {"kind": "pass"},
        {"suppressions": [{"kind": "inSource"}]},
        {"baselineState": "absent"},
        {"message": {}},
        {"message": "text"},
        {"locations": []},
        {"locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.py"}}}]},
    ],
)
def test_what_does_not_stand_is_no_failure(more: dict[str, Any]):
    assert said(sarif(result(**more))) == ()


@pytest.mark.parametrize("line", [0, -1, True, "3", 3.0, None, [3]])
def test_a_line_is_a_number_from_one(line: Any):
    assert said(sarif(result(line=line))) == ()


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("a%20b/c.py", "a b/c.py"),
        ("caf%C3%A9.py", "caf\N{LATIN SMALL LETTER E WITH ACUTE}.py"),
        ("caf%E9.py", "caf\udce9.py"),
        ("100%.py", "100%.py"),
    ],
)
def test_a_uri_is_decoded_as_a_path(uri: str, path: str):
    assert [one.where for one in said(sarif(result(uri)))] == [((path, 3),)]


@pytest.mark.parametrize("uri", ["", "file:///elsewhere/a.py", "https://a/b", "x" * 1001])
def test_a_uri_that_is_no_path_is_left_out(uri: str):
    assert said(sarif(result(uri))) == ()


def test_half_of_a_surrogate_pair_is_no_part_of_a_name():
    assert [one.where[0][0] for one in said(sarif(result("\ud800.py")))] == ["?.py"]


def test_the_rule_says_what_a_result_leaves_out():
    rule = {
        "id": "R7",
        "shortDescription": {"text": "a short one"},
        "defaultConfiguration": {"level": "note"},
        "messageStrings": {"default": {"text": "{0} is not {1}, {2}"}},
    }
    bare = {"locations": result()["locations"], "ruleIndex": 0}
    by_id = {**bare, "message": {"id": "default", "arguments": ["x", "y"]}}
    assert said(sarif(bare, by_id, rules=[rule])) == (
        Said((("a.py", 3),), "R7", "a short one", "note"),
        Said((("a.py", 3),), "R7", "x is not y, {2}", "note"),
    )


def test_a_place_can_be_named_by_the_number_of_its_file():
    run = {
        "artifacts": [{"location": {"uri": "b.py"}}],
        "results": [
            {
                "message": {"text": "m"},
                "locations": [
                    {"physicalLocation": {"artifactLocation": {"index": 0}, "region": {"startLine": 2}}}
                ],
            }
        ],
    }
    assert said(json.dumps({"runs": [run]})) == (Said((("b.py", 2),), "", "m", "warning"),)


def test_what_stands_behind_a_document_is_read_as_text():
    output = f"\ufeff\n{sarif(result())}\nb.py:2: it fails\n"
    assert said(output) == (BREAKS, Said((("b.py", 2),), "", "it fails"))


def test_a_message_is_one_line_without_what_a_terminal_obeys():
    (one,) = said(sarif(result(message={"text": "a\n\x1b[31mb\u202e" + "c" * 5000})))
    assert one.message.startswith("a [31mb c")
    assert one.message.isprintable()
    assert len(one.message) <= 1000


def test_there_are_not_more_places_than_a_report_holds():
    assert len(said(sarif(*(result(line=line) for line in range(1, 500))))) == MOST


@pytest.mark.parametrize("wrapped", [False, True])
def test_the_json_of_shellcheck(wrapped: bool):
    rows = [
        {"file": "a.sh", "line": 2, "column": 1, "level": "warning", "code": 2154, "message": "x is unset"},
        {"file": "a.sh", "line": 3, "column": 1, "level": "style", "code": 2006, "message": "use $()"},
    ]
    output = json.dumps({"comments": rows} if wrapped else rows)
    assert said(output) == (
        Said((("a.sh", 2),), "SC2154", "x is unset", "warning"),
        Said((("a.sh", 3),), "SC2006", "use $()", "note"),
    )


def test_the_json_of_ruff():
    rows = [
        {"filename": "a.py", "location": {"row": 1, "column": 8}, "code": "F401", "message": "unused"},
        {"filename": "b.py", "location": {"row": 4, "column": 1}, "code": None, "message": "SyntaxError: x"},
    ]
    assert said(json.dumps(rows)) == (
        Said((("a.py", 1),), "F401", "unused"),
        Said((("b.py", 4),), "invalid-syntax", "SyntaxError: x"),
    )


TEXT = "a.py:3: it fails"


@pytest.mark.parametrize(
    "document",
    [
        sarif(result())[:-1],
        "[" * 200_000,
        '{"runs":' * 200_000,
        "[" * 50_000 + "]" * 50_000,
        '{"runs": 1}',
        '{"results": []}',
        "[1]",
        '[{"file": "a.sh"}]',
        '{"comments": [1]}',
        "[1/5] building",
        '{"runs": [' + "9" * 5000 + "]}",
    ],
)
def test_what_is_no_document_is_read_as_text(document: str):
    assert said(f"{document}\n{TEXT}\n") == (Said((("a.py", 3),), "", "it fails"),)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("runs", "results", "tool", "driver", "rules", "id", "ruleId", "ruleIndex", "message"),
                    *(
                        "text",
                        "locations",
                        "physicalLocation",
                        "artifactLocation",
                        "uri",
                        "region",
                        "startLine",
                    ),
                    *(
                        "comments",
                        "file",
                        "line",
                        "code",
                        "level",
                        "filename",
                        "location",
                        "row",
                        "arguments",
                    ),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=30,
)


@given(runs=st.lists(VALUES, max_size=3), name=st.sampled_from(["runs", "comments"]))
def test_a_document_of_any_shape_is_read(runs: list[Any], name: str):
    for one in said(json.dumps({name: runs})):
        assert all(path and type(line) is int for path, line in one.where)


@given(changed=st.dictionaries(st.sampled_from(sorted(result())), VALUES, max_size=3))
def test_a_result_of_any_shape_is_read(changed: dict[str, Any]):
    for one in said(sarif(result() | changed)):
        assert one.level in ("error", "warning", "note")


@pytest.mark.parametrize(
    ("base", "bases", "path"),
    [
        ("%SRCROOT%", {}, "a.py"),
        ("%SRCROOT%", {"%SRCROOT%": {}}, "a.py"),
        ("%SRCROOT%", {"%SRCROOT%": {"uri": "lib/"}}, "lib/a.py"),
        ("LIB", {"LIB": {"uri": "lib/", "uriBaseId": "%SRCROOT%"}}, "lib/a.py"),
        ("LIB", {"LIB": {"uri": ""}}, "a.py"),
        ("LIB", {}, ""),
        ("LIB", {"LIB": {}}, ""),
        ("LIB", {"LIB": {"uri": "file:///elsewhere/"}}, ""),
        ("LIB", {"LIB": {"uri": "x/", "uriBaseId": "LIB"}}, ""),
        ("LIB", {"LIB": 3}, ""),
        (3, {}, ""),
    ],
)
def test_a_uri_is_relative_to_its_base(base: Any, bases: dict[str, Any], path: str):
    """A result in a folder of its own stood in the file of that name at the top."""
    one = result()
    one["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"] = base
    document = json.loads(sarif(one))
    document["runs"][0]["originalUriBaseIds"] = bases
    places = [where for found in said(json.dumps(document)) for where in found.where]
    assert places == ([(path, 3)] if path else [])
