"""Guesses at the administrator's token: so many from one address, and together so many in a second."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Callable

from starlette.requests import Request

WRONG, WITHIN = 10, 60.0  # tokens of one address that may be wrong, in so many seconds
ADDRESSES = 10_000  # that are remembered
SLOW = 0.02  # seconds that a wrong token takes; one at a time, so together there are 50 in a second
_INNER = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))


class Tries:
    """For any number of threads."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong: dict[str, list[float]] = {}
        self._lock, self._turn = threading.Lock(), threading.Lock()

    def take(self, request: Request, token: str, right: Callable[[str], bool]) -> bool | None:
        """Whether it is right; None: not looked at, for too many of this address were wrong."""
        address = whose(request)
        if self._many(address):
            return None
        if right(token):
            return True
        with self._turn:
            time.sleep(SLOW)
        if not address:
            return False
        with self._lock:
            wrong = [*self._wrong.pop(address, ()), self._clock()]
            self._wrong[address] = wrong[-WRONG:]
            while len(self._wrong) > ADDRESSES:
                del self._wrong[next(iter(self._wrong))]
        return False

    def _many(self, address: str) -> bool:
        with self._lock:
            since = self._clock() - WITHIN
            return sum(at > since for at in self._wrong.get(address, ())) >= WRONG


def whose(request: Request) -> str:
    """The address of who is connected; of IPv6 the network, since one machine has all of it. "": a proxy's,
    behind which everybody is: those are slowed, and none of them is locked out for another."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback or any(address in network for network in _INNER):
        return ""
    wide = isinstance(address, ipaddress.IPv6Address)
    return str(ipaddress.ip_network((address, 64), strict=False) if wide else address)
