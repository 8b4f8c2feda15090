"""What is known, as a file and against a review."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core import baseline, baselinefile
from reviewbot.core.baselinefile import Known
from reviewbot.core.errors import ConfigError
from reviewbot.core.types import (
    EXECUTING,
    Claim,
    ClassResult,
    Finding,
    GateResult,
    GateSpec,
    GateStatus,
    Incomplete,
    Origin,
    Review,
    Site,
    Uncovered,
)
from tests import builders

SLUG = builders.candidate().slug
KNOWN = Known("a.sh", SLUG, "0" * 16)

names = st.binary(min_size=1).map(lambda b: b.decode("utf-8", "surrogateescape"))
entries = st.builds(
    Known,
    names,
    names,
    st.text("0123456789abcdef", min_size=16, max_size=16),
    st.integers(1, 9),
    st.booleans(),
    st.sampled_from(["", "f" * 16]),
)


def found(path: str = "a.sh", fingerprint: str = "0" * 16, **more: Any) -> Finding:
    return builders.finding(path=path, fingerprint=fingerprint, **more)


def review(*findings: Finding, result: str = "nothing-found", **more: Any) -> Review:
    checked = (ClassResult("s", SLUG, "title", 1, result),)
    return builders.review(*findings)._replace(checked=checked, uncovered=(), incomplete=(), **more)


def compare(made: Review, *known: Known, everything: bool = True, within: str = "a.sh") -> baseline.Compared:
    return baseline.compare(made, known, everything=everything, within={within})


@given(st.lists(entries))
def test_what_is_written_is_read(rows: list[Known]) -> None:
    text = baselinefile.written(rows)
    assert set(baselinefile.parse(text.encode("ascii"), "b.json")) == set(rows)
    assert baselinefile.written(reversed(rows)) == text


@given(st.lists(entries, min_size=1, unique=True), st.data())
def test_the_line_of_a_bad_entry_is_named(rows: list[Known], data: st.DataObject) -> None:
    document = json.loads(baselinefile.written(rows))
    number = data.draw(st.integers(0, len(rows) - 1))
    document["findings"][number]["places"] = 0
    lines = [json.dumps(row) for row in document["findings"]]
    text = '{"schema": "reviewbot.baseline/1",\n"findings": [\n' + "\n,".join(lines) + "]}"
    with pytest.raises(ConfigError, match=rf"b\.json:{number + 3}: 0 is no number of places"):
        baselinefile.parse(text.encode(), "b.json")


def document(path: str = '"a.sh"', slug: str = '"c"', more: str = "", end: str = "]}") -> bytes:
    entry = f'{{"path": {path}, "class": {slug}, "fingerprint": "0123456789abcdef"{more}}}'
    return f'{{"schema": "{baselinefile.SCHEMA}",\n"findings": [\n{entry}{end}'.encode("ascii")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (document(more=', "places": ' + "9" * 5000), ":3: '9{18}…' is no number of places"),
        (document(end='],\n"findings": []}'), ":2: it has 'findings' more than once"),
        (document(more=', "path": "b"'), ":3: an entry has 'path' more than once"),
        (document(path=r'"\ud800"'), r":3: '\\ud800' is no path"),
        (document(slug=r'"\udfff"'), r":3: '\\udfff' is no class"),
    ],
)
def test_what_no_reader_can_hold_is_refused_at_its_line(data: bytes, fault: str) -> None:
    with pytest.raises(ConfigError, match=rf"^b\.json{fault}"):
        baselinefile.parse(data, "b.json")


def test_a_known_finding_decides_nothing() -> None:
    compared = compare(review(found()), KNOWN)
    assert (compared.review.verdict, compared.known, compared.stale) == ("clean", 1, ())
    assert compared.review.findings[0].placement == "table"


def test_the_same_words_in_another_file_are_new() -> None:
    compared = compare(review(found("b.sh")), KNOWN)
    assert (compared.review.verdict, compared.known) == ("findings", 0)


def test_one_more_place_of_a_known_cause_is_new() -> None:
    two = found(also=(Site("a.sh", 9, 9, "x"),))
    assert compare(review(two), KNOWN).review.verdict == "findings"
    assert compare(review(two), KNOWN._replace(places=2)).review.verdict == "clean"
    assert compare(review(found()), KNOWN._replace(places=2)).review.verdict == "clean"
    assert [k.places for k in baseline.entries_of(review(two))] == [2]


def test_an_entry_is_stale_only_where_it_would_have_been_found() -> None:
    assert compare(review(), KNOWN).stale == (KNOWN,)
    assert compare(review(), KNOWN, everything=False).stale == (KNOWN,)
    for left in (
        compare(review(result="not-checked"), KNOWN),
        compare(review()._replace(uncovered=(Uncovered("a.sh", "binary"),)), KNOWN),
        compare(review()._replace(incomplete=(Incomplete("scope", "a.sh", "large"),)), KNOWN),
        compare(review(), KNOWN, everything=False, within="b.sh"),
        compare(review(), KNOWN._replace(slug="gate-ruff"), everything=False),
        compare(review(), KNOWN._replace(model=True)),
    ):
        assert (left.stale, len(left.unjudged)) == ((), 1)


def test_an_entry_of_a_file_or_class_that_is_gone_is_stale() -> None:
    assert compare(review(), KNOWN, within="b.sh").stale == (KNOWN,)
    assert len(compare(review(), KNOWN._replace(slug="gone")).stale) == 1


def test_what_a_model_found_is_judged_by_a_model() -> None:
    entry = KNOWN._replace(model=True)
    assert compare(review(reader="a model"), entry).stale == (entry,)
    [made] = baseline.entries_of(review(found(origin=Origin.MODEL)))
    assert made.model


def failing(output: str, exit: int = 1) -> Review:
    """A gate of a skill that fails, and the finding that is made of it."""
    line = "bash tests/run.sh"
    run = builders.gate().run._replace(tool=EXECUTING, spec=GateSpec(line, tuple(line.split()), "executing"))
    result = GateResult(run, GateStatus.FAILED, exit, output=output)
    claim = Claim("run", f"`{line}` exits {exit}", "a.sh", line, 1)
    return review(found(origin=Origin.GATE, claims=(claim,)), gates=(result,))


@pytest.mark.parametrize(
    ("later", "verdict"),
    [
        (("needle missing\nran 0.31 s\n", 1), "clean"),
        (("needle missing\nran 0.30 s\n", 99), "findings"),
        (("CATASTROPHE\n", 1), "findings"),
        (("needle missing\nran 0.30 s\n2 failed\n", 1), "findings"),
    ],
)
def test_a_known_gate_that_fails_otherwise_is_new(later: tuple[str, int], verdict: str) -> None:
    known = baselinefile.parse(
        baselinefile.written(baseline.entries_of(failing("needle missing\nran 0.30 s\n"))).encode(), "b.json"
    )
    compared = compare(failing(*later), *known)
    assert compared.review.verdict == verdict
    assert compared.stale == (() if verdict == "clean" else known)


def test_the_stale_are_named_and_counted() -> None:
    stale = [KNOWN._replace(path=f"{n}.sh") for n in range(7)]
    text = baseline.stale_text(stale, "b.json")
    assert text.startswith(f"7 entries of b.json stand for nothing any more: 0.sh ({SLUG} 00000000), 1.sh")
    assert text.endswith("and 2 more")
    assert baseline.stale_text([], "b.json") == ""
    assert baseline.stale_text(stale[:1], "b").startswith("1 entry of b stands for")
