"""Signing in and signing up."""

from __future__ import annotations

import hashlib
import hmac
from sqlite3 import Connection

from accounts import repository


class Refused(Exception):
    """What was given is not right, or is in use."""


def digest(email: str, given: str) -> str:
    return hashlib.scrypt(given.encode(), salt=email.encode(), n=2**14, r=8, p=1).hex()


def sign_in(db: Connection, email: str, given: str) -> int:
    """The id of the account. Raises Refused."""
    account = repository.find_by_email(db, email)
    if account is None or not hmac.compare_digest(account.secret_hash, digest(email, given)):
        raise Refused("address or password are not right")
    return account.id


def sign_up(db: Connection, team: int, email: str, given: str) -> int:
    """The id of the new account. Raises Refused."""
    if repository.find_by_email(db, email):
        raise Refused("this address is in use")
    return repository.add(db, team, email, digest(email, given))
