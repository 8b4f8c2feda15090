"""Tickets, in memory."""

from __future__ import annotations

from typing import NamedTuple


class Ticket(NamedTuple):
    id: int
    title: str
    open: bool = True


class Tickets:
    def __init__(self) -> None:
        self._kept: dict[int, Ticket] = {}

    def add(self, title: str) -> Ticket:
        ticket = Ticket(max(self._kept, default=0) + 1, title)
        self._kept[ticket.id] = ticket
        return ticket

    def all(self) -> list[Ticket]:
        return list(self._kept.values())

    def close(self, ticket_id: int) -> Ticket | None:
        ticket = self._kept.get(ticket_id)
        if ticket:
            self._kept[ticket_id] = ticket = ticket._replace(open=False)
        return ticket

    def wipe(self) -> int:
        count = len(self._kept)
        self._kept.clear()
        return count
