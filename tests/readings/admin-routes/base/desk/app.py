"""Which path leads to what."""

from __future__ import annotations

from collections.abc import Callable

from desk import handlers
from desk.http import Answer, Refused, Request
from desk.tickets import Tickets

Handler = Callable[[Request, Tickets], Answer]

ROUTES: dict[tuple[str, str], Handler] = {
    ("GET", "/tickets"): handlers.list_tickets,
    ("POST", "/tickets"): handlers.add_ticket,
    ("POST", "/tickets/close"): handlers.close_ticket,
    ("POST", "/tickets/wipe"): handlers.wipe_tickets,
    ("GET", "/health"): handlers.health,
}


def handle(request: Request, tickets: Tickets) -> Answer:
    handler = ROUTES.get((request.method, request.path))
    if handler is None:
        return Answer(404, "no such page")
    try:
        return handler(request, tickets)
    except Refused as refused:
        return Answer(refused.status, str(refused))
