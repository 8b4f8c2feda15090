"""Reads what a job prints until the last process that could print is gone, and ends it at its limits."""

from __future__ import annotations

import os
import re
import selectors
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from reviewbot.gates.output import Stream
from reviewbot.gates.sandbox.job import MIB, End, Job

Source = tuple[int, Stream]  # a descriptor, and what reads from it

LOOK = 0.1  # seconds between two looks at the machine's memory
SPARE = 128 * MIB  # bytes that have to stay available on the machine
START = 20.0  # seconds in which the sandbox has to start its job; it takes 0.01, and the copy of the tree
GRACE = 10.0  # seconds in which what was killed has to be gone; it takes milliseconds
READ = 64 * 1024  # bytes: as much as a pipe holds


class Followed(NamedTuple):
    over: tuple[End, str] | None  # why the job was ended, if it was
    began: float  # when it started, or, as long as it had not, its sandbox


def follow(said: Source, prints: Sequence[Source], job: Job, end: Callable[[], None]) -> Followed:
    """Feed the streams from their descriptors until all are closed. The time of the job begins with the
    first word of `said`.

    The first process of a sandbox holds them until it dies, and the kernel then kills all others in
    it. Their last milliseconds are not waited for: taking the namespaces down takes longer than most
    jobs. Raises TimeoutError where what was killed does not go away.
    """
    over: tuple[End, str] | None = None
    began = look = time.monotonic()
    started, deadline = False, began + START
    with selectors.DefaultSelector() as ready:
        for descriptor, stream in (said, *prints):
            ready.register(descriptor, selectors.EVENT_READ, stream)
        while ready.get_map():
            for key, _ in ready.select(max(0.0, min(deadline - time.monotonic(), LOOK))):
                data = os.read(key.fd, READ)
                key.data.feed(data)
                if not data:
                    ready.unregister(key.fd)
            now = time.monotonic()
            if over is not None:
                if now > deadline:
                    raise TimeoutError(f"its processes are still there {GRACE:g} s after they were killed")
                continue
            if not started and said[1].size:
                started, began, deadline = True, now, now + job.timeout
            if now >= deadline and ready.get_map():
                over = _late(job, started)
            elif said[1].size + sum(stream.size for _, stream in prints) > job.limits.output:
                over = End.OUTPUT, f"it printed more than {job.limits.output} bytes"
            elif now >= look:
                look = now + LOOK
                if _available() < SPARE:
                    over = End.MEMORY, "this machine had hardly any memory left"
            if over is not None:
                end()
                deadline = now + GRACE
    return Followed(over, began)


def _late(job: Job, started: bool) -> tuple[End, str]:
    if started:
        return End.TIMEOUT, f"ended after {job.timeout:g} s"
    return End.FAILED, f"the sandbox did not start within {START:g} s"


def _available() -> int:
    """Bytes of memory that this machine can still give away."""
    with open("/proc/meminfo", "rb") as file:
        found = re.search(rb"^MemAvailable: *(\d+) kB$", file.read(), re.MULTILINE)
    return int(found[1]) * 1024 if found else SPARE
