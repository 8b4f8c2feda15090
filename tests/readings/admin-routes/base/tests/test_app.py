import pytest

from desk.app import handle
from desk.http import Request, User
from desk.tickets import Tickets

AGENT = User("a", frozenset({"agent"}))
ADMIN = User("b", frozenset({"admin"}))
NOBODY = User("c", frozenset())


@pytest.mark.parametrize(
    ("method", "path", "user", "status"),
    [
        ("GET", "/tickets", None, 401),
        ("GET", "/tickets", NOBODY, 200),
        ("POST", "/tickets", None, 401),
        ("POST", "/tickets", NOBODY, 400),
        ("POST", "/tickets/close", None, 401),
        ("POST", "/tickets/close", ADMIN, 403),
        ("POST", "/tickets/close", AGENT, 404),
        ("POST", "/tickets/wipe", None, 401),
        ("POST", "/tickets/wipe", AGENT, 403),
        ("POST", "/tickets/wipe", ADMIN, 200),
        ("GET", "/health", None, 200),
    ],
)
def test_who_may_do_what(method, path, user, status):
    assert handle(Request(method, path, user), Tickets()).status == status
