"""The clouds, as far as they can be tried without one; and what importing this room costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import reviewbot.llm
from reviewbot.llm.anthropic import AnthropicModel
from tests.fakes.anthropic_server import anthropic_server, says
from tests.llm.questions import question

CLEAN = {"findings": [], "summary": ""}


@pytest.mark.parametrize(
    ("provider", "variables", "path", "header"),
    [
        (
            "bedrock",
            {"AWS_REGION": "eu-west-1"},
            "/model/claude-sonnet-5-5/invoke",
            ("authorization", "Bearer k"),
        ),
        (
            "vertex",
            {"CLOUD_ML_REGION": "eu", "ANTHROPIC_VERTEX_PROJECT_ID": "p1"},
            "/projects/p1/locations/eu/publishers/anthropic/models/claude-sonnet-5-5:rawPredict",
            ("authorization", "Bearer k"),
        ),
        ("foundry", {}, "/v1/messages", ("x-api-key", "k")),
    ],
)
def test_a_cloud_is_asked_in_its_own_way(
    monkeypatch: pytest.MonkeyPatch,
    provider: str,
    variables: dict[str, str],
    path: str,
    header: tuple[str, str],
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-not-for-a-cloud")
    with anthropic_server([says(CLEAN)]) as server:
        [answer] = AnthropicModel(provider, "k", server.url).ask([question()])
    assert answer.payload == CLEAN
    [asked] = server.asked
    assert asked.path == path
    assert asked.headers[header[0]] == header[1]
    assert "sk-not-for-a-cloud" not in str(asked)
    assert asked.body["output_config"]["format"]["schema"] == json.loads(question().schema)


@pytest.mark.parametrize("provider", ["bedrock", "vertex", "foundry"])
def test_a_cloud_that_is_not_set_up_is_an_answer(monkeypatch: pytest.MonkeyPatch, provider: str) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "CLOUD_ML_REGION"):
        monkeypatch.delenv(name, raising=False)
    [answer] = AnthropicModel(provider, "").ask([question()])
    assert (answer.payload, answer.reason) == (None, "odd")
    assert answer.detail
    assert answer.usage.usd == 0


def run(program: str, *argv: str) -> str:
    done = subprocess.run([sys.executable, *argv, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_this_room_imports_nothing_that_is_dear() -> None:
    names = [f"reviewbot.llm.{path.stem}" for path in Path(reviewbot.llm.__file__).parent.glob("[!_]*.py")]
    assert "reviewbot.llm.anthropic" in names
    dear = {"anthropic", "httpx2", "pydantic", "tomllib", "tempfile", "concurrent.futures", "asyncio"}
    program = f"import sys, {', '.join(names)}; print(sorted({dear!r} & sys.modules.keys()))"
    assert run(program) == "[]\n"


def test_without_the_package_the_answer_names_the_remedy() -> None:
    program = """
import sys
sys.modules["anthropic"] = None  # as if it were not installed
from reviewbot.llm.anthropic import AnthropicModel, warm_up
from tests.llm.questions import question
warm_up()
[answer] = AnthropicModel("anthropic", "sk-1").ask([question()])
print(answer.reason, answer.detail)
"""
    assert (
        run(program)
        == "odd anthropic is not installed, which the model needs: pip install 'reviewbot[llm]'\n"
    )


def test_the_import_can_be_begun_beside_other_work() -> None:
    program = """
import sys, threading
from reviewbot.llm.anthropic import warm_up
warm_up()
for thread in threading.enumerate():
    thread is threading.current_thread() or thread.join()
print("anthropic" in sys.modules)
"""
    assert run(program) == "True\n"
