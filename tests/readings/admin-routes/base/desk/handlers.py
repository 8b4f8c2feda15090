"""What the desk does."""

from __future__ import annotations

from desk.http import Answer, Refused, Request
from desk.tickets import Tickets


def list_tickets(request: Request, tickets: Tickets) -> Answer:
    if request.user is None:
        raise Refused(401, "sign in first")
    return Answer(200, [ticket._asdict() for ticket in tickets.all()])


def add_ticket(request: Request, tickets: Tickets) -> Answer:
    if request.user is None:
        raise Refused(401, "sign in first")
    title = request.form.get("title", "").strip()
    if not title:
        raise Refused(400, "a ticket needs a title")
    return Answer(201, tickets.add(title)._asdict())


def close_ticket(request: Request, tickets: Tickets) -> Answer:
    if request.user is None:
        raise Refused(401, "sign in first")
    if "agent" not in request.user.roles:
        raise Refused(403, "for agents")
    given = request.form.get("id", "")
    ticket = tickets.close(int(given)) if given.isdecimal() else None
    if ticket is None:
        raise Refused(404, "no such ticket")
    return Answer(200, ticket._asdict())


def wipe_tickets(request: Request, tickets: Tickets) -> Answer:
    if request.user is None:
        raise Refused(401, "sign in first")
    if "admin" not in request.user.roles:
        raise Refused(403, "for admins")
    return Answer(200, {"wiped": tickets.wipe()})


def health(request: Request, tickets: Tickets) -> Answer:
    return Answer(200, "ok")
