"""The process of `reviewbot serve` in which the reviews are done."""

from __future__ import annotations

from reviewbot.core.errors import EXIT_CLEAN, EXIT_INCOMPLETE

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping
    from typing import Any


def work(arguments: argparse.Namespace) -> int:
    """Until SIGTERM, or until others have given this worker up. What serve's begin() and end() wait for."""
    import os
    import signal
    from threading import Event

    from reviewbot.hosts import logs, traces
    from reviewbot.hosts.companion import READY, Principal
    from reviewbot.hosts.output import say
    from reviewbot.wiring.working import employ

    principal, ends = Principal(), Event()
    signal.signal(signal.SIGTERM, lambda number, frame: ends.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which tells us
    logs.set_up()
    traces.set_up()
    principal.wait()
    store, worker = employ(
        arguments.reviews,
        arguments.keep_days,
        lambda state, document: principal.tell({"state": state, "report": _measured(document or {})}),
    )
    principal.follow(worker.wake)
    worker.start(ends.set)
    principal.tell(READY)
    ends.wait()
    idle = worker.stop(arguments.grace)
    store.close()
    if not idle:
        say("what was not finished is handed over")
        os._exit(EXIT_INCOMPLETE)  # threads that are in the middle of a step would be waited for
    return EXIT_CLEAN


def _measured(document: Mapping[str, Any]) -> dict[str, Any]:
    """What /metrics counts, of a report of any size."""
    gates = [{"status": gate["status"], "seconds": gate["seconds"]} for gate in document.get("gates", ())]
    return {"verdict": document.get("verdict", ""), "gates": gates, "usage": document.get("usage")}
