"""Findings, and the claims that were refuted, as SARIF's results."""

from __future__ import annotations

from collections import Counter

from reviewbot.core.report import words
from reviewbot.core.report.document import Document
from reviewbot.core.report.sarif.rules import LEVELS, Rules
from reviewbot.core.report.sarif.wording import message
from reviewbot.core.report.uri import encoded
from reviewbot.core.types import Candidate, Edit, FileChange, Finding, Rejection, Review, Side, Site
from reviewbot.core.verify import fingerprint
from reviewbot.core.visible import encodable, visible

REFUTED = ("refuted", "disproved", "dismissed")  # reasons of a rejection that somebody looked into
PLACES = 1000  # of one result, GitHub's limit


def results(review: Review, rules: Rules) -> list[Document]:
    """Best first: what decides, what wants a second look, what is not new, what was refuted."""
    kinds = words.by_meaning(review.findings)
    order = {slug: i for i, slug in enumerate(rules)}
    seen: Counter[str] = Counter()
    files = {f.path: f for f in review.change.files}
    found = (*kinds.new, *kinds.second_look, *kinds.preexisting)
    made = [_result(f, files.get(f.candidate.site.path), order) for f in found]
    made += [_suppressed(r, order) for r in review.rejections if r.reason in REFUTED]
    for result in made:
        own = result["partialFingerprints"]["reviewbot/v1"]
        seen[own] += 1
        # The one that GitHub looks at. It tells equal ones apart by a number behind the colon.
        result["partialFingerprints"]["primaryLocationLineHash"] = f"{own}:{seen[own]}"
    return made


def _result(finding: Finding, file: FileChange | None, order: dict[str, int]) -> Document:
    c = finding.candidate
    decides = finding.decides or finding.preexisting
    fix = _fix(finding, file)
    return {
        **_claim(c, order, finding.fingerprint),
        "level": LEVELS[c.severity] if decides else "note",
        "baselineState": "unchanged" if finding.preexisting else "new",
        **({"relatedLocations": _related(c)} if c.also else {}),
        **({"fixes": [fix]} if fix else {}),
        "properties": {
            **_properties(c),
            "decides": finding.decides,
            "placement": finding.placement,
            "receipts": [message(words.receipt(r))["text"] for r in finding.receipts],
            "refutation": finding.refutation.verdict,
        },
    }


def _suppressed(rejection: Rejection, order: dict[str, int]) -> Document:
    """A claim that did not hold: nothing is wrong there, which is `pass`; no reader should open an alert."""
    c = rejection.candidate
    why = f"{rejection.reason}: {rejection.detail or 'no reason given'}"
    return {
        **_claim(c, order, fingerprint(encodable(c.slug), encodable(c.site.quote), encodable(c.site.path))),
        "kind": "pass",
        "level": "none",
        "suppressions": [{"kind": "external", "status": "accepted", "justification": message(why)["text"]}],
        "properties": _properties(c),
    }


def _claim(c: Candidate, order: dict[str, int], print: str) -> Document:
    said = [c.title.rstrip(".") + ".", c.failure, c.cost, f"Fix: {c.fix}" if c.fix.strip() else ""]
    if c.site.side is Side.LEFT:
        said.append(f"It stood at line {c.site.start_line} of base: {c.site.quote}")
    return {
        "ruleId": encodable(c.slug),
        "ruleIndex": order[c.slug],
        "message": message("\n".join(text for text in map(visible, said) if text.strip())),
        "locations": [_location(c.site)],
        "partialFingerprints": {"reviewbot/v1": print},
        "rank": float(c.confidence),
    }


def _properties(c: Candidate) -> Document:
    return {
        "skill": encodable(c.skill),
        "rank": c.rank,
        "origin": c.origin.value,
        "grade": c.grade.value,
        "detector": c.detector and encodable(c.detector),
        "side": c.site.side.value,
    }


def _location(site: Site) -> Document:
    """A place in base has a file and no lines: the lines of head are others."""
    place: Document = {"artifactLocation": artifact(site.path)}
    if site.side is Side.RIGHT and site.start_line >= 1:
        region: Document = {"startLine": site.start_line, "endLine": max(site.line, site.start_line)}
        if site.quote:
            region["snippet"] = {"text": visible(site.quote)}
        place["region"] = region
    return {"physicalLocation": place}


def artifact(path: str) -> Document:
    """Below the root of the repository; a skill given by its absolute path lies outside of it."""
    if path.startswith("/"):
        return {"uri": f"file://{encoded('/' + path.lstrip('/'))}"}
    return {"uri": encoded(path), "uriBaseId": "%SRCROOT%"}


def _related(c: Candidate) -> list[Document]:
    return [
        {"id": i, **_location(site), "message": {"text": "The same cause."}}
        for i, site in enumerate(c.also[: PLACES - 1], 1)
    ]


def _fix(finding: Finding, file: FileChange | None) -> Document | None:
    """The suggestion, if SARIF can say exactly it: the new lines have the line ends of the file."""
    suggestion, site = finding.suggestion, finding.candidate.site
    if suggestion is None or site.side is Side.LEFT:
        return None
    edit, text = suggestion.edit, suggestion.edit.replacement
    unended = file is not None and not file.eof_newline[1]
    if (
        encodable(text) != text
        or edit.start_line < 1
        or edit.line < edit.start_line
        or (unended and not text)
    ):
        return None
    replacement = _replacement(edit, _line_end(file, edit.line))
    said = f"{finding.candidate.fix}\nTried: {words.checks(suggestion)}." if suggestion.checked else ""
    return {
        "description": message(said or finding.candidate.fix or "The suggested edit."),
        "artifactChanges": [{"artifactLocation": artifact(site.path), "replacements": [replacement]}],
    }


def _line_end(file: FileChange | None, line: int) -> str:
    """Of that line, if a hunk has it; else of whatever the hunks have."""
    rows = [row for hunk in file.hunks for row in hunk.lines() if row.new] if file else []
    known = [row for row in rows if row.new == line] or rows
    return "\r\n" if any(row.text.endswith("\r") for row in known) else "\n"


def _replacement(edit: Edit, end: str) -> Document:
    """Without its last line end, which stays; lines that are deleted go with theirs."""
    first = {"startLine": edit.start_line, "startColumn": 1}
    if not edit.replacement:
        return {"deletedRegion": {**first, "endLine": edit.line + 1, "endColumn": 1}}
    text = edit.replacement.replace("\n", end)
    return {"deletedRegion": {**first, "endLine": edit.line}, "insertedContent": {"text": text}}
