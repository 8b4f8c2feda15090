"""The front matter, read without YAML where it is plain and with YAML where it is not."""

from __future__ import annotations

import sys

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.frontmatter import FrontMatter, read
from tests.skillfiles import codes, load


def values(block: str) -> dict[str, object]:
    notes = Diagnostics("SKILL.md")
    front = read(["---", *block.split("\n"), "---"], notes)
    assert front is not None, notes.sorted()
    return dict(front.values)


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("a: b c", {"a": "b c"}),
        ("a: 'b: c'  # d", {"a": "b: c"}),
        ('a: "b # c"', {"a": "b # c"}),
        ("a: b # c", {"a": "b"}),
        ("a:", {"a": ""}),
        ("a: 1.0\nb: yes\nc: 08", {"a": "1.0", "b": "yes", "c": "08"}),
        ("a: |\n  b\n    c\n\n  d\ne: f", {"a": "b\n  c\n\nd", "e": "f"}),
        ("a: >-\n  b\n  c\n\n  d", {"a": "b c\nd"}),
        ("a: b\n  c\n  d", {"a": "b c d"}),
        ("a:\n  - b\n  - 'c: d'", {"a": ["b", "c: d"]}),
        ("a:\n- b\n- c\nd: e", {"a": ["b", "c"], "d": "e"}),
        ("a:\n  b: c\n  d: e", {"a": {"b": "c", "d": "e"}}),
        ("# note\n\na: b", {"a": "b"}),
        ("a: it's - fine", {"a": "it's - fine"}),
        # from here on it takes YAML
        ("a: [b, 'c d', 1.0]", {"a": ["b", "c d", "1.0"]}),
        ('a: "b \\u00e9 \\" c"', {"a": 'b é " c'}),
        ("a: 'it''s'", {"a": "it's"}),
        ("a: {b: c}", {"a": {"b": "c"}}),
        ("a:\n  b:\n    - c", {"a": {"b": "- c"}}),
        ("'a b': c", {"a b": "c"}),
    ],
)
def test_values_are_the_texts_that_were_written(block: str, expected: dict[str, object]):
    assert values(block) == expected


def test_plain_front_matter_needs_no_yaml(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "yaml", None)  # an import of it would fail
    assert values("name: a\ndescription: >\n  b\n  c\nmetadata:\n  x: y\n") == {
        "name": "a",
        "description": "b c",
        "metadata": {"x": "y"},
    }


@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{1,6}", fullmatch=True),
        st.text(st.characters(codec="ascii", exclude_categories=["C"]), max_size=20),
        max_size=4,
    )
)
def test_what_yaml_writes_is_read_back(data: dict[str, str]):
    block = yaml.safe_dump(data, default_flow_style=False, width=1000).rstrip("\n") if data else ""
    assert values(block) == data


@given(st.text("ab:#-'\"[]{}&*!|>%@`,? \n", max_size=30))
def test_where_the_plain_reader_answers_yaml_would_not_answer_otherwise(text: str):
    """Whatever both can read, both read alike; what YAML refuses is at most read with a warning.
    (No tabs here: YAML refuses them where we do not mind.)"""
    notes = Diagnostics("SKILL.md")
    front = read(["---", *f"k: {text}".split("\n"), "---"], notes)
    try:
        loaded = yaml.load(f"k: {text}\n", Loader=yaml.BaseLoader)  # resolves nothing
    except yaml.YAMLError:
        assert front is None or "S103" in [d.code for d in notes.sorted()]
        return
    if front is None or not isinstance(loaded, dict) or "k" not in front.values:
        return
    ours, theirs = front.values["k"], loaded.get("k")
    if isinstance(ours, str) and isinstance(theirs, str):
        assert ours.split() == theirs.split()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("# Title\n", "1:1 S002"),
        ("", "1:1 S002"),
        ("\n---\nname: a\n---\n", "1:1 S002"),
        ("---\nname: a\n", "1:1 S002"),
        ("---\n" + "a: b\n" * 300, "1:1 S002"),
        ("---\n- a\n- b\n---\n", "2:1 S002"),
        ('---\nname: a\ndescription: "open\n---\n', "4:1 S003"),
        ("---\nname: a\ndescription: [b\n---\n", "4:1 S003"),
        ("---\nname: a\ndescription: '\x07'' '\n---\n", "3:15 S003"),
        ("---\nname: a\n---\n", "1:1 S004"),
        ("---\nname: a\ndescription:   \n---\n", "3:1 S004"),
        ("---\nname: a\ndescription: b\nname: c\n---\n", "4:1 S005"),
        ("---\nname: a\ndescription: b\nmetadata:\n  x: y\n  x: z\n---\n", "6:3 S005"),
        ("---\nname: a\ndescription: &x b\nother: *x\n---\n", "3:14 S006"),
        ("---\nname: a\ndescription: !!python/object:os.system b\n---\n", "3:14 S006"),
        ("---\nname: a\ndescription: [[[[[[[b]]]]]]]\n---\n", "3:18 S006"),
        ("---\nname: a\ndescription: " + "[" * 9000 + "\n---\n", "3:18 S006"),
    ],
)
def test_faults_have_a_place(text: str, place: str):
    assert load(text)[0] is None
    assert codes(text) == [place]


