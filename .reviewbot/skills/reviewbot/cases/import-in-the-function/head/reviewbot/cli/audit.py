from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reviewbot.wiring.audit import Outcome


def audit(options: argparse.Namespace) -> Outcome:
    from reviewbot.wiring.audit import run_audit

    return run_audit(options.paths)
