"""Results of gates that are kept between reviews, by a hash of everything that the run could see.

Whatever is not exactly what was once written is a miss, and the gate runs: two reviews at one time, a
disk that was full, and an older reviewbot can leave anything there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from reviewbot.core.types import GateResult, GateRun, GateStatus, Text
from reviewbot.gates import state

FOLDER = "results"
DRAWERS = 16  # folders, by the first digit of the key
ENTRIES = 5_000 // DRAWERS  # of a drawer
SIZE = 64_000_000 // DRAWERS  # bytes of a drawer
LARGEST = 250_000  # bytes of an entry; a longer result is not kept
DAY = 24 * 60 * 60.0  # seconds
_UTF8 = ("utf-8", "surrogateescape")


def key(*parts: str | Sequence[str]) -> str:
    """A name that no other parts have."""
    return sha256(json.dumps(parts).encode()).hexdigest()


def digest(content: str) -> str:
    return sha256(content.encode(*_UTF8)).hexdigest()


def find(key: str, run: GateRun) -> GateResult | None:
    """The result of `run` that was kept under the key. Of a run that executes it is at most a day old, has
    the texts and words of the tree with it, and says that it is old; that of a checker, which nothing but
    its text and its program can change, is as if it had run."""
    name = _place(key)
    content = state.read(name, LARGEST + 1)
    if content is None:
        return None
    try:
        result = _read(content, key, run, time.time())
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    if result:
        state.used(name)
    return result


def keep(key: str, result: GateResult) -> None:
    """Keep a result that passed or failed under the key; a failure has to be one that comes again."""
    told: dict[str, Any] = {
        "key": key,
        "at": time.time(),
        "status": result.status.value,
        "exit": result.exit,
        "output": result.output,
    }
    if result.run.executes:
        told["reason"] = result.reason
        told["cut"] = result.cut
        told["argv"] = result.argv
        told["names"] = result.names
        told["named"] = [[text.path, text.content] for text in result.named]
    body = json.dumps(told).encode()
    content = sha256(body).hexdigest().encode() + b"\n" + body
    if len(content) <= LARGEST:
        name = _place(key)
        state.write(name, content)
        if key[1] == "0":  # one of 16: to look through a full drawer takes 4 ms, to keep a result 0.6
            state.shrink(name.rpartition("/")[0], ENTRIES, SIZE)


def _place(key: str) -> str:
    return f"{FOLDER}/{key[0]}/{key}"


def _read(content: bytes, key: str, run: GateRun, now: float) -> GateResult | None:
    """The result in an entry; None where it is too old. Raises for what `keep` does not write."""
    checksum, _, body = content.partition(b"\n")
    if checksum != sha256(body).hexdigest().encode():
        raise ValueError("not whole")
    told = json.loads(body)
    at, status, code = told["at"], GateStatus(told["status"]), told["exit"]
    output = told["output"]
    if told["key"] != key or not _are(str, output) or type(at) is not float or type(code) is not int:
        raise TypeError("not of this form")
    if status not in (GateStatus.PASSED, GateStatus.FAILED) or (status is GateStatus.PASSED) != (code == 0):
        raise ValueError("no result that is kept")
    result = GateResult(run, status, code, 0.0, output, run.reason)
    if not run.executes:
        return result
    return _executed(result, told, at) if 0 <= now - at < DAY else None


def _executed(result: GateResult, told: dict[str, Any], at: float) -> GateResult:
    """The result of a gate that executes, with all that an entry says of it."""
    reason, cut, argv, names, texts = (told[key] for key in ("reason", "cut", "argv", "names", "named"))
    if not _are(list, argv, names, texts, *texts) or not _are(str, reason, *argv, *names):
        raise TypeError("not of this form")
    if type(cut) is not int:
        raise TypeError("not of this form")
    when = time.strftime("kept from %Y-%m-%d %H:%M UTC", time.gmtime(at))
    return result._replace(
        reason="; ".join(filter(None, (reason, when))),
        cut=cut,
        argv=tuple(argv),
        names=tuple(names),
        named=tuple(_text(*pair) for pair in texts),
        kept=True,
    )


def _text(path: object, content: object) -> Text:
    if not isinstance(path, str) or not isinstance(content, str):
        raise TypeError("not of this form")
    return Text(path, content)


def _are(kind: type, *values: object) -> bool:
    return all(isinstance(value, kind) for value in values)
