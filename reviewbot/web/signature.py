"""Whether GitHub sent it: the signature over the very bytes that came."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

_FORM = re.compile(rb"sha256=([0-9a-f]{64})")


def formed(header: bytes) -> bool:
    """Whether a value of X-Hub-Signature-256 can be right for any body."""
    return _FORM.fullmatch(header) is not None


def signed(body: bytes | bytearray, header: bytes, secrets: Sequence[bytes]) -> bool:
    """Whether one of the secrets gives the header's value. An empty secret signs nothing."""
    if not formed(header):
        return False
    given = header.removeprefix(b"sha256=")
    own = [hmac.new(secret, body, hashlib.sha256).hexdigest().encode() for secret in secrets if secret]
    return any(hmac.compare_digest(given, value) for value in own)
