"""The files in scope: the table, the bullets or the front matter that name them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from reviewbot.core.globs import INTERPRETERS, MAX_TOTAL, TOO_MANY, BadPattern, glob_of, size_of
from reviewbot.core.matcher import Matcher
from reviewbot.core.patterns import pattern
from reviewbot.core.skill.diagnostics import Diagnostics
from reviewbot.core.skill.front.frontmatter import FrontMatter
from reviewbot.core.skill.markdown.scan import Cell, Document, Table, code_spans
from reviewbot.core.skill.markdown.sections import Role, Section
from reviewbot.core.types import Diagnostic, ScopeRow, Skill

MAX_ROWS = 200
FILE_COLUMN = pattern(
    r"(?:(?:files?|paths?|patterns?|globs?)(?: to (?:check|review))?|if the diff touches.*)$", re.IGNORECASE
)
# A heading of these words is one of a scope only if a table of files stands under it.
LIKE_SCOPE = pattern(
    r"\W*(?:files?|paths?|scope|if the diff touches)\b"
    r"(?!.*\b(?:reference|read|consult|skip|ignore|format|structure|layout|bundle)\b)",
    re.IGNORECASE,
)
STAGE_COLUMN = pattern(r"stage|area|category|phase|part", re.IGNORECASE)
BULLET = pattern(r" {0,3}[-*+][ \t]+(?=`)")
UNQUOTED = pattern(r"!?[\w./*{,}<>$@+~\[\]|-]+$")  # a word of a cell that may be a path


def read_scope(
    doc: Document, found: Sequence[Section], front: FrontMatter, notes: Diagnostics
) -> tuple[ScopeRow, ...]:
    """The rows in the order of the file; none: the skill claims every changed text file."""
    rows = [row for key in ("paths", "globs") for row in _front_rows(front, key, notes)]
    for section in found:
        is_scope = section.role is Role.SCOPE
        tables = [t for t in doc.tables_in(section.start, section.end) if _file_column(t) is not None]
        if is_scope or (
            section.role is Role.PROSE and section.heading and LIKE_SCOPE.match(section.heading.text)
        ):
            own = [row for table in tables for row in _table(table, notes)]
            own = own or (_bullets(doc, section, notes) if is_scope else [])
            if is_scope and section.heading and not own and not notes.failed:
                message = "no table or bullets with file patterns here; every changed text file is claimed"
                notes.warn("S105", section.heading.line, 1, message)
            rows += own
        elif section.role in (Role.PROSE, Role.PROCEDURE):
            for table in tables:
                if re.match(r"(?:file|path|if )", _names(table)[_file_column(table) or 0], re.IGNORECASE):
                    message = "this table of files is ignored: its heading is not one of a scope"
                    notes.warn("S105", table.line, 1, message)
    if len(rows) > MAX_ROWS:
        notes.error("S008", rows[MAX_ROWS].line, 1, f"more than {MAX_ROWS} file patterns")
    elif size_of(row.pattern for row in rows) > MAX_TOTAL:
        notes.error("S008", rows[0].line, 1, TOO_MANY)
    elif rows and not notes.failed and all(row.pattern[:1] == "!" for row in rows):
        notes.error("S008", rows[0].line, 1, "no pattern names a file, they only leave files out; add `**`")
    return tuple(rows)


def _front_rows(front: FrontMatter, key: str, notes: Diagnostics) -> list[ScopeRow]:
    return [row for line, token in front.items(key) for row in _row(token, "", "", line, 1, notes)]


def _names(table: Table) -> list[str]:
    return [cell.text.strip("*` ") for cell in table.header]


def _file_column(table: Table) -> int | None:
    return next((i for i, name in enumerate(_names(table)) if FILE_COLUMN.match(name)), None)


def _table(table: Table, notes: Diagnostics) -> list[ScopeRow]:
    names = _names(table)
    file = _file_column(table)
    if file is None:
        return []
    others = [i for i in range(len(names)) if i != file]
    stage = next((i for i in others if STAGE_COLUMN.match(names[i])), None)
    owns = next((i for i in reversed(others) if i != stage), None)
    rows: list[ScopeRow] = []
    for line, cells in table.rows:
        if len(rows) > MAX_ROWS:
            break
        if len(cells) != len(names):
            message = f"this row has {len(cells)} cells, the table {len(names)} columns"
            notes.warn("S107", line, cells[0].col, message)
        texts = [cell.text for cell in cells] + [""] * len(names)
        if file < len(cells):
            stage_text = texts[stage] if stage is not None else ""
            owns_text = texts[owns] if owns is not None else ""
            rows += _cell(cells[file], stage_text, owns_text, line, notes)
    if not any(row.pattern[:1] != "!" for row in rows) and not notes.failed:
        notes.error("S008", table.line, table.header[file].col, "no row of this table names a file")
    return rows


def _bullets(doc: Document, section: Section, notes: Diagnostics) -> list[ScopeRow]:
    rows: list[ScopeRow] = []
    for number in range(section.start, section.end + 1):
        line = doc.line(number)
        if number not in doc.masked and (m := BULLET.match(line)):
            spans = code_spans(line)
            end = spans[-1][1] if spans else m.end()
            owns = re.sub(r"^[\s:]*(?:[\N{EM DASH}\N{EN DASH}-]\s)?", "", line[end:]).strip()
            rows += _cell(Cell(m.end() + 1, line[m.end() : end]), "", owns, number, notes)
    return rows


def _cell(cell: Cell, stage: str, owns: str, line: int, notes: Diagnostics) -> list[ScopeRow]:
    """One row for each pattern of a cell: its code spans, else its words that look like paths."""
    spans = code_spans(cell.text)
    if spans:
        tokens = [(a, cell.text[a:b].strip("` ")) for a, b in spans]
    else:
        parts = re.finditer(r"(?:\{[^{}]*\}|[^,;])+", cell.text.replace("<br>", ",   "))
        words = [(m.start() + len(m[0]) - len(m[0].lstrip()), m[0].strip()) for m in parts]
        tokens = [(at, word) for at, word in words if UNQUOTED.match(word) and re.search(r"[/.*]", word)]
    if not tokens:
        notes.warn("S105", line, cell.col, f"no file pattern in this cell: {cell.text[:60] or 'it is empty'}")
    return [
        row
        for at, token in tokens[: MAX_ROWS + 1]
        for row in _row(token, stage, owns, line, cell.col + at, notes)
    ]


def _row(token: str, stage: str, owns: str, line: int, col: int, notes: Diagnostics) -> list[ScopeRow]:
    try:
        glob = glob_of(token)
    except BadPattern as e:
        notes.error("S008", line, col, str(e))
        return []
    if not glob.strip("!*./"):
        notes.warn("S105", line, col, f"`{token}` matches every file")
    return [ScopeRow(stage, glob, owns, line, token)]


def unmatched(skill: Skill, paths: Collection[str]) -> tuple[Diagnostic, ...]:
    """S105 for each row of a skill's scope that claims none of the tracked `paths`. Rows of an
    interpreter (`#!sh`) are left out: only the first lines of files could tell."""
    rows = [row for row in skill.scope if row.pattern not in INTERPRETERS and row.pattern[:1] != "!"]
    matched = _matched(rows, paths)  # what no row matches is not asked for row by row
    return tuple(
        Diagnostic(skill.path, row.line, 1, "S105", "warning", f"`{row.written}` matches no tracked file")
        for row in rows
        if not _matched([row], matched)
    )


def _matched(rows: Sequence[ScopeRow], paths: Collection[str]) -> list[str]:
    claims = Matcher(rows)
    return [path for path in paths if claims.match(path)]
