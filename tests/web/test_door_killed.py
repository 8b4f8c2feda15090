"""What was answered is kept, though the server is killed in the middle."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import requests

from reviewbot.store import Store, sqlite_url
from tests.commands import ROOT
from tests.web.serving import Served, example

SERVER = """
import socket, sys, time
import uvicorn
from reviewbot.store import Store
from reviewbot.web.app import application
from reviewbot.web.parts import Parts, Settings
from tests.web.serving import SECRET, decide
store = Store.open(sys.argv[1])
parts = Parts((SECRET,), store, decide, Settings(), (), time.time, lambda: None)
server = uvicorn.Server(uvicorn.Config(application(parts), log_config=None))
server.run([socket.socket(fileno=int(sys.argv[2]))])
"""
OPENED = example("pull_request.opened")
ENOUGH = 60  # answers before it is killed


def start(url: str, port: int = 0) -> tuple[subprocess.Popen[bytes], int]:
    """A server in a process of its own, which alone holds the port."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with socket.create_server(("127.0.0.1", port), backlog=64) as door:
        argv = [sys.executable, "-c", SERVER, url, str(door.fileno())]
        return subprocess.Popen(argv, env=env, pass_fds=[door.fileno()]), door.getsockname()[1]


def test_nothing_that_was_answered_is_lost_or_doubled(tmp_path: Path) -> None:
    url = sqlite_url(str(tmp_path / "state"))
    with Store.open(url) as store:
        first, port = start(url)
        made = Served(port, store)
        answered: list[str] = []

        def send(id: str) -> str:
            """The state that is answered; "": the server died before."""
            try:
                answer = made.post(OPENED, id=id)
            except requests.RequestException:
                return ""
            assert answer.status_code in (200, 202)
            answered.append(id)
            return str(answer.json()["state"])

        ids = [f"d-{n}" for n in range(300)]
        with first, ThreadPoolExecutor(8) as pool:
            sent = [pool.submit(send, id) for id in ids]
            until = time.monotonic() + 60
            while len(answered) < ENOUGH and time.monotonic() < until:
                time.sleep(0.005)
            first.send_signal(signal.SIGKILL)
            first.wait()
            for one in sent:
                one.cancel()
        kept = {row.id for row in store.deliveries.recent(1_000)}
        assert ENOUGH <= len(answered) < len(ids)
        assert set(answered) <= kept
        before = set(answered)
        second, _ = start(url, port)
        with second, ThreadPoolExecutor(8) as pool:
            states = dict(zip(ids, pool.map(send, ids), strict=True))
            second.terminate()
        assert {states[id] for id in before} == {"known"}
        assert {id for id, state in states.items() if state == "received"} == set(ids) - kept
        assert len(store.deliveries.recent(1_000)) == len(ids)
