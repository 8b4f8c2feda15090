"""A second process of the same program, beside this one: what computes there delays nobody here.

On its stdin it hears of each wake(), and the end of that is the end of this process; on its stdout it tells,
a line of JSON each. It shares our stderr.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any

from reviewbot.core.errors import EXIT_INCOMPLETE, EXIT_USAGE
from reviewbot.core.types.run import Health
from reviewbot.hosts.logs import log

READY = {"ready": True}  # what it tells first
SOONEST, LATEST = 0.5, 30.0  # seconds until one that has ended is begun again
STEADY = 60.0  # seconds after which its end is one of its own
NICENESS = 19  # a delivery's answer goes first
_STDIN, _STDOUT, _STDERR = 0, 1, 2


class Companion:
    """It is begun again whenever it ends, but not where it could not work: by exit code 2, of which it has
    told the user itself.

    told: called with what it tells. refused: called once it could not work. Both from a thread.
    """

    def __init__(
        self, argv: Sequence[str], told: Callable[[Mapping[str, Any]], None], refused: Callable[[], None]
    ) -> None:
        self._argv, self._told, self._refused = argv, told, refused
        self._ends, self._ready = Event(), Event()
        self._begun = 0.0
        self._piped = Lock()  # held while its stdin is written to, or closed
        self._process = self._start()
        self._thread = Thread(target=self._attend, name="companion", daemon=True)

    def begin(self) -> int | None:
        """Have it work, and wait until it does. Its exit code if it ended instead."""
        self.wake()
        if not self._hear():
            return _code(self._process.wait())
        self._thread.start()
        return None

    def wake(self) -> None:
        with self._piped, suppress(OSError, ValueError):  # it has ended; begun again, it looks by itself
            os.write(_pipe(self._process.stdin).fileno(), b"\n")

    def end(self, seconds: float) -> int:
        """Its exit code; it is killed if it takes longer."""
        self._ends.set()
        with suppress(ProcessLookupError):
            self._process.terminate()
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
        code = _code(self._process.wait())
        if self._thread.is_alive():
            self._thread.join()
        self._close()
        return code

    def health(self) -> Health:
        well = self._ready.is_set()
        return Health("reviews", well, "" if well else "their process has ended, and is begun again")

    def _start(self) -> subprocess.Popen[bytes]:
        self._begun = time.monotonic()
        made = subprocess.Popen(self._argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        os.set_blocking(_pipe(made.stdin).fileno(), False)  # who does not read has been woken often enough
        return made

    def _close(self) -> None:
        with self._piped, suppress(OSError):
            _pipe(self._process.stdin).close()
        _pipe(self._process.stdout).close()

    def _attend(self) -> None:
        wait = SOONEST
        while True:
            while self._hear():
                pass
            code = self._process.wait()
            self._ready.clear()
            if self._ends.is_set():
                return
            if code == EXIT_USAGE:
                self._refused()
                return
            wait = SOONEST if time.monotonic() - self._begun > STEADY else min(2 * wait, LATEST)
            log("the process of the reviews has ended", code=code, again_in=wait)
            if self._ends.wait(wait):
                return
            self._close()
            self._process = self._start()
            self.wake()

    def _hear(self) -> bool:
        """One line; False: there is none any more."""
        line = _pipe(self._process.stdout).readline()
        if not line.endswith(b"\n"):
            return False
        message = json.loads(line)
        if message == READY:
            self._ready.set()
        else:
            self._told(message)
        return True


class Principal:
    """The process whose companion this one is. What this one begins has no pipe to it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._in, self._out = os.dup(_STDIN), os.dup(_STDOUT)
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), _STDIN)
        os.dup2(_STDERR, _STDOUT)
        os.nice(NICENESS)

    def wait(self) -> None:
        """Until it has us work. Does not return where it ends instead."""
        self._heard()

    def follow(self, woken: Callable[[], None]) -> None:
        """From now on `woken` is called for each wake(), and this process ends at once when that one does:
        whoever is begun after it takes over."""

        def listen() -> None:
            while True:
                self._heard()
                woken()

        Thread(target=listen, name="principal", daemon=True).start()

    def tell(self, message: Mapping[str, Any]) -> None:
        line = json.dumps(message).encode() + b"\n"
        with self._lock, suppress(BrokenPipeError):
            while line:
                line = line[os.write(self._out, line) :]

    def _heard(self) -> None:
        if not os.read(self._in, 4_096):
            os._exit(EXIT_INCOMPLETE)


def again(*more: str) -> list[str]:
    """This process' own command line, with `more` behind it."""
    return [sys.executable, *sys.orig_argv[1:], *more]


def _code(code: int) -> int:
    return EXIT_INCOMPLETE if code < 0 else code  # by a signal


def _pipe(pipe: Any) -> Any:
    if pipe is None:
        raise ValueError("the process was begun without it")
    return pipe
