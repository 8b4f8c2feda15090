"""What the placeholders of a pattern stand for in a path."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.gates.captures import names, values
from reviewbot.core.globs import exact_regex
from reviewbot.core.matcher import matcher
from reviewbot.core.types import ScopeRow


@pytest.mark.parametrize(
    ("written", "path", "found"),
    [
        ("convert-<model>.sh", "convert-small.sh", {"<model>": "small"}),
        ("convert-<model>.sh", "scripts/convert-a b.sh", {"<model>": "a b"}),
        ("convert-<model>.sh", "convert-.sh", None),
        ("convert-<model>.sh", "convert/x.sh", None),
        ("a/<model>/<arm>.sh", "a/m/1.sh", {"<model>": "m", "<arm>": "1"}),
        ("<a>-<b>.{sh,py}", "1-2-3.py", {"<a>": "1", "<b>": "2-3"}),
        ("<a><b>.sh", "xyz.sh", {"<a>": "x", "<b>": "yz"}),
        ("runs/**/<m>.yaml", "runs/a/b/c.yaml", {"<m>": "c"}),
        ("a*_<m>_*z", "a1_2_z", {"<m>": "2"}),
        ("<m>/<m>.sh", "x/y.sh", {"<m>": "x"}),
        ("<m>/deep/", "x/deep/y", {"<m>": "x"}),
        ("run-$MODEL.sh", "run-x.sh", {"$MODEL": "x"}),
        ("convert-<m>.sh", "convert-a\nb.sh", {"<m>": "a\nb"}),
        ("convert-<m>.sh", "convert-\udce9.sh", {"<m>": "\udce9"}),
        ("caf\u00e9-<m>", "cafe\u0301-x", {"<m>": "x"}),
        ("plain.sh", "plain.sh", {}),
        ("plain.sh", "other.sh", None),
    ],
)
def test_a_placeholder_is_the_text_in_its_place(
    written: str, path: str, found: dict[str, str] | None
) -> None:
    assert values(written, path) == found


def test_a_placeholder_that_a_match_need_not_have_is_none() -> None:
    assert names("{<a>,x}.sh") == ()
    assert values("{<a>,x}.sh", "q.sh") == {}


PIECES = st.lists(
    st.sampled_from(
        ["<a>", "<b>", "{c}", "$D", "*", "?", "/", "**/", "-", "x", "yy", ".sh", "[ab]", "{x,y}"]
    ),
    max_size=7,
)
PATHS = st.text("xya-/.s\n", max_size=12)


@given(pieces=PIECES, path=PATHS)
def test_it_matches_what_the_scope_matches(pieces: list[str], path: str) -> None:
    written = "".join(pieces)
    same = re.fullmatch(exact_regex(written), path, re.DOTALL)
    assert (values(written, path) is None) == (same is None)


@given(parts=st.lists(st.text("ab_ ", min_size=1, max_size=4), min_size=1, max_size=4))
def test_what_is_filled_in_is_read_again(parts: list[str]) -> None:
    written = "run/" + "-".join(f"<p{i}>" for i in range(len(parts))) + ".sh"
    path = f"run/{'-'.join(parts)}.sh"
    assert values(written, path) == {f"<p{i}>": part for i, part in enumerate(parts)}
    assert matcher((ScopeRow("", written, written=written),)).match(path)


def test_many_placeholders_on_a_long_name_take_no_time() -> None:
    assert values("-".join(f"<p{i}>" for i in range(8)) + ".sh", "-" * 5000 + ".py") is None
