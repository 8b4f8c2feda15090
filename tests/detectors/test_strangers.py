"""Workflows that trust strangers, and those that do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewbot.detectors.strangers import Risk, risks

TARGET = """\
on: {on}
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        with:
          ref: {ref}
      - run: make
"""
HEAD = "${{ github.event.pull_request.head.sha }}"


@pytest.mark.parametrize("on", ["pull_request_target", "[push, pull_request_target]", "{workflow_run: {}}"])
@pytest.mark.parametrize(
    "ref",
    [
        HEAD,
        "${{ github.head_ref }}",
        "refs/pull/${{ github.event.number }}/merge",
        "${{ github.event.workflow_run.head_sha }}",
    ],
)
def test_a_checkout_of_the_head_is_found(on: str, ref: str) -> None:
    [found] = risks(TARGET.format(on=on, ref=ref))
    assert found.line == 8
    assert found.event in on


def test_a_checkout_by_hand_is_found() -> None:
    for script in ("gh pr checkout 7", "git fetch origin pull/7/head"):
        steps = f"    steps:\n      - run: |\n          true\n          {script}\n"
        text = f"on: pull_request_target\njobs:\n  a:\n{steps}"
        assert list(risks(text)) == [Risk(7, "pull_request_target")]


@pytest.mark.parametrize(
    ("on", "ref"),
    [
        ("pull_request", HEAD),
        ("pull_request_target", "main"),
        ("pull_request_target", "${{ github.event.pull_request.base.sha }}"),
    ],
)
def test_what_is_right_is_not_found(on: str, ref: str) -> None:
    assert list(risks(TARGET.format(on=on, ref=ref))) == []


def test_our_own_examples_are_right() -> None:
    root = Path(__file__).resolve().parents[2]
    examples = [*(root / "docs" / "action").glob("*.yml"), *(root / ".github" / "workflows").glob("*.yml")]
    assert len(examples) >= 3
    for example in examples:
        assert list(risks(example.read_text())) == [], example


def test_what_is_no_yaml_is_said() -> None:
    with pytest.raises(SyntaxError) as caught:
        list(risks("on: [\njobs: {"))
    assert caught.value.lineno
