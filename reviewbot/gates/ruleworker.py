"""Runs ast-grep rules over texts: the child process of rules.py.

Started as a program of its own (`python -I -S ruleworker.py FOLDER`, FOLDER holds ast_grep_py) in an
empty folder with a file `job`. A rule is a stranger's: it may be endless, need all memory, or bring the
parser down. So each step is announced in the file `answers` before it is begun, and has a budget of
processor time after which the system ends this process. Whoever started it reads which step that
was, and starts it again without.

The first line of `job` holds the rules and limits, each further one a text and the numbers of
the rules that look at it. Lines of `answers`:

    ["at", "rule", rule]  ["at", "text", text]  ["at", "run", text, rule]     the step that is begun
    ["sound", rule]  ["fault", rule, why, "bad" | "good" | "rule", number of the example]
    ["unparsed", text, why]
    ["hits", text, rule, seconds, [[start, end, message], …], whether there are more]
    ["failed", text, rule, why]  ["stopped", rule, why]
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any

LANGUAGES = ("bash", "python", "yaml")  # any other brings the parser down
SHOWN = 60  # characters of what a metavariable matched
FILLED = 1000  # characters of a message, filled in
METAVARIABLE = re.compile(r"(\$+)([A-Z_][A-Z0-9_]*)")
CAUSE = re.compile(r"^ *\d+: ", re.MULTILINE)

Answer = tuple[object, ...]


def main() -> int:
    sys.path.append(sys.argv[1])
    import ast_grep_py

    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    with open("job", encoding="utf-8") as job, open("answers", "w", encoding="ascii", buffering=1) as out:
        head = json.loads(job.readline())
        parent = os.getppid()
        for answer in Worker(ast_grep_py.SgRoot, head).answers(job):
            if os.getppid() != parent:  # the review was interrupted: nobody will read this
                return 1
            out.write(json.dumps(answer) + "\n")
    return 0


class Worker:
    """`head` holds `rules`, and the limits `file` and `rule` (seconds), `hits` (of a rule in a text) and
    `all` (of a rule)."""

    def __init__(self, parse: Any, head: Mapping[str, Any]) -> None:
        self._parse = parse
        self._rules = head["rules"]
        self._limits = head["limits"]
        self._out: set[int] = set()  # rules that are not run any more

    def answers(self, texts: Iterator[str]) -> Iterator[Answer]:
        for number, rule in enumerate(self._rules):
            if not rule["checked"]:
                yield "at", "rule", number
                fault = self._fault(rule)
                if fault:
                    self._out.add(number)
                yield ("fault", number, *fault) if fault else ("sound", number)
        for line in texts:
            yield from self._text(json.loads(line))

    def _text(self, text: Mapping[str, Any]) -> Iterator[Answer]:
        wanted = [number for number in text["rules"] if number not in self._out]
        if not wanted:
            return
        yield "at", "text", text["text"]
        try:
            content = _clean(text["content"])
            with _Limit(self._limits["file"]):
                root = self._parse(content, self._rules[wanted[0]]["language"]).root()
        except BaseException as error:  # a panic is no Exception; it is answered, and so named
            yield "unparsed", text["text"], _why(error)
            return
        for number in wanted:
            yield from self._run(root, content, text["text"], number)

    def _run(self, root: Any, content: str, text: int, number: int) -> Iterator[Answer]:
        rule, limits = self._rules[number], self._limits
        left = limits["rule"] - rule["spent"]
        if left <= 0 or rule["found"] >= limits["all"]:
            self._out.add(number)
            most = f"took longer than {limits['rule']:g} s in all"
            yield "stopped", number, most if left <= 0 else f"more than {limits['all']:,} matches in all"
            return
        yield "at", "run", text, number
        began = time.process_time()
        try:
            with _Limit(min(left, limits["file"])):
                hits, more = self._hits(root, content, rule)
        except BaseException as error:  # as above
            yield "failed", text, number, _why(error)
            return
        seconds = time.process_time() - began
        rule["spent"] += seconds
        rule["found"] += len(hits)
        yield "hits", text, number, seconds, hits, more

    def _fault(self, rule: Mapping[str, Any]) -> tuple[str, str, int] | None:
        """Why a rule is not run: what ast-grep says of it, or the first example that it gets wrong."""
        if rule["language"] not in LANGUAGES:
            return f"its language is none of {', '.join(LANGUAGES)}", "rule", 0
        try:
            with _Limit(self._limits["file"]):
                for kind, wanted in (("bad", True), ("good", False)):
                    for number, example in enumerate(rule[kind]):
                        root = self._parse(_clean(example), rule["language"]).root()
                        match = root.find(json.loads(rule["config"]))
                        if match is None and wanted:
                            return "is not matched", kind, number
                        if match is not None and not wanted:
                            return f"is matched, at its line {match.range().start.line + 1}", kind, number
        except BaseException as error:  # as above
            return _why(error), "rule", 0
        return None

    def _hits(self, root: Any, content: str, rule: Mapping[str, Any]) -> tuple[list[Answer], bool]:
        """The matches in the order of the text, and whether there are more than the limit. A match in
        another one that starts on the same line is no hit of its own."""
        hits: list[Answer] = []
        last, end = 0, 0
        config = json.loads(rule["config"])
        # Compiling a rule's regular expressions takes milliseconds, most files hold not even the kind.
        first_look = {key: config["rule"][key] for key in ("kind", "pattern") if key in config["rule"]}
        if first_look and root.find({"rule": first_look}) is None:
            return hits, False
        for node in root.find_all(config):
            place = node.range()
            first = place.start.line + 1
            if first == last and place.end.index <= end:
                continue
            if len(hits) == self._limits["hits"]:
                return hits, True
            last, end = first, place.end.index
            # A block of YAML holds the empty lines behind it.
            to = first + content[place.start.index : end].rstrip().count("\n")
            hits.append((first, to, _filled(rule["message"], node, content)))
        return hits, False


class _Limit:
    """The system ends this process when the block has used so many seconds of processor time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, self._seconds)

    def __exit__(self, *error: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _clean(text: str) -> str:
    """The text with a `?` for each surrogate, of which ast-grep wants none."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _filled(message: str, node: Any, content: str) -> str:
    def matched(variable: re.Match[str]) -> str:
        nodes = [found] if (found := node.get_match(variable[2])) else node.get_multiple_matches(variable[2])
        if not nodes:
            return "…"
        text = " ".join(content[nodes[0].range().start.index : nodes[-1].range().end.index].split())
        return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"

    text = METAVARIABLE.sub(matched, message)
    return text if len(text) <= FILLED else f"{text[: FILLED - 1]}…"


def _why(error: BaseException) -> str:
    """What an error says, on one line; of ast-grep's chain of causes all, without its stack."""
    said = str(error).partition("Stack backtrace")[0]
    causes = said.partition("Caused by:")[2] or said
    text = ": ".join(" ".join(part.split()) for part in CAUSE.split(causes) if part.strip())
    text = text if len(text) <= 300 else f"{text[:200]} … {text[-80:]}"
    return text or type(error).__name__


if __name__ == "__main__":
    sys.exit(main())
