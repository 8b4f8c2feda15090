"""The App's private key, from a variable or a file, and what it signs."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Any

from reviewbot.core.errors import UsageError
from reviewbot.hosts.github.secrets import key_texts, quieten

REMEDY = "set REVIEWBOT_PRIVATE_KEY to the PEM text, or to the path of the .pem file"
LARGEST = 64 * 1024  # bytes


class Key:
    """Never shown: neither by repr nor in a log."""

    def __init__(self, app: str, pem: str) -> None:
        """`app`: its id or client id. Raises UsageError where the text is no RSA key."""
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        self._texts = key_texts(pem)
        quieten(self._texts)
        try:
            key = load_pem_private_key(pem.encode(), None)
        except (ValueError, TypeError):  # their words may quote it
            raise UsageError("the App's private key cannot be read as PEM", REMEDY) from None
        if not isinstance(key, RSAPrivateKey):
            raise UsageError("the App's private key is no RSA key", REMEDY)
        self.app = app
        self._key = key

    def sign(self, claims: Mapping[str, Any]) -> str:
        import jwt

        quieten(self._texts)  # again, lest tokens crowd it out of what is hidden
        return jwt.encode({**claims, "iss": self.app}, self._key, "RS256")


def own_key(environment: Mapping[str, str]) -> Key:
    """From REVIEWBOT_APP_ID and REVIEWBOT_PRIVATE_KEY. Raises UsageError."""
    app = environment.get("REVIEWBOT_APP_ID", "").strip()
    given = environment.get("REVIEWBOT_PRIVATE_KEY", "").strip()
    if not app or not given:
        missing = "REVIEWBOT_PRIVATE_KEY" if app else "REVIEWBOT_APP_ID"
        raise UsageError(f"{missing} is not set", "`reviewbot app create` makes an App and says what to set")
    if not (app.isascii() and app.replace(".", "").isalnum()):
        raise UsageError("REVIEWBOT_APP_ID is no id of an App", "copy it from the App's page")
    if "PRIVATE KEY" in given:
        return Key(app, given.replace("\\n", "\n"))
    return Key(app, _file(given))


def _file(path: str) -> str:
    try:
        with open(path, "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            content = file.read(LARGEST)
    except OSError as error:
        raise UsageError(f"REVIEWBOT_PRIVATE_KEY: cannot read {path}: {error.strerror}", REMEDY) from error
    if mode & 0o007 and stat.S_ISREG(mode):
        raise UsageError(f"REVIEWBOT_PRIVATE_KEY: everybody can read {path}", f"chmod 600 {path}")
    try:
        return content.decode("ascii")
    except UnicodeDecodeError:
        raise UsageError(f"REVIEWBOT_PRIVATE_KEY: {path} is no PEM file", REMEDY) from None
