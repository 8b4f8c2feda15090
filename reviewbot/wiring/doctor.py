"""What a review finds on this machine."""

from __future__ import annotations

import os
import platform
import sys
from typing import NamedTuple

from reviewbot import __version__
from reviewbot.core.types import ModelTerms
from reviewbot.detectors.strangers import risks
from reviewbot.gates import state
from reviewbot.gates.sandbox import Level, level
from reviewbot.gates.versions import versions
from reviewbot.hosts.trees import top
from reviewbot.hosts.workflows import workflows
from reviewbot.wiring.inventory import settings_on_disk
from reviewbot.wiring.model import BASE_URL, KEY

RISK = (
    "runs on {} and checks out the pull request's head: what a stranger wrote runs with the secrets of this "
    "repository; run it on pull_request, or check out the base"
)


class Checkup(NamedTuple):
    """`level` says whether code of strangers may run here; `rows` are names and what is there, for people;
    `faults` what a review here would fail of."""

    level: Level
    rows: dict[str, str]
    faults: tuple[str, ...] = ()


def examine(cwd: str) -> Checkup:
    """What a review in `cwd` would find. Raises ConfigError for a configuration that cannot be read."""
    found = level()
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    home = state.home()
    kept = home or "nowhere: there is no home; set REVIEWBOT_STATE_DIR"
    rows = {
        "reviewbot": f"{__version__} ({here})",
        "Python": f"{platform.python_version()} ({sys.executable})",
        **versions(),
        "state": kept,
    }
    told, faults = _models(settings_on_disk(top(cwd)).model)
    trusting = _workflows(top(cwd))
    return Checkup(found, rows | told | trusting, (*faults, *trusting.values()))


def _workflows(folder: str) -> dict[str, str]:
    """By its place, what each workflow risks that runs with secrets on a stranger's files."""
    told = {}
    for path, content in workflows(folder):
        if content is None:
            told[path] = "cannot be read, so it is not known whether it checks out what strangers wrote"
            continue
        try:
            found = tuple(risks(content))
        except SyntaxError as error:
            told[f"{path}:{error.lineno}"] = f"cannot be read: {error.msg}"
            continue
        for risk in found:
            told[f"{path}:{risk.line}"] = RISK.format(risk.event)
    return told


def _models(terms: ModelTerms) -> tuple[dict[str, str], tuple[str, ...]]:
    """The configured models, each with what is to be known of it."""
    key = os.environ.get(KEY, "")
    if not key and not terms.provider:
        return {"model": f"none: there is no key; {KEY} turns one on"}, ()
    from reviewbot.llm.doctor import check

    checks = check(terms._replace(provider=terms.provider or "anthropic"), key, os.environ.get(BASE_URL, ""))
    rows = {f"model {c.model}": "; ".join((*c.faults, *c.notes)) or "all is well" for c in checks}
    return rows, tuple(f"{c.model}: {fault}" for c in checks for fault in c.faults)
