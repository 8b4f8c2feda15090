"""Which path leads to what, and who may take it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from desk import handlers
from desk.http import Answer, Refused, Request, User
from desk.tickets import Tickets

ANYBODY = "anybody"
SIGNED_IN = "signed in"


class Route(NamedTuple):
    """`who` has no default: a route that forgets it does not start."""

    who: str  # ANYBODY, SIGNED_IN, or a role
    handler: Callable[[Request, Tickets], Answer]


ROUTES = {
    ("GET", "/tickets"): Route(SIGNED_IN, handlers.list_tickets),
    ("POST", "/tickets"): Route(SIGNED_IN, handlers.add_ticket),
    ("POST", "/tickets/close"): Route("agent", handlers.close_ticket),
    ("POST", "/tickets/wipe"): Route("admin", handlers.wipe_tickets),
    ("GET", "/health"): Route(ANYBODY, handlers.health),
}


def handle(request: Request, tickets: Tickets) -> Answer:
    route = ROUTES.get((request.method, request.path))
    if route is None:
        return Answer(404, "no such page")
    try:
        admit(request.user, route.who)
        return route.handler(request, tickets)
    except Refused as refused:
        return Answer(refused.status, str(refused))


def admit(user: User | None, who: str) -> None:
    """Raises Refused for whom a route does not admit."""
    if who == ANYBODY:
        return
    if user is None:
        raise Refused(401, "sign in first")
    if who != SIGNED_IN and who not in user.roles:
        raise Refused(403, f"for {who}s")
