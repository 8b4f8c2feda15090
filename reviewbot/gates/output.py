"""What a child wrote, as a report shows it: bounded, decoded, without terminal sequences."""

from __future__ import annotations

import re

KEPT = 256 * 1024  # bytes of each stream: half of them from the start, half from the end

# Terminal sequences: colours and moves, titles, and whatever else starts with an escape.
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -~])?")


class Stream:
    """Keeps the first and the last half of what it is fed."""

    def __init__(self) -> None:
        self.size = 0  # bytes that it was fed
        self._head = bytearray()
        self._tail = bytearray()

    def feed(self, data: bytes) -> None:
        self.size += len(data)
        room = KEPT // 2 - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > KEPT:  # and not half of it, so that few of the feeds move anything
            del self._tail[: -KEPT // 2]

    def text(self) -> tuple[str, int]:
        """What is kept, and how many bytes are not."""
        if self.size <= KEPT:
            return decoded(bytes(self._head + self._tail)), 0
        return ends(bytes(self._head), bytes(self._tail[-KEPT // 2 :]), self.size)


def ends(head: bytes, tail: bytes, size: int) -> tuple[str, int]:
    """Whole lines of the start and the end of `size` bytes as a text, and how many bytes are not in it."""
    head, tail = head[: head.rfind(b"\n") + 1] or head, tail[tail.find(b"\n") + 1 :]
    cut = size - len(head) - len(tail)
    return f"{decoded(head)}\n… {cut} bytes left out …\n{decoded(tail)}", cut


def decoded(data: bytes) -> str:
    return _ESCAPES.sub(b"", data).decode("utf-8", "replace")
