"""How many requests of somebody fall into the last while."""

from __future__ import annotations

from collections import defaultdict, deque


class Window:
    """The last `window_ms` milliseconds, both ends with it."""

    def __init__(self, window_ms: int, requests: int) -> None:
        self._window_ms = window_ms
        self._requests = requests
        self._seen: defaultdict[str, deque[int]] = defaultdict(deque)

    def admit(self, who: str, now_ms: int) -> bool:
        """Whether a request may go on now; it counts only then."""
        seen = self._seen[who]
        while seen and now_ms - seen[0] > self._window_ms:
            seen.popleft()
        if len(seen) >= self._requests:
            return False
        seen.append(now_ms)
        return True

    def wait_ms(self, who: str, now_ms: int) -> int:
        """The milliseconds until `admit` says yes again."""
        seen = self._seen[who]
        if len(seen) < self._requests:
            return 0
        return max(seen[0] + self._window_ms + 1 - now_ms, 0)
