"""Law 2 from end to end: whatever models answer, each candidate is a finding or a rejection with a reason."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.ask.evidence import weigh
from reviewbot.core.ask.merge import join, merge_passes
from reviewbot.core.ask.refute import apply, due
from reviewbot.core.types import Answer, ModelTerms, Origin
from reviewbot.core.verify import Checked, conclude
from tests.builders import candidate
from tests.core.ask.claims import finding, quote, read, said, sources
from tests.strategies import few

TREE = sources({"run.sh": "set -x\nmake all\nsync\nmake all\nrun\n"})
TERMS = ModelTerms(inline=1)
REASONS = {"unquoted", "refuted", "duplicate", "out-of-scope", "suppressed", "low-confidence", "capped"}
DETECTED = Checked(candidate(path="run.sh", line=2, quote="make all"), ())

lines = st.integers(0, 6)
quotes = st.sampled_from(["make all", "sync", "run", "make none", "make all\nrun", ""])
answered = st.builds(
    lambda name, line, words, confidence, evidence, text: finding(
        **{"class": name},
        line=line,
        quote=words,
        confidence=confidence,
        evidence=evidence,
        failure=[said(text, 0)],
    ),
    st.sampled_from(
        ["a-failed-step-does-not-stop-the-launch", "an-absent-value", "single-quotes-on-purpose", "x"]
    ),
    lines,
    quotes,
    st.integers(0, 100),
    st.lists(st.builds(quote, quotes, lines), max_size=2),
    st.sampled_from(["It fails.", "Every step fails.", ""]),
)
verdicts = st.sampled_from(
    [
        Answer(payload={"verdict": "confirmed", "counter": None, "reason": ""}),
        Answer(payload={"verdict": "unsure", "counter": None, "reason": ""}),
        Answer(
            payload={
                "verdict": "refuted",
                "counter": {"path": "run.sh", "line": 1, "quote": "set -x"},
                "reason": "",
            }
        ),
        Answer(reason="overloaded"),
    ]
)


@few
@given(st.lists(st.lists(answered | st.none(), max_size=11), min_size=1, max_size=3), st.data())
def test_each_candidate_is_a_finding_or_a_rejection(passes: list[list[object]], data: st.DataObject):
    read_ = [read(*findings) for findings in passes]
    weighed = [weigh(reading.drafts, TREE) for reading in read_]
    found = [(lens, c) for lens, w in enumerate(weighed) for c in w.checked]
    merged = merge_passes(found, {c.candidate.slug: len(passes) for _, c in found}, TERMS)
    joined = join([DETECTED], merged.checked)
    replies = [(c, data.draw(verdicts)) for c in due(joined.checked)]
    judged = apply(joined.checked, replies, TREE)
    findings = conclude(judged.checked, TREE.change, {}, TERMS.inline)

    stages = (*read_, *weighed, merged, joined, judged)
    rejections = [r for stage in stages for r in stage.rejections]
    assert len(findings) + len(rejections) == sum(map(len, passes)) + 1
    assert {r.reason for r in rejections} <= REASONS
    assert all(r.detail for r in rejections)
    unread = [f for f in findings if f.candidate.origin is Origin.MODEL and f.refutation.verdict == "not-run"]
    assert len(unread) == sum(p.what != "the second reading" for p in judged.problems)
