"""Whole Reviews for property tests, every word in them written by an enemy."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from reviewbot.core.types import (
    Assignment,
    Candidate,
    Change,
    ClassResult,
    Edit,
    FileChange,
    Finding,
    GateResult,
    GateRun,
    GateSpec,
    GateStatus,
    Grade,
    Incomplete,
    Origin,
    Receipt,
    Refutation,
    Rejection,
    Review,
    Scope,
    Severity,
    Side,
    Site,
    Skill,
    SkillOrigin,
    Skills,
    Status,
    Suggestion,
    Uncovered,
    Usage,
)

# How often a Review is too large to draw says nothing about the code.
_LARGE = [HealthCheck.data_too_large, HealthCheck.too_slow]
# A Review takes some milliseconds to draw.
few = settings(max_examples=25, suppress_health_check=_LARGE)
# Where all that is said of one is made as well.
fewest = settings(max_examples=15, suppress_health_check=_LARGE)

NASTY = (
    *(
        "|",
        "\\",
        "\\|",
        "`",
        "``",
        "```",
        "````",
        "~~~",
        "\n",
        "\r",
        "\t",
        "\x1b[31m",
        "\x9b2J",
        "\x07",
        "\0",
    ),
    *(
        "\u202e",
        "\u200b",
        "\u2028",
        "\ufeff",
        "\U000e0041",
        "\udce9",
        "\ud800",
        "漢字",
        "e\u0301",
        "👩\u200d🔬",
    ),
    *("@alice", "#12", "GH-3", "https://evil.example", "www.evil.example", "&commat;bob", "<!--", "-->"),
    *(
        "</details>",
        "<img src=x>",
        "![x](y)",
        "[a](b)",
        "- ",
        "1. ",
        "# ",
        "==",
        "$x$",
        "*",
        "_",
        "word",
        " ",
    ),
    "a-word-that-is-much-longer-than-any-column-of-the-table-or-even-of-the-whole-of-a-narrow-terminal",
)
any_character = st.characters(exclude_categories=())  # surrogates too
texts = st.lists(st.sampled_from(NASTY) | st.text(any_character, max_size=6), max_size=6).map("".join)
# One draw each: a Review holds some fifty of them.
pairs = st.sampled_from(
    [f"{left}{middle}{right}" for left in ("", *NASTY) for middle in ("", "x") for right in NASTY]
)
lines = st.integers(min_value=1, max_value=100_000)
counts = st.integers(min_value=0, max_value=10**9)
seconds = st.floats(min_value=0, max_value=1e6)

edits = st.builds(Edit, start_line=lines, line=lines, replacement=pairs)
suggestions = st.builds(Suggestion, edit=edits, checked=st.just(("applies", "parses")))
receipts = st.builds(
    Receipt,
    kind=st.sampled_from(("quote", "count", "run", "absent")),
    claim=pairs,
    path=pairs,
    line=st.none() | lines,
    ok=st.booleans(),
    detail=pairs | st.lists(pairs, max_size=3).map("\n".join),
)
refutations = st.builds(
    Refutation, verdict=st.sampled_from(("confirmed", "refuted", "unsure", "not-run")), reason=pairs
)


@st.composite
def sites(draw: st.DrawFn) -> Site:
    quote, start = draw(pairs), draw(lines)
    return Site(draw(pairs), start, start + quote.count("\n"), quote, draw(st.sampled_from(Side)))


candidates = st.builds(
    Candidate,
    skill=pairs,
    slug=pairs,
    rank=st.integers(1, 20),
    title=pairs,
    severity=st.sampled_from(Severity),
    origin=st.sampled_from(Origin),
    grade=st.sampled_from(Grade),
    site=sites(),
    failure=pairs,
    cost=pairs,
    fix=pairs,
    detector=st.none() | pairs,
    confidence=st.integers(0, 100),
    also=st.lists(sites(), max_size=2).map(tuple),
)


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    candidate = draw(candidates)
    site = candidate.site
    inside = Suggestion(
        Edit(site.start_line, site.line, draw(pairs)), tuple(site.quote.split("\n")), ("applies",)
    )
    return Finding(
        candidate=candidate,
        fingerprint=draw(st.text("0123456789abcdef", min_size=16, max_size=16)),
        preexisting=draw(st.booleans()),
        placement=draw(st.sampled_from(("inline", "file", "table"))),
        suggestion=draw(st.none() | st.just(inside) | suggestions),
        receipts=draw(st.lists(receipts, max_size=2).map(tuple)),
        unsuggested=draw(pairs),
        unproven=draw(pairs),
        refutation=draw(refutations),
    )


specs = st.builds(
    GateSpec, line=pairs, argv=st.lists(pairs, max_size=2).map(tuple), kind=st.just("parse-only")
)
gates = st.builds(
    GateResult,
    run=st.builds(
        GateRun, skill=pairs, spec=specs, tool=st.just("bash-n"), argv=st.lists(pairs, max_size=2).map(tuple)
    ),
    status=st.sampled_from(GateStatus),
    exit=st.none() | st.integers(-64, 255),
    seconds=seconds,
    output=pairs,
    reason=pairs,
    blame=st.sampled_from(("new", "preexisting", "fixed", "flaky", "unknown")),
)
skills = st.builds(
    Skill, name=pairs, description=pairs, path=pairs, origin=st.sampled_from(SkillOrigin), hash=pairs
)
classes = st.builds(
    ClassResult,
    skill=pairs,
    slug=pairs,
    title=pairs,
    files=counts,
    result=st.sampled_from(("found", "held", "nothing-found", "not-applicable", "not-checked")),
    by=st.lists(pairs, max_size=2).map(tuple),
)
stages = st.sampled_from(("diff", "skill", "scope", "detect", "gate", "model", "verify", "publish"))
usages = st.builds(
    Usage,
    calls=counts,
    input_tokens=counts,
    cached_tokens=counts,
    output_tokens=counts,
    usd=seconds,
    seconds=seconds,
)


@st.composite
def reviews(draw: st.DrawFn) -> Review:
    paths = draw(st.lists(pairs, max_size=4, unique=True))
    files = tuple(FileChange(path, Status.MODIFIED) for path in paths)
    left = tuple(Uncovered(path, draw(pairs)) for path in paths[: draw(st.integers(0, len(paths)))])
    skill = draw(skills)
    return Review(
        change=Change(
            draw(st.none() | st.just("a" * 40)),
            draw(st.none() | st.just("b" * 40)),
            files,
            label=draw(pairs),
            notes=draw(st.lists(pairs, max_size=1).map(tuple)),
        ),
        skills=Skills((skill,)),
        scope=Scope((Assignment(skill, tuple(paths)),), tuple(paths), left),
        incomplete=draw(
            st.lists(st.builds(Incomplete, stage=stages, what=pairs, why=pairs), max_size=2).map(tuple)
        ),
        gates=draw(st.lists(gates, max_size=2).map(tuple)),
        findings=draw(st.lists(findings(), max_size=3).map(tuple)),
        rejections=draw(
            st.lists(
                st.builds(Rejection, candidate=candidates, reason=st.just("disproved"), detail=pairs),
                max_size=1,
            ).map(tuple)
        ),
        checked=draw(st.lists(classes, max_size=3).map(tuple)),
        uncovered=left,
        usage=draw(usages),
    )
