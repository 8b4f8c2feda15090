"""Whether the programs of this machine are still the same, without starting or reading one.

A file's time of change (ctime) tells: nobody but the kernel sets it, and it moves with the content, the
mode and the name, whatever a program does to the other times.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice

MOST = 20_000  # entries that are looked through, in 0.1 s
# What an installation changes: folders of programs and packages, and the lists of package managers.
_SYSTEM = (
    *("/etc/os-release", "/etc/ld.so.cache", "/etc/alternatives", "/var/lib/dpkg/status"),
    *("/var/lib/rpm/rpmdb.sqlite", "/usr/lib/sysimage/rpm/rpmdb.sqlite", "/lib/apk/db/installed"),
    *("/usr/bin", "/usr/sbin", "/usr/lib"),
)
# What people put there by hand, in place.
LOCAL = ("/usr/local/bin", "/usr/local/lib")


def mark(place: str) -> str:
    """What a program is as long as nobody changes it; of a folder, as long as no entry comes or goes."""
    real = os.path.realpath(place)
    try:
        found = os.stat(real)
    except OSError:
        return f"{place} none"
    return f"{place} {real} {found.st_mode:o} {found.st_size} {found.st_ctime_ns}"


def machine() -> Iterator[str]:
    """The marks of this system, as its package manager leaves it."""
    yield " ".join(os.uname())
    yield from map(mark, (*_SYSTEM, *_packages("/usr/lib")))


def contents(places: Iterable[str]) -> str | None:
    """What all that lies in these folders (or is one of these files) is as long as nobody changes it; None
    where that is more than MOST entries."""
    hashed, left = sha256(), MOST
    for place in places:
        hashed.update(os.fsencode(mark(place)))
        for folder, rows in _below(os.path.realpath(place)):
            left -= len(rows)
            if left < 0:
                return None
            hashed.update(repr((folder, rows)).encode())
    return hashed.hexdigest()


def _packages(lib: str) -> list[str]:
    try:
        pythons = sorted(name for name in os.listdir(lib) if name.startswith("python3"))
    except OSError:
        return []
    return [os.path.join(lib, name, "dist-packages") for name in pythons]


def _below(top: str) -> Iterator[tuple[str, list[tuple[str, int, int, int]]]]:
    """Each folder of a folder, and its entries: name, mode, size and time of change."""
    todo = [top]
    while todo:
        folder = todo.pop()
        rows = []
        try:
            with os.scandir(folder) as entries:
                for entry in islice(entries, MOST + 1):
                    found = entry.stat(follow_symlinks=False)
                    rows.append((entry.name, found.st_mode, found.st_size, found.st_ctime_ns))
        except OSError:  # a file, which has its mark; or what we may not read: the sandbox neither
            pass
        rows.sort()
        yield folder, rows
        todo += [os.path.join(folder, name) for name, mode, *_ in rows if stat.S_ISDIR(mode)]
