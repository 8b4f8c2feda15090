"""Writes a second apart: one rhythm for all threads, another for each token."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from reviewbot.hosts.github.pace import Pace, pace
from tests.hosts.github.doors import Time


def test_the_first_write_does_not_wait_and_the_next_one_does() -> None:
    time = Time()
    one = Pace(time)
    for _ in range(3):
        one.wait(time.sleep)
    assert time.naps == [1.0, 1.0]


def test_who_has_waited_elsewhere_does_not_wait_again() -> None:
    time = Time()
    one = Pace(time)
    one.wait(time.sleep)
    time.now += 0.75
    one.wait(time.sleep)
    time.now += 60
    one.wait(time.sleep)
    assert time.naps == [0.25]


def test_threads_take_turns() -> None:
    naps: list[float] = []
    one = Pace(lambda: 0.0)
    with ThreadPoolExecutor(8) as threads:
        for _ in range(8):
            threads.submit(one.wait, naps.append)
    turns = [0.0, *sorted(naps)]
    assert [later - sooner for sooner, later in pairwise(turns)] == [1.0] * 7


def test_clients_of_one_token_share_a_pace() -> None:
    assert pace("https://a.example", "one") is pace("https://a.example", "one")
    assert pace("https://a.example", "one") is not pace("https://a.example", "two")
    assert pace("https://a.example", "one") is not pace("https://b.example", "one")
