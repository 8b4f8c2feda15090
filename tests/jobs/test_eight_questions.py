"""kill -9 amid eight parallel questions: each answer belongs to its own, and none that came is paid again."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from threading import Lock

from tests.fakes.anthropic_server import Asked, Reply, anthropic_server, says
from tests.jobs.test_durable_kills import lives


def test_each_answer_belongs_to_its_own_question(tmp_path: Path) -> None:
    asked: list[str] = []
    lock = Lock()

    def script(request: Asked) -> Reply:
        text = request.body["messages"][-1]["content"][-1]["text"]
        with lock:
            asked.append(text)
            place = len(asked)
        while place > 3 and not (tmp_path / "died-amid").exists():
            time.sleep(0.01)  # these are never answered to the process that dies
        return says({"findings": [], "summary": f"of {text}"})

    with anthropic_server(script) as provider:
        (tmp_path / "provider").write_text(provider.url)
        assert lives(f"sqlite:///{tmp_path}/jobs.sqlite", tmp_path, "eight_questions") == 3
    notes = (tmp_path / "notes").read_text().splitlines()
    own = [f"answer of question {n}" for n in range(8)]
    assert notes == [*own, *own]  # before it died behind the step, and when it was told again
    count = Counter(asked)
    assert set(count) == {f"question {n}" for n in range(8)}
    assert [count[text] for text in asked[:3]] == [1, 1, 1]
    assert max(count.values()) <= 2
