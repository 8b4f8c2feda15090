"""Which fences of a skill are mechanical gates. Four of five shell fences in public skills are
examples, so a fence counts only where its author says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reviewbot.core.gates import bound
from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.frontmatter import FrontMatter
from reviewbot.core.skill.markdown.scan import Document, Fence
from reviewbot.core.skill.markdown.sections import Role, Section, role_of
from reviewbot.core.skill.parts.gateline import network_tool, parse_gate, split_comment
from reviewbot.core.types import GateSpec, ScopeRow

SHELL_LANGUAGES = ("bash", "sh", "shell", "")
MARKED = pattern(r"\S+\s+(?:gates?|smoke)\b")  # the info string of ```bash gate
MAX_GATES = 50
LEAD = pattern(r"\bgates?[\W_]*$", re.IGNORECASE)


def gate_fences(doc: Document, found: Sequence[Section]) -> list[Fence]:
    """The fences marked as gates, those under a gates heading, and those right behind "gates:"."""
    wanted = [
        fence
        for section in found
        for fence in doc.fences_in(section.start, section.end)
        if MARKED.match(fence.info)
        or LEAD.search(_line_before(doc, fence))
        or _is_under_gates(doc, section, fence)
    ]
    return [fence for fence in wanted if fence.language in SHELL_LANGUAGES]


def _is_under_gates(doc: Document, section: Section, fence: Fence) -> bool:
    """Whether its section is one of gates, or a step that is headed so."""
    if section.role is not Role.PROCEDURE:
        return section.role is Role.GATES
    top = section.heading.line if section.heading else section.start
    above = doc.headings_in(top, fence.line)
    return bool(above) and role_of(above[-1].text) is Role.GATES


def _line_before(doc: Document, fence: Fence) -> str:
    for number in range(fence.line - 1, max(fence.line - 4, doc.start - 1), -1):
        if not doc.blank(number):
            return doc.line(number).rstrip() if number not in doc.masked else ""
    return ""


def gates_in(
    doc: Document,
    front: FrontMatter,
    fences: Sequence[Fence],
    scope: Sequence[ScopeRow],
    notes: Diagnostics,
) -> tuple[GateSpec, ...]:
    """The gates of the front matter and of the fences, in the order of the file; refused ones too."""
    listed = [
        (at, command) for at, command in front.items("gates", commas=False) if split_comment(command)[0]
    ]
    commands = {fence: list(_commands(doc, fence)) for fence in fences}
    found = [*listed, *(row for own in commands.values() for row in own)]
    if len(found) > MAX_GATES:
        notes.error("S009", found[MAX_GATES][0], 1, f"more than {MAX_GATES} gates")
        return ()
    for fence in fences:
        if not fence.info:
            message = "this fence has no language; it is read as shell"
            notes.warn("S107", fence.line, fence.indent + 1, message)
    binds = bound(scope)
    specs = [parse_gate(command, at, binds) for at, command in listed]
    specs += [spec for own in commands.values() for spec in _specs(own, binds)]
    for spec in specs:
        if spec.kind == "refused":
            line = doc.line(spec.at)
            indent = len(line) - len(line.lstrip(" \t-'\""))  # of a list in the front matter too
            notes.warn("S009", spec.at, indent + 1, f"not run: {spec.reason}: {spec.line[:80]}")
    return tuple(specs)


def _specs(commands: Sequence[tuple[int, str]], binds: Sequence[frozenset[str]]) -> Iterator[GateSpec]:
    """The specs of one fence. If one of its lines uses the network, all are for somebody's own hands."""
    network = next((tool for _, line in commands if (tool := network_tool(line))), "")
    for at, line in commands:
        spec = parse_gate(line, at, binds)
        if network and spec.kind != "refused":
            spec = spec._replace(kind="refused", reason=f"its fence uses the network (`{network}`)")
        yield spec


def _commands(doc: Document, fence: Fence) -> Iterator[tuple[int, str]]:
    """(line, command): lines that end in a backslash joined, comments and blank lines left out."""
    pending: list[str] = []
    at = fence.line + 1
    for number in range(fence.line + 1, fence.end + (0 if fence.closed else 1)):
        line = doc.line(number).rstrip()
        at = at if pending else number
        if line.endswith("\\"):
            pending.append(line[:-1])
            continue
        command = " ".join([*pending, line.strip()]).strip()
        pending = []
        if split_comment(command)[0]:
            yield at, command
    if pending:
        yield at, " ".join(pending).strip()
