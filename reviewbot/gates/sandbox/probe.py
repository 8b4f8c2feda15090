"""Tries, inside, what a sandbox must not allow. It is laid out as the tree of a job.

    python -I -S probe.py PORT FILE PROCESSES NAME…

PORT: something of the host listens there, on its loopback. FILE: a file of the host that everybody may
read. PROCESSES: the limit. NAME…: the environment that the job was given, and no more. Prints a line
for each trial: its name, and what is wrong or nothing. The system's Python can be an old one: 3.8 will do.
"""

from __future__ import annotations

import glob
import os
import shutil
import signal
import socket
import sys
from collections.abc import Callable, Collection


def main(port: str, path: str, processes: str, *names: str) -> None:
    trials: dict[str, Callable[[], str]] = {
        "network": lambda: network(int(port)),
        "files": lambda: files(path),
        "environment": lambda: environment(set(names)),
        "processes": others,
        "rights": rights,
        "namespaces": namespaces,
        "forks": lambda: forks(int(processes)),
    }
    for name, trial in trials.items():
        try:
            wrong = trial()
        except Exception as error:  # an answer like another: what could not be tried is not proven
            wrong = f"{type(error).__name__}: {error}"
        print(name, " ".join(wrong.split()))


def network(port: int) -> str:
    with socket.socket() as sock:
        sock.settimeout(2)
        try:
            sock.connect(("127.0.0.1", port))
        except ConnectionRefusedError:
            return ""
    return "a port of the host answers"


def files(path: str) -> str:
    return "a file of the host can be read" if os.path.exists(path) else ""


def environment(names: Collection[str]) -> str:
    found = set(os.environb)
    for place in glob.glob("/proc/[0-9]*/environ"):
        with open(place, "rb") as file:
            found |= {entry.partition(b"=")[0] for entry in file.read().split(b"\0") if entry}
    foreign = found - {os.fsencode(name) for name in names}
    return "the host's environment can be read" if foreign else ""


def others() -> str:
    found = {int(name) for name in os.listdir("/proc") if name.isdigit()}
    return "processes of the host are visible" if found != {1, os.getpid()} else ""


def rights() -> str:
    with open("/proc/self/status") as file:
        status = dict(line.split(":", 1) for line in file)
    if any(int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")):
        return "it has capabilities"
    if status["NoNewPrivs"].strip() != "1":
        return "it can get new rights"
    return "it is root" if 0 in os.getresuid() + os.getresgid() else ""


def namespaces() -> str:
    unshare = shutil.which("unshare")
    if not unshare:
        return "unshare is not installed, so they cannot be tried"
    silent = os.open(os.devnull, os.O_RDWR)
    moved = [(os.POSIX_SPAWN_DUP2, silent, 2)]
    child = os.posix_spawn(unshare, [unshare, "--user", "true"], os.environ, file_actions=moved)
    return "" if os.waitpid(child, 0)[1] else "it can make user namespaces, with all capabilities inside"


def forks(most: int) -> str:
    children: list[int] = []
    try:
        while len(children) <= most:
            child = os.fork()
            if not child:
                signal.pause()
            children.append(child)
    except BlockingIOError:
        pass
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    if len(children) >= most:
        return "the limit of processes does not hold"
    return "" if len(children) >= most // 2 else "other processes count for the limit of processes"


if __name__ == "__main__":
    main(*sys.argv[1:])
