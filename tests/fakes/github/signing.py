"""The App's key, and whether a token is signed with it and of this moment."""

from __future__ import annotations

import functools

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

LONGEST = 600  # seconds


@functools.cache
def _key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@functools.cache
def private_key() -> str:
    """PEM, as GitHub gives it."""
    kind = serialization.PrivateFormat.TraditionalOpenSSL
    return _key().private_bytes(serialization.Encoding.PEM, kind, serialization.NoEncryption()).decode()


def refusal(token: str, now: float) -> str:
    """Why GitHub does not take the token; "": it does."""
    try:
        claims = jwt.decode(
            token, _key().public_key(), ["RS256"], options={"verify_exp": False, "verify_iat": False}
        )
    except jwt.InvalidTokenError:
        return "A JSON web token could not be decoded"
    issued, expires = claims.get("iat"), claims.get("exp")
    if not isinstance(issued, int) or issued > now:
        return (
            "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
        )
    if not isinstance(expires, int) or expires <= now:
        return "'Expiration time' claim ('exp') must be a numeric value representing the future time"
    if expires > now + LONGEST:
        return "'Expiration time' claim ('exp') is too far in the future"
    return "" if claims.get("iss") == "77" else "Integration not found"


def signed(now: float, **claims: object) -> str:
    """A token as the App makes it, with other claims where they are given."""
    return jwt.encode({"iss": "77", "iat": int(now) - 60, "exp": int(now) + 300, **claims}, _key(), "RS256")
