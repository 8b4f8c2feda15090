"""How many requests of somebody fall into the last while."""

from __future__ import annotations

from collections import defaultdict, deque


class Window:
    """The last `seconds`, without the moment at which they begin: a request that is exactly so old
    does not count any more."""

    def __init__(self, seconds: float, requests: int) -> None:
        self._seconds = seconds
        self._requests = requests
        self._seen: defaultdict[str, deque[float]] = defaultdict(deque)

    def admit(self, who: str, now: float) -> bool:
        """Whether a request may go on now, in seconds; it counts only then."""
        seen = self._seen[who]
        while seen and now >= seen[0] + self._seconds:
            seen.popleft()
        if len(seen) >= self._requests:
            return False
        seen.append(now)
        return True

    def wait(self, who: str, now: float) -> float:
        """The seconds until `admit` says yes again."""
        seen = self._seen[who]
        if len(seen) < self._requests:
            return 0.0
        return max(seen[0] + self._seconds - now, 0.0)
