"""The first skill of a repository: its own launchers and releases as scope, and what can go wrong there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from reviewbot.core.home.classes import CLASSES, ProposedClass
from reviewbot.core.home.seen import Check, Seen, Start, Work

LAUNCHES, RELEASES = "launch-review", "release-review"  # what the skill is called
MAX_ROWS = 30
TOGETHER = 3  # files of one folder and ending from which on one row claims that folder's
SHOWN = 3  # places that one class names

# Neither a table nor a glob takes the other characters.
_PLAIN = re.compile(r"[\w@%+=./-]+(?: [\w@%+=./-]+)*")

STEPS = (
    "Read each changed script from top to bottom; for each command ask what runs next if it fails, and "
    "under which name its result is kept.",
    "Compare with its neighbours: a guard that the others have and this one lacks is a finding.",
)
REPORT = (
    "One table: defect, cost, fix. Then for each defect the line, and the steps from the failure to the "
    "wrong result."
)
_WORD = re.compile(r"(?:`[^`]*`|[^ `])+")  # code stays in one line

_DOES = {
    Work.GPU: "jobs on GPUs",
    Work.LAUNCH: "what takes long",
    Work.PUBLISH: "what others get",
    Work.PYTHON: "training and evaluation",
}


def skill_name(seen: Seen) -> str:
    """What the skill of this repository is called; "" where nothing is started that it could be about."""
    works = {start.work for start in seen.starts if _plain(start.path)}
    return (LAUNCHES if works - {Work.PUBLISH} else RELEASES) if works else ""


def skill_text(seen: Seen) -> str:
    """Its SKILL.md. `skill_name` is not "" for `seen`."""
    starts = [start for start in seen.starts if _plain(start.path)]
    classes = [row for row in CLASSES if any(map(row.about, starts))]
    parts = (
        _head(skill_name(seen), starts),
        _scope(starts),
        ("## Defect classes to hunt, in cost order", ""),
        chain.from_iterable(_written(n, row, starts) for n, row in enumerate(classes, 1)),
        ("", *_procedure(seen.checks)),
        (
            "",
            "## Report",
            "",
            "One table: defect, cost, fix. Then for each defect the line, and the steps from the",
        ),
        ("failure to the wrong result.",),
    )
    return "\n".join(chain.from_iterable(parts)) + "\n"


def _head(name: str, starts: Sequence[Start]) -> Iterator[str]:
    works = dict.fromkeys(start.work for start in starts)
    about = ", ".join(work.value for work in Work if work in works)
    yield from ("---", f"name: {name}")
    yield f'description: "Review of what this repository starts ({about}) for failures that nobody sees."'
    yield from ("---", "", f"# {name.replace('-', ' ').capitalize()}", "")
    yield from _wrapped(
        "Proposed by `reviewbot init`, out of what this repository starts. Add what has hurt you once and "
        f"strike what cannot happen here; `reviewbot skills show {name}` says what was understood."
    )
    yield ""


def _scope(starts: Sequence[Start]) -> Iterator[str]:
    yield from ("## Files in scope", "", "| Stage | File | Owns |", "|---|---|---|")
    groups: defaultdict[tuple[Work, str], list[Start]] = defaultdict(list)
    for start in starts:
        groups[start.work, _family(start.path)].append(start)
    rows: list[tuple[Work, str, str]] = []
    for (work, family), members in groups.items():
        if len(members) >= TOGETHER and "/" in family:
            rows.append((work, family, _owns(members)))
        else:
            rows += ((work, start.path, _owns([start])) for start in members)
    order = list(Work)
    for work, glob, owns in sorted(rows, key=lambda row: (order.index(row[0]), row[1]))[:MAX_ROWS]:
        yield f"| {work.value} | `{glob}` | {owns} |"
    yield ""


def _family(path: str) -> str:
    folder, _, name = path.rpartition("/")
    ending = name[name.rfind(".") :] if "." in name else ""
    return f"{folder}/*{ending}" if folder else path


def _owns(members: Sequence[Start]) -> str:
    commands = list(dict.fromkeys(start.command for start in members if start.command))[:SHOWN]
    return ", ".join(f"`{c}`" for c in commands) or _DOES[members[0].work]


def _written(number: int, row: ProposedClass, starts: Sequence[Start]) -> Iterator[str]:
    places = [f"`{s.path}`" for s in starts if row.about(s)]
    more = f" and {len(places) - SHOWN:,} more" if len(places) > SHOWN else ""
    text = f"{number}. **{row.title}.** {row.text} Possible here in {', '.join(places[:SHOWN])}{more}."
    first, *rest = _wrapped(text)
    yield first
    yield from (f"   {line}" for line in rest)


def _procedure(checks: Sequence[Check]) -> Iterator[str]:
    steps = [*STEPS]
    if said := [f"`{c.command}`" for c in checks if c.command]:
        steps.append(
            f"CI runs {', '.join(said)}: a change of what they call can make them pass for no reason."
        )
    yield from ("## Procedure", "")
    for number, step in enumerate(steps, 1):
        first, *rest = _wrapped(f"{number}. {step}")
        yield first
        yield from (f"   {line}" for line in rest)


def _wrapped(text: str, width: int = 97) -> list[str]:
    lines = [""]
    for word in _WORD.findall(text):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


def _plain(path: str) -> bool:
    return bool(_PLAIN.fullmatch(path)) and path.isascii()
