"""`diff --fix` with a model: it reads once more what came of its own fixes, for what is left of the money."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewbot import cli
from tests.fakes.anthropic_server import AnthropicServer, Asked, Reply, anthropic_server, says
from tests.launchers import Ran, ran
from tests.repos import Repo
from tests.test_model_review import BASE, CLEAN, HEAD, LOOP, SKILL, TRUE, found, second_reading, text, verdict

MENDED = HEAD.replace("items[:-1]", "items")
Run = Callable[..., Ran]


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write(".reviewbot/skills/shop-review/SKILL.md", SKILL)
    repo.write("shop.py", BASE)
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "topic")
    repo.write("shop.py", HEAD)
    repo.commit("head")
    monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "state"))
    return repo


@pytest.fixture
def run(repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    argv = ("diff", "main", "--fix", "--skill", "shop-review", "--format", "json")
    return lambda *more: ran(repo, capsys, monkeypatch, *argv, *more)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], AnthropicServer]]:
    opened = []

    def start(script: Any) -> AnthropicServer:
        context = anthropic_server(script)
        server = context.__enter__()
        opened.append(context)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
        return server

    yield start
    for context in opened:
        context.__exit__(None, None, None)


def once_more(asked: Asked) -> bool:
    """Whether what is read is what a fix has left."""
    return "items[:-1]" not in text(asked)


def once(*first: dict[str, Any], then: Reply) -> Callable[[Asked], Reply]:
    """Finds `first` in the head, and gives `then` for what is left of it."""

    def script(asked: Asked) -> Reply:
        if second_reading(asked):
            return verdict("confirmed")
        return then if once_more(asked) else found(*first)

    return script


def test_the_fix_of_a_model_is_applied_and_read_again(repo: Repo, run: Run, provider: Any) -> None:
    server = provider(once(TRUE, then=says({**CLEAN, "looked": []})))
    done = run()
    assert repo.file("shop.py").read_text() == MENDED
    assert [f["path"] for f in done.review["findings"]] == []
    assert done.review["usage"]["calls"] == len(server.asked) == 3
    assert (done.code, done.err.splitlines()[-1]) == (0, "reviewbot: 1 fix applied to 1 file")


def test_what_a_model_finds_in_its_own_words_is_taken_back(repo: Repo, run: Run, provider: Any) -> None:
    again = {
        **TRUE,
        "title": "Another item is counted twice",
        "quote": "    for item in items:",
        "cause": {"path": "shop.py", "line": 10, "quote": "    return total(items) * 0.9"},
        "failure": [{"text": "With one item the total is 0.", "evidence": []}],
        "evidence": [],
        "replacement": None,
    }
    provider(once(TRUE, then=found(again)))
    done = run()
    assert repo.file("shop.py").read_text() == HEAD
    assert "kept shop.py: its fixes were taken back: a model finds: Another item is counted twice" in done.err
    assert [f["quote"] for f in done.review["findings"]] == [LOOP]
    assert done.code == 1
    assert done.review["usage"]["calls"] == 4


def test_no_money_for_a_second_reading_is_incomplete(
    repo: Repo, run: Run, provider: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    provider(once(TRUE, then=says(CLEAN)))
    monkeypatch.chdir(repo.path)
    assert cli.run(["diff", "main", "--skill", "shop-review"]) == 1  # its answers are kept
    capsys.readouterr()
    done = run("--max-cost", "0")
    assert (done.code, done.review["verdict"]) == (3, "incomplete")
    assert repo.file("shop.py").read_text() == MENDED
