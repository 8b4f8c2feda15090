"""Reads what a job prints until the last process that could print is gone, and ends it at its limits."""

from __future__ import annotations

import os
import re
import selectors
import time
from collections.abc import Callable, Mapping

from reviewbot.gates.output import Stream
from reviewbot.gates.sandbox.job import MIB, End, Job

LOOK = 0.1  # seconds between two looks at the machine's memory
SPARE = 128 * MIB  # bytes that have to stay available on the machine
GRACE = 10.0  # seconds in which what was killed has to be gone; it takes milliseconds
READ = 64 * 1024  # bytes: as much as a pipe holds


def follow(
    streams: Mapping[int, Stream], job: Job, began: float, end: Callable[[], None]
) -> tuple[End, str] | None:
    """Feed the streams from their descriptors until all are closed; why the job was ended, if it was.

    The first process of a sandbox holds them until it dies, and the kernel then kills all others in
    it. Their last milliseconds are not waited for: taking the namespaces down takes longer than most
    jobs. Raises TimeoutError where what was killed does not go away.
    """
    over: tuple[End, str] | None = None
    deadline, look = began + job.timeout, began
    with selectors.DefaultSelector() as ready:
        for descriptor, stream in streams.items():
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
            if now >= deadline:
                over = End.TIMEOUT, f"ended after {job.timeout:g} s"
            elif sum(stream.size for stream in streams.values()) > job.limits.output:
                over = End.OUTPUT, f"it printed more than {job.limits.output} bytes"
            elif now >= look:
                look = now + LOOK
                if _available() < SPARE:
                    over = End.MEMORY, "this machine had hardly any memory left"
            if over is not None:
                end()
                deadline = now + GRACE
    return over


def _available() -> int:
    """Bytes of memory that this machine can still give away."""
    with open("/proc/meminfo", "rb") as file:
        found = re.search(rb"^MemAvailable: *(\d+) kB$", file.read(), re.MULTILINE)
    return int(found[1]) * 1024 if found else SPARE
