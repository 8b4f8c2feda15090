"""What the tools said: their output as faults with a place. One form for each tool of commands.py."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from posixpath import normpath

from reviewbot.core.gates.commands import laid_out
from reviewbot.core.gates.places import MOST, said
from reviewbot.core.gates.sarif import Said
from reviewbot.core.patterns import pattern
from reviewbot.core.types import GateResult, GateStatus, Text

# What follows `NAME:` at the start of a line.
_FORMS = {
    "shellcheck": r"(?P<line>\d+):\d+: (?P<level>error|warning|note): (?P<message>.*) \[(?P<code>SC\d+)\]",
    "ruff": r"(?P<line>\d+):\d+: (?P<code>[A-Za-z][\w-]*):? (?:\[\*\] )?(?P<message>.*)",
    "py-compile": r"(?P<line>\d+):\d+: (?P<code>\w+): (?P<message>.*)",
    "bash-n": r" (?:line )?(?P<line>\d+): (?!warning: )(?P<message>.*)",  # bash; dash without "line"
}
_NUMBERS = pattern(r"\b(lines?|columns?) \d+")
_CHANCE = pattern(r"\b0x[0-9a-fA-F]+|\b\d+(?:\.\d+)? ?m?s\b")  # addresses, durations
_ADDED = pattern(r"\(syntax was added in Python 3\.(\d+)\)")
MAX_MESSAGE = 120  # characters of a title


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that a tool found in one file. `line` is a git line with text on it; 0: none was named."""

    path: str
    line: int
    code: str  # "SC2154", "F401", "SyntaxError"; "" for shells
    level: str  # "error" | "warning" | "note"
    message: str
    quote: str
    drawn: bool = False  # whether two runs of one tree say different things of it
    test: str = ""  # that fails there

    @property
    def gist(self) -> str:
        """The message on one line, without what differs between two runs: the same on both sides."""
        if self.drawn:
            return ""
        text = _CHANCE.sub("…", _NUMBERS.sub(r"\1 …", " ".join(self.message.split())))
        return text if len(text) <= MAX_MESSAGE else f"{text[: MAX_MESSAGE - 1]}…"

    @property
    def place(self) -> tuple[str, str, str]:
        """What is the same at a second run of the same tree: the message can hold what is drawn by lot."""
        return self.path, self.code, " ".join(self.quote.split())

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """What is the same on both sides of a change, wherever the line has moved."""
        quote = "" if "unexpected end of file" in self.gist else " ".join(self.quote.split())
        return self.path, self.code, self.gist, quote


def faults(result: GateResult) -> tuple[Fault, ...]:
    """The faults that a run named. A run that was cut short may have named some before that."""
    run = result.run
    if run.executes:
        texts = {text.path: text for text in result.named}
        failed = result.status in (GateStatus.FAILED, GateStatus.MISSING)
        found = (f for one in said(result.output) if (f := placed(one, texts))) if failed else ()
        told = (replace(fault, drawn=fault.place in result.drawn) for fault in found)
        return tuple({(fault.identity, fault.line): fault for fault in told}.values())
    if result.status in (GateStatus.PASSED, GateStatus.SKIPPED) or run.tool not in _FORMS or not run.files:
        return ()
    texts = {laid_out(text.path): text for text in run.files}
    names = "|".join(re.escape(name) for name in sorted(texts, key=len, reverse=True))
    rows = re.finditer(rf"^(?:\./)?({names}):{_FORMS[run.tool]}$", result.output, re.MULTILINE)
    if run.tool == "bash-n":  # what follows the first quotes the script, which may say anything
        rows = islice(rows, 1)
    return tuple(_fault(texts[row[1]], row, run.tool) for row in rows)


def beyond(head: GateResult, base: GateResult) -> Iterator[Fault]:
    """The faults of head that base has not."""
    old = Counter(fault.identity for fault in faults(base))
    for fault in faults(head):
        if old[fault.identity]:
            old[fault.identity] -= 1
        else:
            yield fault


def whole(result: GateResult) -> bool:
    """Whether `faults` could read all that a run said."""
    return not result.cut and not (result.run.executes and len(said(result.output, MOST + 1)) > MOST)


def placed(said: Said, texts: Mapping[str, Text]) -> Fault | None:
    """The fault of a failure, at its first place that is a line of the tree. Where a traceback quotes that
    line, it has to read so: a program that went to another folder, or edits its files, means another."""
    for i, (path, line) in enumerate(said.where):
        quoted = said.quoted[i] if said.quoted else ""
        text = texts.get(in_tree(path))
        if text and 0 < line <= len(text.lines) and text.quote(line).strip():
            if quoted and " ".join(quoted.split()) != " ".join(text.quote(line).split()):
                continue
            quote = text.quote(line)
            return Fault(text.path, line, said.code, said.level, said.message, quote, test=said.test)
    return None


def in_tree(path: str) -> str:
    """A path as a program prints it, which ran in the tree: `./a/b.py` is `a/b.py`."""
    return normpath(path)


def _fault(text: Text, row: re.Match[str], tool: str) -> Fault:
    said = row.groupdict()
    line = int(said["line"])
    if line and tool in ("ruff", "py-compile"):
        line = _git_line(text, line)
    line = _with_text(text, line)
    return Fault(
        path=text.path,
        line=line,
        code=said.get("code") or "",
        level=said.get("level") or "error",
        message=said["message"],
        quote=text.quote(line) if line else "",
    )


def _git_line(text: Text, line: int) -> int:
    """For Python and ruff a lone CR ends a line as well."""
    if "\r" not in text.content:
        return line
    ends = re.finditer(r"\r\n?|\n", text.content)
    return 1 + sum(end[0] != "\r" for end in islice(ends, line - 1))


def _with_text(text: Text, line: int) -> int:
    """`line`, or the nearest above it that is not blank: an unexpected end is named at the line behind it."""
    line = min(line, len(text.lines))
    while line > 1 and not text.lines[line - 1].strip():
        line -= 1
    return line


def excuse_newer_syntax(result: GateResult, opinion: str, running: str) -> GateResult:
    """A failed syntax check of Python files, without the files that only need a newer Python.

    `opinion` is ruff's output on the same files, told to expect the `running` version ("3.11"): it
    names the version that brought a syntax, and says so of nothing else in such a file.
    """
    second = faults(result._replace(run=result.run._replace(tool="ruff"), output=opinion))
    needs: dict[str, int] = {}
    for path in sorted({fault.path for fault in faults(result)}):
        said = [_ADDED.search(fault.message) for fault in second if fault.path == path]
        versions = [int(match[1]) for match in said if match]
        if versions and len(versions) == len(said):
            needs[path] = max(versions)
    if not needs:
        return result
    excused = tuple(f"{laid_out(path)}:" for path in needs)
    kept = [line for line in result.output.split("\n") if not line.startswith(excused)]
    notes = [f"{laid_out(path)} needs Python 3.{minor} or newer" for path, minor in needs.items()]
    more = f", and {len(notes) - 1} more files" if len(notes) > 1 else ""
    return result._replace(
        status=GateStatus.REFUSED,
        output="\n".join([*notes, *kept]),
        reason=f"{notes[0]}, and Python {running} runs reviewbot{more}",
    )
