"""A PostgreSQL of the tests' own: on a socket in a folder of its own, gone after them."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from itertools import count
from tempfile import mkdtemp

import psycopg

USER = "reviewbot"
SETTINGS = (
    "listen_addresses=",
    # Nothing here outlives a crash of the machine.
    "fsync=off",
    "full_page_writes=off",
)


class Server:
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._data = os.path.join(folder, "data")
        self._names = count()
        self._run("initdb", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    def start(self) -> None:
        given = (f"unix_socket_directories={self._folder}", *SETTINGS)
        options = " ".join(f"-c {each}" for each in given)
        log = os.path.join(self._folder, "log")
        self._run("pg_ctl", "-w", "-t", "30", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        """At once; what was committed is there after start()."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop")

    def database(self, terms: str = "") -> str:
        """The URL of a new one."""
        name = f"t{next(self._names)}"
        with psycopg.connect(host=self._folder, user=USER, dbname="postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} {terms}".encode())
        return f"postgresql://{USER}@/{name}?host={self._folder}"

    def _run(self, name: str, *argv: str) -> None:
        # It refuses to run as root.
        user = {"user": "nobody", "group": "nogroup"} if os.geteuid() == 0 else {}
        with open(os.path.join(self._folder, "said"), "wb+") as said:
            # To a file: a server that goes on would hold a pipe open.
            done = subprocess.run(
                [program(name), "-D", self._data, *argv],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                cwd=self._folder,
                timeout=60,
                **user,  # type: ignore[call-overload]
            )
            said.seek(0)
            assert done.returncode == 0, said.read().decode()


def program(name: str) -> str:
    """Where it is; Debian keeps it out of PATH."""
    found = shutil.which(name) or max(glob(f"/usr/lib/postgresql/*/bin/{name}"), default="")
    assert found, f"{name}: these tests need PostgreSQL; scripts/system-packages names it"
    return found


@contextmanager
def server() -> Iterator[Server]:
    folder = mkdtemp(prefix="rb-pg-")  # short: the path of a socket has 107 bytes at most
    try:
        os.chmod(folder, 0o755)
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody", "nogroup")
        running = Server(folder)
        running.start()
        try:
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder)
