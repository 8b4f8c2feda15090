"""A function on many items, on all processors.

`concurrent.futures` costs 20 ms to import, and an interrupted `Thread.start` or `Thread.join`
forgets its thread (Python 3.11), so that work would go on after the caller has cleaned up.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from threading import Condition, Thread
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def parallel(function: Callable[[T], R], items: Sequence[T], stop: Callable[[], None]) -> list[R]:
    """The results in the order of the items. No call is running when this returns or raises.

    Where it is interrupted, or a call raises, `stop` is called: it makes running calls return soon.
    """
    changed = Condition()  # guards the three below
    todo = deque(enumerate(items))
    running: set[int] = set()
    errors: list[BaseException] = []
    done: dict[int, R] = {}

    def work() -> None:
        while True:
            with changed:
                if not todo:
                    return
                index, item = todo.popleft()
                running.add(index)
            try:
                done[index] = function(item)
            except BaseException as error:  # raised again below, in the caller's thread
                errors.append(error)
                stop()
            with changed:
                running.discard(index)
                if errors:
                    todo.clear()
                changed.notify_all()

    try:
        for _ in range(min(len(items), _processors())):
            Thread(target=work).start()
        with changed:
            changed.wait_for(lambda: not todo and not running)
    except BaseException:
        with changed:
            todo.clear()
        stop()
        with changed:
            changed.wait_for(lambda: not running)
        raise
    if errors:
        raise errors[0]
    return [done[index] for index in range(len(items))]


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
