"""A small value in a cookie that only the server can read or make."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

SHORTEST = 32  # bytes of the secret


class Seal:
    """The user's token lies in the user's own cookie, sealed: the server keeps none."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) < SHORTEST:
            raise ValueError(f"the secret of a seal has at least {SHORTEST} bytes")
        key = hmac.digest(secret, b"reviewbot cookie 1", hashlib.sha256)
        self._fernet = Fernet(base64.urlsafe_b64encode(key))

    def sealed(self, value: dict[str, Any], now: float) -> str:
        return self._fernet.encrypt_at_time(json.dumps(value).encode(), int(now)).decode("ascii")

    def opened(self, text: str, lifetime: float, now: float) -> dict[str, Any] | None:
        """The value; None if it is not ours, was changed, or is older than `lifetime` seconds."""
        try:
            plain = self._fernet.decrypt_at_time(text.encode(), ttl=int(lifetime), current_time=int(now))
        except (InvalidToken, UnicodeEncodeError):
            return None
        value: dict[str, Any] = json.loads(plain)
        return value
