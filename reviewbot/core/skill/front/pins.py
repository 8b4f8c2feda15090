"""What the front matter of a skill says of detectors: `metadata: reviewbot-detectors: "…"`.

The value is a list with commas: `blind-loop=3` (the class of that number), `late-gate=some-slug`,
`assert-in-verifier=off`, `all=off`. Whether there is a detector of such a name is no matter of the
skill's grammar: detectors/bind.py tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reviewbot.core.errors import nearest
from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.frontmatter import FrontMatter
from reviewbot.core.types import DefectClass, Pin

KEY = "reviewbot-detectors"
ALL = "all"
_PIN = pattern(r"([a-z][a-z0-9-]*)\s*=\s*(\S+)")


def read_pins(
    lines: Sequence[str], front: FrontMatter, classes: Sequence[DefectClass], notes: Diagnostics
) -> tuple[Pin, ...]:
    """The pins in the order of the text. One that pins nothing is an error in `notes`."""
    for key in filter(is_pin_key, front.values):
        message = f"`{key[:80]}` belongs below `metadata:`, as `{KEY}`; it is not read here"
        notes.warn("S013", front.lines[key], 1, message)
    metadata = front.values.get("metadata")
    if not isinstance(metadata, dict):
        return ()

    def line_of(key: str) -> int:
        start = front.lines["metadata"]
        return next((n for n in range(start, front.end + 1) if key in lines[n - 1]), start)

    for key in filter(is_pin_key, metadata):
        if key != KEY:
            notes.warn("S013", line_of(key), 1, f"`{key[:80]}` is not read; detectors are pinned by `{KEY}`")
    line = line_of(KEY)
    pins: dict[str, Pin] = {}
    for entry in filter(None, map(str.strip, metadata.get(KEY, "").split(","))):
        pin = _pin(entry, line, classes)
        if isinstance(pin, str):
            notes.error("S013", line, 1, pin)
        elif pin.detector in pins:
            notes.error("S013", line, 1, f"`{pin.detector}` is given twice")
        else:
            pins[pin.detector] = pin
    return tuple(pins.values())


def is_pin_key(key: str) -> bool:
    """Whether a key of the front matter is meant for pins, whatever its spelling."""
    plain = re.sub(r"[\W_]+", "", key.lower())
    return plain.startswith("reviewbot") or plain in ("detector", "detectors")


def _pin(entry: str, line: int, classes: Sequence[DefectClass]) -> Pin | str:
    """The pin, or what is wrong with the entry."""
    found = _PIN.fullmatch(entry)
    if found is None:
        return f"`{entry[:80]}` is neither `detector=class` nor `detector=off`"
    detector, target = found.groups()
    if target == "off":
        return Pin(detector, "", line)
    if detector == ALL:
        return f"`{entry[:80]}`: all detectors cannot speak for one class; `{ALL}=off` is all there is"
    known = {c.slug: c for c in classes} | {str(c.rank): c for c in classes}
    defect = known.get(target)
    if defect is None:
        return f"`{entry[:80]}`: no such class; {nearest(target, [c.slug for c in classes])}"
    if defect.kind != "defect":
        return f"`{entry[:80]}`: class {defect.rank} says what is never reported"
    return Pin(detector, defect.slug, line)
