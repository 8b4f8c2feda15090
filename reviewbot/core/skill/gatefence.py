"""Which fences of a skill are mechanical gates. Four of five shell fences in public skills are
examples, so a fence counts only where its author says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.gateline import network_tool, parse_gate, split_comment
from reviewbot.core.skill.markdown import Document, Fence
from reviewbot.core.skill.sections import Role, Section
from reviewbot.core.types import GateSpec

SHELL_LANGUAGES = ("bash", "sh", "shell", "")
MARKED = re.compile(r"\S+\s+(?:gates?|smoke)\b")  # the info string of ```bash gate
MAX_GATES = 50
LEAD = re.compile(r"\b(?:gates?:|mechanical gates?)[\W_]*$", re.IGNORECASE)


def gate_fences(doc: Document, found: Sequence[Section]) -> list[Fence]:
    """The fences marked as gates, those under a gates heading, and those right behind "gates:"."""
    wanted = [
        fence
        for section in found
        for fence in doc.fences_in(section.start, section.end)
        if section.role is Role.GATES or MARKED.match(fence.info) or LEAD.search(_line_before(doc, fence))
    ]
    return [fence for fence in wanted if fence.language in SHELL_LANGUAGES]


def _line_before(doc: Document, fence: Fence) -> str:
    for number in range(fence.line - 1, max(fence.line - 4, doc.start - 1), -1):
        if not doc.blank(number):
            return doc.line(number) if number not in doc.masked else ""
    return ""


def gates_in(doc: Document, fences: Sequence[Fence], notes: Diagnostics) -> tuple[GateSpec, ...]:
    commands = {fence: list(_commands(doc, fence)) for fence in fences}
    if sum(map(len, commands.values())) > MAX_GATES:
        notes.error("S009", fences[0].line, 1, f"more than {MAX_GATES} gates")
        return ()
    return tuple(spec for fence, own in commands.items() for spec in _gates_of(doc, fence, own, notes))


def _gates_of(
    doc: Document, fence: Fence, commands: Sequence[tuple[int, str]], notes: Diagnostics
) -> Iterator[GateSpec]:
    if not fence.info:
        notes.warn("S107", fence.line, fence.indent + 1, "this fence is read as gates; say ```bash")
    network = next((tool for _, line in commands if (tool := network_tool(line))), "")
    for at, line in commands:
        spec = parse_gate(line, at)
        if network and spec.kind != "refused":
            spec = spec._replace(kind="refused", reason=f"its fence uses the network (`{network}`)")
        if spec.kind == "refused":
            indent = len(doc.line(at)) - len(doc.line(at).lstrip())
            notes.warn("S009", at, indent + 1, f"not run: {spec.reason}: {spec.line[:80]}")
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
