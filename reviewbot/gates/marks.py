"""Whether the programs of this machine are still the same, without starting one: sizes and times."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice

MOST = 2_000  # entries of one folder that is looked through
# What an installation changes: folders of programs and packages, and the lists of package managers.
_SYSTEM = (
    *("/etc/os-release", "/etc/ld.so.cache", "/etc/alternatives", "/var/lib/dpkg/status", "/var/lib/rpm"),
    *("/usr/bin", "/usr/sbin", "/usr/lib", "/usr/local/bin", "/usr/local/lib"),
)


def mark(place: str) -> str:
    """What a program is as long as nobody replaces it; of a folder, as long as no entry comes or goes."""
    real = os.path.realpath(place)
    try:
        found = os.stat(real)
    except OSError:
        return f"{place} none"
    size = 0 if os.path.isdir(real) else found.st_size
    return f"{place} {real} {size} {found.st_mtime_ns}"


def machine(homes: Iterable[str]) -> Iterator[str]:
    """The marks of this system, and of the Python packages of these installations beside its own."""
    yield " ".join(os.uname())
    yield from map(mark, _SYSTEM)
    for home in ("/usr", "/usr/local", *homes):
        yield from map(mark, _packages(os.path.join(home, "lib")))


def contents(place: str) -> tuple[str, ...] | None:
    """The marks of a file, or of all that lies in a folder; None where that is more than MOST."""
    found = tuple(islice(_below(place), MOST + 1))
    return found if len(found) <= MOST else None


def _packages(lib: str) -> list[str]:
    try:
        pythons = sorted(name for name in os.listdir(lib) if name.startswith("python3"))
    except OSError:
        return []
    return [os.path.join(lib, name, own) for name in pythons for own in ("site-packages", "dist-packages")]


def _below(place: str) -> Iterator[str]:
    yield mark(place)
    for folder, folders, files in os.walk(place):
        folders.sort()
        yield from (mark(os.path.join(folder, name)) for name in (*folders, *sorted(files)))
