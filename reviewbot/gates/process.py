"""One child process: bounded in time, memory and output, and gone when it is over."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from reviewbot.gates.output import KEPT, decoded, ends

WRITTEN = 16 * 1024 * 1024  # bytes of one file; a child that writes more is ended
MEMORY = 2 * 1024 * 1024 * 1024  # bytes


@dataclass(frozen=True, slots=True)
class Ended:
    exit: int  # negative: the number of the signal that ended it
    seconds: float
    stdout: str
    stderr: str
    late: bool  # it was ended because its time was over
    cut: int  # bytes of output that were not kept


class Children:
    """The children of one plan. After `kill` all are dead and no other is started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._alive: set[int] = set()
        self._over = False

    def run(
        self, argv: Sequence[str], cwd: str, timeout: float, more: Mapping[str, str] = MappingProxyType({})
    ) -> Ended:
        """Run `argv` in `cwd`, which is also its home, for at most `timeout` seconds. `more` is the
        environment beside our own.

        The output goes to files: a pipe that a grandchild keeps open would outlive its parent.
        Raises OSError where it cannot be started, InterruptedError after `kill`.
        """
        from tempfile import TemporaryFile  # 14 ms, for the reviews that have gates

        late = threading.Event()
        began = time.monotonic()
        with TemporaryFile(buffering=0) as out, TemporaryFile(buffering=0) as err:
            child = self.start(lambda: _start(argv, cwd, (out.fileno(), err.fileno()), more))
            timer = threading.Timer(timeout, self.end, (child.pid, late))
            try:
                _limit(child.pid, timeout)
                timer.start()
                status = child.wait()
            finally:
                timer.cancel()
                self.end(child.pid)
            seconds = time.monotonic() - began
            stdout, left_out = _kept(out.fileno())
            stderr, left_err = _kept(err.fileno())
        return Ended(status, seconds, stdout, stderr, late.is_set(), left_out + left_err)

    def start(self, starting: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
        """The child that is started by the call, the first of its process group; `end` must follow.

        Raises what the call raises, InterruptedError after `kill`.
        """
        with self._lock:
            if self._over:
                raise InterruptedError("the review was interrupted")
            child = starting()
            self._alive.add(child.pid)
            return child

    def end(self, pid: int, late: threading.Event | None = None) -> None:
        """End a child and everything in its process group."""
        with self._lock:
            if pid not in self._alive:
                return
            if late is None:
                self._alive.discard(pid)
            else:
                late.set()
            _kill(pid)

    def kill(self) -> None:
        with self._lock:
            self._over = True
            for pid in self._alive:
                _kill(pid)


def _start(
    argv: Sequence[str], cwd: str, streams: tuple[int, int], more: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        argv,
        cwd=cwd,
        env={
            **{"PATH": os.defpath, "LC_ALL": "C.UTF-8", "HOME": cwd, "TMPDIR": cwd, "NO_COLOR": "1"},
            **more,
        },
        stdin=subprocess.DEVNULL,
        stdout=streams[0],
        stderr=streams[1],
        start_new_session=True,
    )


def _kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # nobody is left; macOS says so by EPERM
        return


def _limit(pid: int, timeout: float) -> None:
    """Set the limits of a child that has just been started.

    From outside (Linux alone can do it): it costs microseconds, `preexec_fn` milliseconds. Data
    and not address space is limited, because shellcheck's runtime reserves a terabyte of the latter.
    """
    if not hasattr(resource, "prlimit"):
        return
    seconds = (int(timeout) + 1) * (os.cpu_count() or 1)  # for the case that nobody is left to end it
    limits = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_DATA: MEMORY,
        resource.RLIMIT_FSIZE: WRITTEN,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CORE: 0,
    }
    for what, most in limits.items():
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.prlimit(pid, what, (most, most))
        except (ProcessLookupError, PermissionError):  # it is over already; a locked-down container
            return


def _kept(file: int) -> tuple[str, int]:
    """What a child wrote; the lines in the middle left out if it is much."""
    size = os.fstat(file).st_size
    if size <= KEPT:
        return decoded(os.pread(file, size, 0)), 0
    return ends(os.pread(file, KEPT // 2, 0), os.pread(file, KEPT // 2, size - KEPT // 2), size)
