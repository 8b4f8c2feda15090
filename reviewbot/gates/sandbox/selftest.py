"""Whether code that nobody trusts may run on this machine: tried out, and remembered until it restarts."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

import reviewbot
from reviewbot.gates import state
from reviewbot.gates.programs import find
from reviewbot.gates.sandbox.interpreter import interpreter
from reviewbot.gates.sandbox.job import End, Ended, Job, Limits
from reviewbot.gates.sandbox.profile import NAMES
from reviewbot.gates.sandbox.run import Sandbox
from reviewbot.gates.sandbox.tree import Entry, lay_out

TRIALS = ("network", "files", "processes", "environment", "rights", "namespaces", "forks")
MOST = 16  # processes of the self-test
TIMEOUT = 20.0  # seconds; it takes 0.1
KEPT = "sandbox-level"
_ROOM = os.path.dirname(os.path.abspath(__file__))


class Level(NamedTuple):
    """`full`: everything that the self-test tries was refused. Else why not, and what to do about it."""

    full: bool
    why: str = ""
    remedy: str = ""


def level(which: Callable[[str], str | None] = find) -> Level:
    """The level of this machine; `which` finds bubblewrap. Never raises.

    Only a full one is remembered: who has followed the remedy sees it at once.
    """
    if not sys.platform.startswith("linux"):
        return Level(False, "the sandbox needs Linux", "review the change on Linux")
    bubblewrap = which("bwrap")
    if bubblewrap is None:
        return Level(False, "bubblewrap is not installed", "install it: apt-get install bubblewrap")
    try:
        key = _key(bubblewrap)
        if state.read(KEPT) == key:
            return Level(True)
        why = _fault(which)
    except OSError as error:
        return Level(False, f"the self-test could not be made: {error}", "see what the message names")
    if why:
        return Level(False, why, _remedy(why))
    state.write(KEPT, key)
    return Level(True)


def _key(bubblewrap: str) -> bytes:
    """What a self-test holds for: this program, this kernel until it restarts, and this user."""
    program = os.stat(bubblewrap)
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read().strip()
    about = {
        "reviewbot": [reviewbot.__version__, _digest()],
        "bubblewrap": [os.path.realpath(bubblewrap), program.st_ino, program.st_size, program.st_mtime_ns],
        "kernel": [os.uname().release, boot],
        "user": [os.geteuid(), os.readlink("/proc/self/ns/user")],
    }
    return json.dumps(about).encode()


def _digest() -> str:
    """Of all that makes the sandbox and tries it: in a checkout it changes without the version."""
    from hashlib import sha256

    hashed = sha256()
    for name in sorted(name for name in os.listdir(_ROOM) if name.endswith(".py")):
        with open(os.path.join(_ROOM, name), "rb") as file:
            hashed.update(b"%s\0%s\0" % (name.encode(), file.read()))
    return hashed.hexdigest()


def _fault(which: Callable[[str], str | None]) -> str:
    """What the sandbox allows and must not, or why it does not start; "" if all is well."""
    import socket  # 8 ms, for the runs that have no level yet
    from tempfile import NamedTemporaryFile

    with open(os.path.join(_ROOM, "probe.py"), "rb") as file:
        probe = Entry(b"probe.py", 0o100644, file.read())
    python = interpreter()
    with socket.socket() as listening, NamedTemporaryFile() as planted, lay_out([probe]) as tree:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        os.chmod(planted.name, 0o644)
        about = (str(listening.getsockname()[1]), planted.name, str(MOST), *NAMES)
        argv = (python.program, "-I", "-S", "probe.py", *about)
        limits = Limits(processes=MOST)
        return _judged(Sandbox(which).run(Job(argv, tree, TIMEOUT, limits, binds=python.binds)))


def _judged(ended: Ended) -> str:
    if ended.how is not End.EXITED:
        return ended.why
    if ended.exit:
        return f"the self-test failed: {ended.stderr.strip().rpartition(chr(10))[2][:300]}"
    said = dict(line.partition(" ")[::2] for line in ended.stdout.split("\n"))
    wrong = (said.get(trial, f"no answer about {trial}") for trial in TRIALS)
    return next(filter(None, wrong), "")


_SWITCHES: Mapping[str, tuple[str, str]] = {  # files in which a value forbids it, and what to do then
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "give bubblewrap an AppArmor profile that allows user namespaces, or: "
        "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    "/proc/sys/kernel/unprivileged_userns_clone": ("0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    "/proc/sys/user/max_user_namespaces": ("0", "sysctl -w user.max_user_namespaces=10000"),
}


def _remedy(why: str) -> str:
    if "nknown option" in why:
        return "install bubblewrap 0.8 or newer"
    if "source path" in why:
        return "set TMPDIR to a folder that every user may enter"
    for path, (value, advice) in _SWITCHES.items():
        try:
            with open(path, encoding="ascii") as file:
                if file.read().strip() == value:
                    return advice
        except OSError:  # this kernel has no such switch
            continue
    return (
        "allow user namespaces; in a container of docker: --security-opt seccomp=unconfined "
        "--security-opt apparmor=unconfined --security-opt systempaths=unconfined"
    )
