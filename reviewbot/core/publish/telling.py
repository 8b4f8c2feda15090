"""What is answered to commands that only ask: help, config, explain. Markdown without a marker."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from reviewbot.core.publish.cap import inert
from reviewbot.core.publish.comment import NAMED, Offer, inline
from reviewbot.core.publish.naming import Known
from reviewbot.core.publish.table import link
from reviewbot.core.report.markup import code, fence, table
from reviewbot.core.report.words import place
from reviewbot.core.types import Settings, Skills, Stamp

_KEYLESS = (
    "thorough",
    "rounds",
    "lookup_bytes",
)  # of the model's terms: the configuration has no key for them


class Effective(NamedTuple):
    """What decides a review here."""

    settings: Settings
    skills: Skills
    stamp: Stamp


def config_text(effective: Effective) -> str:
    settings, skills, stamp = effective
    blocks = [
        "The configuration in effect, read at base; what it does not say stands here by its default.",
        fence("\n".join(_toml(settings)), "toml"),
        table(("Skill", "From", "Hash", "File"), _skills(skills))
        if skills.active
        else "No skill takes part.",
        *(f"{code(skill.name)} takes no part: {inert(why)}." for skill, why in skills.listed),
        *(f"{code(d.path)} did not load: {inert(d.message)}." for d in skills.failed),
        f"Head {code(stamp.head)}, base {code(stamp.base)}, skills {code(stamp.skills)}, "
        f"configuration {code(stamp.config)}.",
    ]
    return "\n\n".join(blocks)


def explained(known: Known) -> str:
    """The whole text of a finding; where the last review does not have it, where its text stands."""
    name = code(known.fingerprint[:NAMED])
    if known.finding is not None:
        offer = Offer(0, 0, block=False, why_not="an answer holds no suggestion")
        return f"{name} at {code(place(known.finding.candidate.site))}:\n\n{inline(known.finding, offer, '')}"
    if known.thread is not None:
        there = link("its conversation", known.thread.remarks[0].url)
        return f"The review at hand does not have {name}. What was said of it stands in {there}."
    return f"The review at hand does not have {name}, and it has no conversation of its own."


def _toml(settings: Settings) -> Iterator[str]:
    """A configuration that says the same."""
    gates, model, pull = (part._asdict() for part in (settings.gates, settings.model, settings.pull))
    check = {name: pull.pop(name) for name in ("fail_on", "gate")}
    if not settings.gates.python:
        del gates["python"]
    tables: Mapping[str, Mapping[str, Any]] = {
        "skills": {"use": settings.use, "disable": settings.disable},
        "limits": {"max_file_bytes": settings.max_file_bytes},
        "gates": gates,
        "model": {key: value for key, value in model.items() if key not in _KEYLESS},
        "check": check,
        "pull": pull,
    }
    for title, values in tables.items():
        yield f"[{title}]"
        yield from (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items())


def _skills(skills: Skills) -> Iterator[tuple[str, ...]]:
    for skill in skills.active:
        yield code(skill.name), skill.origin.value, code(skill.hash), code(skill.path)
