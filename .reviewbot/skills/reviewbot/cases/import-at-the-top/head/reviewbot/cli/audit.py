from __future__ import annotations

import argparse

from reviewbot.wiring.audit import run_audit


def audit(options: argparse.Namespace) -> int:
    return run_audit(options.paths)
