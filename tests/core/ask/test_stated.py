"""Which number a line states for a key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.stated import MOST, Stated, spellings, stated
from reviewbot.core.types import Side
from tests.fakes.shelf import Shelf


def values(content: str, key: str = "--max-model-len") -> list[str]:
    return [s.value for s in stated(Shelf({"a": content}), Side.RIGHT, key)]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("MAX_MODEL_LEN=8192", "8192"),
        ('export MAX_MODEL_LEN="${MAX_MODEL_LEN:-8192}"', "8192"),
        ("vllm serve $M --max-model-len 8192 --seed 3", "8192"),
        ("vllm serve $M --max-model-len=8192", "8192"),
        ('  "max_model_len": 8192,', "8192"),
        ("max-model-len: 8192", "8192"),
        ("    max_model_len: int = 8_192", "8_192"),
        ("    maxModelLen: 8192", "8192"),
        ("let max_model_len: u32 = 8192;", "8192"),
        ('cmd += ["--max-model-len", "8192"]', "8192"),
        ('parser.add_argument("--max-model-len", type=int, default=8192)', "8192"),
        ('parser.add_argument("--max-model-len", help="of a prompt", default=8192)', "8192"),
        ("MAX_MODEL_LEN ?= 8k", "8k"),
        ("if args.max_model_len > 8192:", "8192"),
        ("max_model_len=-1", "-1"),
        ("max_model_len = 0.95", "0.95"),
        ("max_model_len: 1e-5", "1e-5"),
        ("max_model_len = 0x10", "0x10"),
    ],
)
def test_a_number_behind_its_key(line: str, value: str):
    assert values(line) == [value]


@pytest.mark.parametrize(
    "line",
    [
        "MAX_MODEL_LEN=$1x",
        "--max-model-len $LEN --seed 3",
        '"max_model_len": null, "seed": 3',
        "max_model_len for 3 nodes",
        "DEFAULT_MAX_MODEL_LEN=8192",
        "MAX_MODEL_LEN_PER_NODE=8192",
        "--no-max-model-len 3",
        "--max-model-len-limit 3",
        "max_model_len = args.len2",
        "max_model_len=",
    ],
)
def test_a_number_that_is_not_the_keys(line: str):
    assert values(line) == []


def test_a_number_below_its_key_in_the_same_call():
    call = 'add_argument(\n    "--max-model-len",\n    type=int,\n    help="x",\n    default=8192,\n)\n'
    assert stated(Shelf({"a": call}), Side.RIGHT, "max_model_len") == (
        Stated("a", 2, "8192", '    "--max-model-len",'),
    )
    other = 'add_argument(\n    "--max-model-len",\n)\nadd_argument("--seed", default=3)\n'
    assert values(other) == []


def test_every_spelling_is_found_once_in_the_order_of_the_files():
    spelled = ["max-len", "max_len", "MAX_LEN", "maxLen", "MaxLen", "Max_Len", "MAX-LEN", "maxlen", "MAXLEN"]
    shelf = Shelf({f"{n}.cfg": f"{word}=8\nx=1\n" for n, word in enumerate(spelled)})
    for key in ("--max-len", "MAX_LEN", "maxLen"):
        found = stated(shelf, Side.RIGHT, key)
        assert [(s.path, s.line, s.value) for s in found] == [(f"{n}.cfg", 1, "8") for n in range(9)]
    assert stated(shelf, Side.LEFT, "max_len") == ()


def test_places_are_bounded():
    assert len(stated(Shelf({"a": "n = 1\n" * (MOST + 9)}), Side.RIGHT, "n")) == MOST


@pytest.mark.parametrize("key", ["", "--", "  ", "a-b-c-d-e-f-g-h-i", "-._-"])
def test_what_is_no_key_has_no_spellings(key: str):
    assert spellings(key) == ()


def test_a_long_line_is_no_trouble():
    """A regular expression that tries each way to read it would not end."""
    for piece in (" ", "n=", "default", "n:-", "1_", '"', "n default", "("):
        values("n" + piece * 200_000, "n")


@given(st.text(max_size=30), st.text(max_size=60))
def test_a_value_stands_in_the_text(key: str, text: str):
    shelf = Shelf({"a": text, "b": f"{key}=12\n"})
    for s in stated(shelf, Side.RIGHT, key):
        lines = shelf.text(Side.RIGHT, s.path)
        assert lines is not None
        assert s.text == lines.lines[s.line - 1]
        assert s.value in lines.content
