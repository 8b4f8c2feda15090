from __future__ import annotations

from reviewbot.hosts.github.client import Client


def files(client: Client, number: int) -> tuple[str, ...]:
    try:
        return tuple(client.files(number))
    except Exception:
        return ()
