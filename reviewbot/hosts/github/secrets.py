"""Secrets that this process holds, taken out of whatever leaves it: logs, messages, what is posted."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from threading import Lock
from typing import Any
from urllib.parse import unquote

from reviewbot.core.visible import encodable

HIDDEN = "[redacted]"
LEAST = 8  # characters: a shorter value is found in ordinary words
PEM_LINE = 40  # characters of a key's line that cannot be an ordinary word

KEPT = 300  # values that are looked for in each line of a log: a server mints tokens without end

# Of any length: tokens of Apps hold a JWT since 2026.
_TOKENS = re.compile(r"\bgh[pousr]_[A-Za-z0-9_.\-]{8,}|\bgithub_pat_[A-Za-z0-9_]{8,}")
# Of variables whose values are secrets, the ends of their names: our own, and those of the clouds.
_SECRET = re.compile(r"(?:TOKEN|SECRETS?|PASSWORD|API_KEY|SECRET_KEY|ACCESS_KEY)\Z", re.IGNORECASE)
_PASSWORD = re.compile(r"\w://[^\s/:@]*:([^\s/]+)@")  # in an address
# These log what is sent and answered. A filter acts only on the logger that it hangs on.
_TALKATIVE = (
    *("github.Requester", "github.GithubRetry", "github.GithubObject", "github"),
    *("urllib3.connectionpool", "urllib3.util.retry", "urllib3"),
)


def secrets(token: str = "") -> tuple[str, ...]:
    """The texts that must not leave: the token, and what the environment holds. The longest first."""
    key = os.environ.get("REVIEWBOT_PRIVATE_KEY", "")
    values = (token, *_held(), *key_texts(key))
    return tuple(sorted({value for value in values if len(value) >= LEAST}, key=len, reverse=True))


def key_texts(key: str) -> tuple[str, ...]:
    """A private key, and each of its lines; nothing where it is the path of a file."""
    if "PRIVATE KEY" not in key:
        return ()
    return (key.strip(), *(line for line in key.replace("\\n", "\n").split() if len(line) >= PEM_LINE))


def _held() -> Iterator[str]:
    """What the variables of the environment hold, told by their names; and each password in an address."""
    for name, value in os.environ.items():
        if _SECRET.search(name):
            yield value.strip()
            yield from map(str.strip, value.split(","))  # REVIEWBOT_WEBHOOK_SECRET has the one before, too
        for found in _PASSWORD.finditer(value):
            yield from (found[1], unquote(found[1]))


def hide(text: str, values: Iterable[str]) -> str:
    for value in values:
        text = text.replace(value, HIDDEN)
    return _TOKENS.sub(HIDDEN, text)


def scrubbed(value: Any, values: Iterable[str]) -> Any:
    """A JSON value, its texts without `values` and without what UTF-8 cannot say: GitHub refuses that."""
    if isinstance(value, str):
        for secret in values:
            value = value.replace(secret, HIDDEN)
        return encodable(value)
    if isinstance(value, Mapping):
        return {key: scrubbed(item, values) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [scrubbed(item, values) for item in value]
    return value


class _Redacting(logging.Filter):
    """Hides every token that this process has used."""

    def __init__(self) -> None:
        super().__init__()
        self._values: tuple[str, ...] = ()
        self._lock = Lock()

    def learn(self, values: Iterable[str]) -> None:
        """The last ones are kept. A token that is known by its form need not be."""
        new = dict.fromkeys(value for value in values if value and not _TOKENS.fullmatch(value))
        with self._lock:
            self._values = (*new, *(old for old in self._values if old not in new))[:KEPT]

    def hidden(self, text: str) -> str:
        return hide(text, self._values)

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self.hidden(record.getMessage()), None
        return True


_REDACTING = _Redacting()


def hidden(text: str) -> str:
    """Without any secret that this process has used or been told of by quieten()."""
    return _REDACTING.hidden(text)


def quieten(values: Iterable[str]) -> None:
    """PyGithub logs whole answers at DEBUG, tokens too: it may not, and what it says is filtered."""
    _REDACTING.learn(values)
    for name in _TALKATIVE:
        logging.getLogger(name).addFilter(_REDACTING)
    for name in ("github", "urllib3"):
        logging.getLogger(name).setLevel(logging.INFO)
