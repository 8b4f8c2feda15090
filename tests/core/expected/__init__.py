"""Whole reports as they must be, to read with one's own eyes."""

from __future__ import annotations

from pathlib import Path


def expected(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