def test_a_colon_in_an_unquoted_text_is_read_as_meant():
    text = "---\nname: a-b\ndescription: Review this: that, and more.\n---\n"
    skill, _ = load(text, "a-b/SKILL.md")
    assert skill is not None
    assert skill.description == "Review this: that, and more."
    assert codes(text, level="warning")[-1] == "3:14 S103"


def test_colons_are_repaired_also_where_it_takes_yaml():
    text = (
        "---\nname: a-b\ndescription: It's a review: of this,\n  and more: that.\ntags: [x, y]\n"
        "metadata:\n  k:\n    - v\n---\n"
    )
    skill, _ = load(text, "a-b/SKILL.md")
    assert skill is not None
    assert skill.description == "It's a review: of this, and more: that."
    assert codes(text, level="warning")[-1] == "3:14 S103"


def test_what_no_quotes_repair_is_the_error_that_it_was():
    text = "---\nname: a\ndescription: b: c\ntags: [x\n---\n"
    assert codes(text) == ["3:15 S003"]


def test_a_comma_in_braces_parts_no_items():
    front = FrontMatter({"paths": "a.{sh,py}, b"}, {"paths": 3}, 4)
    assert front.items("paths") == [(3, "a.{sh,py}"), (3, "b")]


def test_the_items_of_a_list_know_their_lines():
    notes = Diagnostics("SKILL.md")
    block = ["---", "a:", "  - b", "# note", "  - 'c'", "d: [e, f]", "g:", "- h", "---"]
    front = read(block, notes)
    assert front is not None
    assert [front.items(key) for key in "adg"] == [[(3, "b"), (5, "c")], [(6, "e"), (6, "f")], [(8, "h")]]


def test_dashes_inside_a_value_do_not_end_the_front_matter():
    skill, _ = load("---\nname: a\ndescription: b --- c\n---\n# T\n")
    assert skill is not None
    assert (skill.description, skill.guidance) == ("b --- c", "# T")


def test_the_folder_gives_a_missing_name():
    text = "---\ndescription: b\n---\n"
    skill, diagnostics = load(text, ".reviewbot/skills/our-rules/SKILL.md")
    assert skill is not None
    assert skill.name == "our-rules"
    assert [d.code for d in diagnostics if d.level == "warning"] == ["S101"]
    assert [d.code for d in load(text, "SKILL.md")[1] if d.level == "error"] == ["S004"]


@pytest.mark.parametrize(
    ("front", "place"),
    [
        ("name: Some Review\ndescription: b", "2:1 S101"),
        ("name: other-name\ndescription: b", "2:1 S101"),
        ("name: some-review\ndescription: " + "b" * 1025, "3:1 S101"),
        ("name: some-review\ndescription: b\ncompatibility: " + "c" * 501, "4:1 S101"),
        ("name: some-review\ndescription: b\nfoo: c", "4:1 S102"),
    ],
)
def test_oddities_are_warnings_and_the_skill_loads(front: str, place: str):
    text = f"---\n{front}\n---\n"
    assert load(text)[0] is not None
    assert codes(text, level="warning") == [place]


def test_rights_that_a_skill_asks_for_are_said_never_granted():
    text = "---\nname: some-review\ndescription: b\nallowed-tools: Bash(*)\nhooks:\n  - x\n---\n"
    messages = [d.message for d in load(text)[1] if d.code == "S102"]
    assert messages == ["`allowed-tools` is read and never granted", "`hooks` is read and never granted"]


def test_text_of_a_list_is_no_name():
    front = FrontMatter({"name": ["a"]}, {"name": 2}, 3)
    assert front.text("name") == ""
