"""Rule files for tests: the text of a whole one, and the value that it is read as."""

from __future__ import annotations

import json
from typing import Any

from reviewbot.core.types import DefectClass, Grade, Rule

CLASSES = (
    DefectClass(1, "a-lost-status", "A lost status", ""),
    DefectClass(2, "an-os-system-call", "An `os.system` call", ""),
    DefectClass(3, "a-false-alarm", "A false alarm", "", kind="suppress"),
)
WHOLE = """\
id: discarded-status
language: python
class: 1
message: "`$CALL` may fail, and nobody asks"
cost: The next step works on what was there before.
fix: Use `subprocess.run` with `check=True`.
rule:
  kind: expression_statement
  has: {pattern: "os.system($CALL)"}
bad:
  - os.system(command)
good:
  - status = os.system(command)
"""


def rule_text(**changes: str | None) -> str:
    """The whole rule with some of its top-level keys written otherwise; None takes a key away."""
    blocks = dict(block.split(":", 1) for block in WHOLE.replace("\n  ", "\0").splitlines())
    blocks |= {key.rstrip("_"): value for key, value in changes.items() if value is not None}
    gone = {key.rstrip("_") for key, value in changes.items() if value is None}
    lines = (f"{key}:{value}" for key, value in blocks.items() if key not in gone)
    return "\n".join(lines).replace("\0", "\n  ") + "\n"


def rule(rule: dict[str, Any], **changes: Any) -> Rule:
    """A sound Python rule of the class `a-lost-status`, of which `changes` are made."""
    parts = {key: changes.pop(key) for key in ("utils", "constraints") if key in changes}
    whole = Rule(
        id="a-rule",
        language="python",
        slug="a-lost-status",
        grade=Grade.STRONG,
        message="a message",
        cost="a cost",
        fix="a fix",
        config=json.dumps({"rule": rule, **parts}),
        bad=("os.system(command)",),
        good=("pass",),
        path="skills/some-review/rules/a-rule.yml",
        line=7,
    )
    return whole._replace(**changes)
