"""What those see who run the server: its health, its figures, and what every answer carries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from reviewbot.core.types.run import Health
from reviewbot.web.health import Checkup
from reviewbot.web.metrics import Meters
from reviewbot.web.parts import Settings
from tests.web.serving import NOW, Down, Served, example, running, served

OPENED = example("pull_request.opened")


def sandbox() -> Health:
    return Health("sandbox", False, "bwrap is not installed; see token=ghs_0123456789abcdef")


def credentials() -> Health:
    return Health("credentials", True, "app 77")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    async def echo(request: Request) -> Response:
        return PlainTextResponse(str(len(await request.body())), headers={"Cache-Control": "max-age=9"})

    page = Route("/echo", echo, methods=["GET", "POST"])
    with served(tmp_path_factory.mktemp("server"), checks=[sandbox, credentials], pages=[page]) as made:
        yield made


# --- health ---------------------------------------------------------------------------------


def test_what_works_badly_is_named(server: Served) -> None:
    answer = server.get("/healthz")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    rows = {row["name"]: row for row in answer.json()["checks"]}
    assert {name: row["well"] for name, row in rows.items()} == {
        "database": True,
        "sandbox": False,
        "credentials": True,
    }
    assert rows["sandbox"]["detail"].startswith("bwrap is not installed; see token=[redacted")
    assert "ghs_" not in answer.text


def test_without_a_store_it_is_down(tmp_path: Path) -> None:
    with served(tmp_path, store=Down(), checks=[credentials]) as made:
        answer = made.get("/healthz")
        assert (answer.status_code, answer.json()["status"]) == (503, "down")
        assert "hunter2" not in answer.text


def test_all_is_well(tmp_path: Path) -> None:
    with served(tmp_path, checks=[credentials]) as made:
        assert made.get("/healthz").json()["status"] == "ok"


def test_checks_are_not_run_for_everybody_who_asks(tmp_path: Path) -> None:
    runs: list[int] = []

    def counted() -> Health:
        runs.append(1)
        return Health("sandbox", True)

    with served(tmp_path, checks=[counted]) as made:
        for _ in range(20):
            made.get("/healthz")
    assert len(runs) == 1


def test_a_check_that_hangs_is_said_and_is_not_begun_again() -> None:
    ends, runs = Event(), []

    def model() -> Health:
        runs.append(1)
        ends.wait(20)
        return Health("model", True)

    store = Down()
    store.gone = False
    checkup = Checkup(store, [model], fresh=0, seconds=0.02)  # type: ignore[arg-type]
    assert checkup.latest() == ()
    with running(Alone(checkup)) as port:
        made = Served(port, store)  # type: ignore[arg-type]
        try:
            for _ in range(3):
                row = made.get("/healthz").json()["checks"][1]
                assert (row["name"], row["well"]) == ("model", False)
                assert row["detail"].startswith("no answer within")
        finally:
            ends.set()
    assert len(runs) == 1
    assert [row.name for row in checkup.latest()] == ["database", "model"]


class Alone:
    """ASGI: nothing but the checkup."""

    def __init__(self, checkup: Checkup) -> None:
        self.checkup = checkup

    async def __call__(self, scope, receive, send):  # type: ignore[no-untyped-def]
        if scope["type"] == "http":
            answer = await self.checkup.answer(Request(scope))
            await answer(scope, receive, send)
        else:
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})


# --- figures --------------------------------------------------------------------------------


def values(text: str) -> dict[str, float]:
    """Name and labels to the value."""
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {f"{s.name}{sorted(s.labels.items()) or ''}": s.value for s in samples}


def test_what_came_is_counted(tmp_path: Path) -> None:
    with served(tmp_path) as made:
        made.post(OPENED)
        made.post(OPENED)
        made.post(b"{}", "watch", "d-2")
        made.post(b"{}", X_Hub_Signature_256="sha256=" + "0" * 64)
        answer = made.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    found = values(answer.text)
    for state, count in (("received", 1), ("known", 1), ("ignored", 1)):
        assert found[f"reviewbot_deliveries_total[('state', '{state}')]"] == count
    assert found["reviewbot_webhook_seconds_count[('status', '401')]"] == 1
    assert found["reviewbot_webhook_seconds_count[('status', '202')]"] == 2
    assert found["reviewbot_stored_deliveries[('state', 'received')]"] == 1
    assert (found["reviewbot_queue_depth"], found["reviewbot_store_up"]) == (1, 1)
    assert "acme" not in answer.text
    assert not re.search(r"d-[12]", answer.text)


def test_what_the_work_cost_is_counted() -> None:
    store = Down()
    store.gone = False
    meters = Meters(store, lambda: NOW)  # type: ignore[arg-type]
    gates = [{"status": "passed", "seconds": 0.2}, {"status": "failed", "seconds": 2.0}]
    usage = {"calls": 3, "seconds": 20.0, "usd": 0.25}
    meters.ended("done", {"verdict": "findings", "gates": gates, "usage": usage})
    meters.ended("failed", {"verdict": "", "gates": [], "usage": None})
    found = values(meters.text().decode())
    assert found["reviewbot_runs_ended_total[('state', 'done'), ('verdict', 'findings')]"] == 1
    assert found["reviewbot_runs_ended_total[('state', 'failed'), ('verdict', '')]"] == 1
    assert found["reviewbot_gate_seconds_sum[('status', 'failed')]"] == 2.0
    assert (found["reviewbot_model_seconds_sum"], found["reviewbot_model_dollars_total"]) == (20.0, 0.25)
    assert found["reviewbot_queue_age_seconds"] == 7


def test_figures_without_a_store() -> None:
    found = values(Meters(Down(), lambda: NOW).text().decode())  # type: ignore[arg-type]
    assert found["reviewbot_store_up"] == 0
    assert "reviewbot_queue_depth" not in found


# --- every answer ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/nowhere", "/webhook", "/echo"])
def test_headers_of_every_answer(server: Served, path: str) -> None:
    found = server.get(path).headers
    assert found["x-content-type-options"] == "nosniff"
    assert found["x-frame-options"] == "DENY"
    assert "default-src 'none'" in found["content-security-policy"]
    assert "unsafe" not in found["content-security-policy"]
    assert found["cache-control"] == ("max-age=9" if path == "/echo" else "no-store")
    assert "server" not in found
    assert "strict-transport-security" not in found


def test_https_is_kept_to(tmp_path: Path) -> None:
    with served(tmp_path, settings=Settings("https://bot.example")) as made:
        assert "max-age" in made.get("/healthz").headers["strict-transport-security"]


@pytest.mark.parametrize(
    "path",
    [
        "//webhook",
        "/webhook/",
        "/webhook/..",
        "/x/../webhook",
        "/%2e%2e/webhook",
        "/webhook%00",
        "/web%0d%0ahook",
        "/%5cwebhook",
        "/WEBHOOK",
        "/webhook;x",
    ],
)
def test_only_the_one_path_is_the_door(server: Served, path: str) -> None:
    text = f"POST {path} HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n".encode()
    answer = server.raw(text)
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert b"evil.example" not in answer
    assert b"\nlocation:" not in answer.lower()


def test_other_methods(server: Served) -> None:
    assert server.get("/webhook").status_code == 405
    assert b" 405 " in server.raw(b"DELETE /metrics HTTP/1.1\r\nHost: x\r\n\r\n").splitlines()[0]


def test_bodies_nobody_asked_for(server: Served) -> None:
    def status(header: str) -> bytes:
        return server.raw(f"POST /echo HTTP/1.1\r\nHost: x\r\n{header}\r\n\r\n".encode()).split(b" ")[1]

    assert status(f"Content-Length: {64 * 1024 + 1}") == b"413"
    assert status("Transfer-Encoding: chunked") == b"413"
    assert status("Content-Length: 0") == b"200"
