from __future__ import annotations


def files(client: Client, number: int) -> tuple[str, ...]:
    try:
        return tuple(client.files(number))
    except Exception:
        return ()
