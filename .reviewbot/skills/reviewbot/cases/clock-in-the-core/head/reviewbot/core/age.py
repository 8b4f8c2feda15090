from __future__ import annotations

import time


def age(written: float) -> float:
    return time.time() - written
