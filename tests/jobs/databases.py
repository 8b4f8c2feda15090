"""A database for each test: a SQLite file, and one in a PostgreSQL server of our own on loopback."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

OWNER = 65534  # nobody: PostgreSQL does not run as root


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of a server, without a database. Nothing of it outlives the block."""
    with TemporaryDirectory(prefix="reviewbot-pg-") as folder, socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        held.close()
        data = Path(folder) / "data"
        as_other = {"user": OWNER, "group": OWNER, "extra_groups": []} if os.getuid() == 0 else {}
        if as_other:
            os.chown(folder, OWNER, OWNER)

        def ran(program: str, *words: str) -> None:
            command = [shutil.which(program) or program, "-D", str(data), *words]
            with open(Path(folder) / f"{program}.log", "w", encoding="utf-8") as log:
                done = subprocess.run(
                    command,
                    cwd=folder,
                    stdout=log,
                    stderr=log,
                    timeout=60,
                    **as_other,  # type: ignore[call-overload]
                )
            assert done.returncode == 0, (Path(folder) / f"{program}.log").read_text()

        ran("initdb", "-U", "reviewbot", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        options = f"-p {port} -h 127.0.0.1 -k '' -F -c max_connections=200"
        ran("pg_ctl", "-w", "-l", f"{folder}/server.log", "-o", options, "start")
        try:
            yield f"postgresql://reviewbot@127.0.0.1:{port}"
        finally:
            ran("pg_ctl", "-w", "-m", "immediate", "stop")
