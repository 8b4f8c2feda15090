from __future__ import annotations

from reviewbot.hosts.github.client import AnswerLost, Client

ATTEMPTS = 3


def say(client: Client, number: int, body: str) -> None:
    for _ in range(ATTEMPTS):
        try:
            client.post(f"/issues/{number}/comments", body)
            return
        except AnswerLost:
            continue
    raise AnswerLost
