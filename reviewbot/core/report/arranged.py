"""A report, schema reviewbot.review/1, arranged as the page of a run and the HTML report show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from reviewbot.core.report.bounded import LIMITS, Bounds
from reviewbot.core.report.filters import duration, href, money
from reviewbot.core.report.uri import encoded

Json = Mapping[str, Any]
_RESULTS = ("found", "not-checked", "held", "nothing-found", "not-applicable")
_SEVERITIES = ("blocker", "warning", "note")
_GATES = ("failed", "missing", "timeout", "refused", "passed", "skipped")


def decides(finding: Json) -> bool:
    """As Finding.decides: new, and no hint that nobody confirmed."""
    second = finding["refutation"]["verdict"]
    if finding["preexisting"] or second == "unsure":
        return False
    return bool(finding["grade"] != "hint" or second == "confirmed")


def arranged(document: Json, repository: str, *, report: str = "") -> dict[str, Any]:
    """repository: its address on GitHub, to which places are linked; "" for none. Beside the fields of the
    schema there may be what core/report/html.py adds. report: where the JSON report is to be had; then no
    more is shown than a page can hold, and `more` says how many rows of each part are only there."""
    page = Bounds(LIMITS if report else None)
    fresh = [f for f in document["findings"] if not f["preexisting"]]
    parts = {
        "new": [f for f in fresh if decides(f)],
        "second": [f for f in fresh if not decides(f)],
        "old": [f for f in document["findings"] if f["preexisting"]],
    }
    return {
        **document,
        **{name: _findings(rows, name, page, document, repository) for name, rows in parts.items()},
        **{name: page.some(document[name], name) for name in ("rejections", "incomplete", "skills")},
        **{name: page.some(document.get(name, ()), name) for name in ("notes", "guidance")},
        "nothing": _nothing(document),
        "glance": glance(document),
        "gates": page.some(_gates(document["gates"]), "gates"),
        "uncovered": _uncovered(document["coverage"]["uncovered"], page),
        "checked": _checked(page.some(document["checked"], "checked", worst=_by_result)),
        "reader": document.get("reader", ""),
        "called": document.get("called", "preexisting"),
        "noun": document.get("noun", "changed file"),
        "more": page.more,
        "report": report,
    }


def _findings(
    rows: Sequence[Json], name: str, page: Bounds, document: Json, repository: str
) -> list[dict[str, Any]]:
    counted = [{**f, "broken": _broken(f), "left": page.left(f["also"], f["receipts"])} for f in rows]
    shown = page.some(counted, "findings", name, lambda f: _rank(f["severity"], _SEVERITIES))
    return [_finding(f, document, repository) for f in shown]


def _broken(finding: Json) -> int:
    return sum(not receipt["ok"] for receipt in finding["receipts"])


class Glance(NamedTuple):
    """A figure at the top of the page, and the section that explains it."""

    to: str
    figure: str
    words: str
    kind: str = ""


def glance(document: Json) -> list[Glance]:
    new = [f for f in document["findings"] if decides(f)]
    worst = next((s for s in _SEVERITIES if any(f["severity"] == s for f in new)), "")
    gates = [g["status"] for g in document["gates"]]
    bad = sum(status in ("failed", "missing", "timeout", "refused") for status in gates)
    ran = sum(status in ("passed", "failed") for status in gates)
    unlooked = sum(c["result"] == "not-checked" for c in document["checked"])
    turned = len(document["rejections"])
    covered, files = document["coverage"]["covered"], document["coverage"]["files"]
    return [
        Glance("findings", f"{len(new):,}", "new" if not worst else f"new, worst {worst}", worst),
        Glance("ledger", f"{turned:,}", "not upheld"),
        Glance(
            "gates", f"{bad or ran:,}", "gates not passed" if bad else "gates ran", "failed" if bad else ""
        ),
        Glance("coverage", f"{covered:,}/{files:,}", "files reviewed"),
        Glance("coverage", f"{unlooked:,}", "classes not checked", "not-checked" if unlooked else ""),
        _cost(document["usage"]),
    ]


def _cost(usage: Json) -> Glance:
    if not usage["calls"] and not usage["usd"]:
        return Glance("cost", "No model", "was asked")
    return Glance("cost", money(usage["usd"]), f"in {duration(usage['seconds'])}")


def _nothing(document: Json) -> str:
    """What it means that there is no new finding."""
    if document["incomplete"]:
        return "Nothing new was found, and not everything was looked at: this is not a clean review."
    if not document["coverage"]["covered"]:
        return "No changed file is in the scope of a skill."
    return "Nothing new was found, and all that was planned was done."


def _finding(finding: Json, document: Json, repository: str) -> dict[str, Any]:
    at = document["base"] if finding["side"] == "LEFT" else document["head"]
    first = finding["start_line"]
    lines = list(enumerate(finding["quote"].split("\n"), first))
    return {
        **finding,
        "href": _blob(repository, at, finding["path"], first, finding["line"]),
        "lines": lines,
        "also": [
            {**place, "href": _blob(repository, at, place["path"], place["line"], place["line"])}
            for place in finding["also"]
        ],
        "suggestion": _edit(finding["suggestion"], lines),
        "unsuggested": finding.get("unsuggested", ""),
        "unproven": finding.get("unproven", ""),
        "decides": decides(finding),
    }


def _edit(suggestion: Json | None, quoted: Sequence[tuple[int, str]]) -> dict[str, Any] | None:
    """With the old lines: those that are given, else as far as they are quoted."""
    if suggestion is None:
        return None
    first, last, text = suggestion["start_line"], suggestion["line"], suggestion["replacement"]
    new = list(enumerate(text.split("\n"), first)) if text else []
    old = [row for row in quoted if first <= row[0] <= last]
    return {
        **suggestion,
        "old": list(enumerate(suggestion["old"], first)) if "old" in suggestion else old,
        "new": new,
    }


def _blob(repository: str, commit: str | None, path: str, first: int, last: int) -> str:
    if not commit or not repository or first < 1:
        return ""
    lines = f"L{first}" if first == last else f"L{first}-L{last}"
    return href(f"{repository}/blob/{commit}/{encoded(path)}#{lines}")


def _gates(gates: Sequence[Json]) -> list[dict[str, Any]]:
    """One row for each command that several skills ask for and that went alike; failures first."""
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    for gate in gates:
        key = (tuple(gate["command"]), gate["status"], gate["tail"], gate["reason"])
        row = rows.setdefault(key, {**gate, "skills": []})
        if gate["skill"] not in row["skills"]:
            row["skills"].append(gate["skill"])
    return sorted(rows.values(), key=lambda row: _rank(row["status"], _GATES))


def _uncovered(rows: Sequence[Json], page: Bounds) -> list[tuple[str, list[str], int]]:
    """By reason, most files first: those that are shown, and how many there are."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        reasons.setdefault(row["reason"], []).append(row["path"])
    ordered = sorted(reasons, key=lambda reason: -len(reasons[reason]))
    shown = page.some([(reason, len(reasons[reason])) for reason in ordered], "reasons")
    return [
        (made[0], page.some(reasons[reason], "uncovered"), made[1])
        for reason, made in zip(ordered, shown, strict=False)
    ]


def _checked(rows: Sequence[Json]) -> list[tuple[str, list[Json]]]:
    """By skill; what was found first, then what nobody looked for."""
    skills: dict[str, list[Json]] = {}
    for row in rows:
        skills.setdefault(row["skill"], []).append(row)
    return [(skill, sorted(found, key=_by_result)) for skill, found in skills.items()]


def _by_result(row: Json) -> int:
    return _rank(row["result"], _RESULTS)


def _rank(word: str, order: Sequence[str]) -> int:
    return order.index(word) if word in order else len(order)
