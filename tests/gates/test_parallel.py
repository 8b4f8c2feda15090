"""Results in order, errors in the caller's thread, and nothing running afterwards."""

from __future__ import annotations

import signal
import threading

import pytest

from reviewbot.gates.parallel import parallel


def never() -> None:
    raise AssertionError("nothing went wrong")


def test_results_are_in_the_order_of_the_items():
    assert parallel(lambda n: n * n, range(200), never) == [n * n for n in range(200)]
    assert parallel(lambda n: n, [], never) == []


def test_an_error_stops_the_others_and_is_raised_here():
    stopped = threading.Event()

    def call(item: int) -> None:
        if item == 0:
            raise KeyError("x")
        stopped.wait()

    with pytest.raises(KeyError, match="x"):
        parallel(call, range(50), stopped.set)


def test_after_an_interrupt_no_call_is_running():
    stopped = threading.Event()
    calls: list[str] = []
    main = threading.main_thread().ident

    def call(item: int) -> None:
        calls.append("begun")
        signal.pthread_kill(main, signal.SIGINT) if item == 0 else None
        stopped.wait()
        calls.append("ended")

    with pytest.raises(KeyboardInterrupt):
        parallel(call, range(50), stopped.set)
    assert calls.count("begun") == calls.count("ended") < 50
