"""Every value that a step gives comes back as it was: an enemy has written its words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import (
    Answer,
    GateResult,
    GateRun,
    GateSpec,
    GateStatus,
    Lookup,
    Pull,
    Remark,
    Reply,
    Said,
    Side,
    Text,
    Thread,
    Usage,
    Who,
)
from reviewbot.jobs import record
from reviewbot.jobs.shape import dump, load
from tests import strategies as enemy

words = enemy.pairs
several = st.lists(words, max_size=2).map(tuple)
numbers = st.integers(-(10**15), 10**15)
plain = st.recursive(
    st.none() | st.booleans() | numbers | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)

files = st.lists(st.builds(Text, path=words, content=words, partial=st.booleans()), max_size=2).map(tuple)
specs = st.builds(
    GateSpec, words, several, st.just("executing"), words, words, st.integers(0, 99), patterns=several
)
runs = st.builds(
    GateRun,
    skill=words,
    spec=specs,
    tool=words,
    argv=several,
    files=files,
    config=files,
    side=st.sampled_from(Side),
    verdict=st.none() | st.sampled_from(GateStatus),
    reason=words,
    skill_path=words,
    forbidden=several,
    seconds=enemy.seconds,
    attempt=st.sampled_from((1, 2)),
    fresh=st.booleans(),
)


def gate_results(depth: int = 1) -> st.SearchStrategy[GateResult]:
    inner = st.none() | gate_results(depth - 1) if depth else st.none()
    return st.builds(
        GateResult,
        run=runs,
        status=st.sampled_from(GateStatus),
        exit=st.none() | st.integers(-64, 255),
        seconds=enemy.seconds,
        output=words,
        reason=words,
        blame=st.sampled_from(("new", "unknown")),
        again=inner,
        base=inner,
        cut=enemy.counts,
        argv=several,
        names=several,
        named=files,
        kept=st.booleans(),
        told=words,
        drawn=st.lists(st.tuples(words, words, words), max_size=2).map(tuple),
    )


answers = st.builds(
    Answer,
    payload=plain,
    lookups=st.lists(st.builds(Lookup, words, words, words), max_size=2).map(tuple),
    said=words,
    reason=words,
    detail=words,
    usage=st.builds(Usage, *[enemy.counts] * 4, enemy.seconds, enemy.seconds),
    retry_after=enemy.seconds,
)
replies = st.builds(Reply, st.integers(0, 599), st.dictionaries(words, plain, max_size=3), words)
whos = st.builds(Who, words, st.booleans())
remarks = st.builds(Remark, numbers, whos, words, words, words)
threads = st.builds(
    Thread,
    node=words,
    path=words,
    line=st.none() | enemy.lines,
    start_line=st.none() | enemy.lines,
    side=st.sampled_from(Side),
    resolved=st.booleans(),
    resolved_by=st.none() | whos,
    outdated=st.booleans(),
    can_resolve=st.booleans(),
    remarks=st.lists(remarks, max_size=2).map(tuple),
    thumbs_down=enemy.counts,
)
said = st.builds(
    Said, whos, st.lists(remarks, max_size=2).map(tuple), st.lists(threads, max_size=2).map(tuple)
)
pulls = st.builds(
    Pull,
    repo=words,
    number=enemy.lines,
    url=words,
    title=words,
    author=whos,
    base_ref=words,
    base_sha=words,
    head_ref=words,
    head_sha=words,
    head_repo=st.none() | words,
    default_branch=words,
    changed_files=enemy.counts,
    open=st.booleans(),
    draft=st.booleans(),
    archived=st.booleans(),
    below=st.none() | enemy.lines,
)


def through_the_database(value: object) -> Any:
    text = record.written(dump(value))
    text.encode("ascii")
    return record.read(text)


def exactly(value: object) -> str:
    """1, 1.0 and True are equal."""
    return repr(value)


@enemy.few
@given(st.one_of(gate_results(), answers, replies, said, pulls, runs))
def test_a_value_comes_back_with_every_field(value: Any) -> None:
    back = load(type(value), through_the_database(value))
    assert back == value
    assert exactly(back) == exactly(value)


def test_what_is_as_by_default_is_not_kept() -> None:
    assert dump(Answer(payload={"findings": []})) == {"payload": {"findings": []}}
    assert load(Answer, {}) == Answer()


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (Reply, {"status": 200}),  # a field is missing
        (Reply, {"status": 200, "data": {}, "words": ""}),  # one is not known
        (Reply, {"status": "200", "data": {}}),
        (Reply, {"status": True, "data": {}}),
        (Reply, {"status": 200, "data": []}),
        (Reply, [200, {}]),
        (Reply, None),
        (Said, {"me": {"login": "x"}, "remarks": [None]}),
        (Said, {"me": {"login": "x"}, "remarks": {}}),
        (Answer, {"usage": {"calls": 1.5}}),
        (GateResult, {"run": {}, "status": "passed"}),
        (GateStatus, "fine"),
        (tuple[int, str], [1]),
        (str, 1),
    ],
)
def test_what_another_version_wrote_is_not_guessed_at(form: Any, value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        load(form, value)


@pytest.mark.parametrize("value", [object(), {1: 2}, b"bytes", {"a": {"b"}}])
def test_what_has_no_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="no form in JSON"):
        dump(value)
