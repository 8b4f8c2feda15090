"""Rules and texts, carried out by as many child processes as the rules bring down."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from reviewbot.core.types import Rule, RuleFault
from reviewbot.gates.rulechild import Answers, ask


class Limits(NamedTuple):
    file: float = 2.0  # seconds of processor time for a rule on a text, or for the examples of a rule
    rule: float = 10.0  # seconds of processor time for a rule on all texts
    plan: float = 60.0  # seconds for everything
    hits: int = 200  # of a rule in a text
    all: int = 1000  # of a rule


LIMITS = Limits()


class Looked(NamedTuple):
    """What a rule said of a text."""

    hits: tuple[tuple[int, int, str], ...]  # first line, last line, message
    more: bool  # there are more hits than the limit


class RuleJob:
    """`texts` holds contents, each with the numbers of the rules that look at it; `checked` are the rules
    whose examples need not be tried. After `run` each other one is in `sound` or `faults`, and every
    pair of a text's number and a rule without fault is in `looked`, or `why` tells why it is not."""

    def __init__(
        self,
        rules: Sequence[Rule],
        texts: Sequence[tuple[str, Sequence[int]]],
        checked: set[int],
        limits: Limits,
    ) -> None:
        self._rules = rules
        self._texts = texts
        self._limits = limits
        self.sound = set(checked)
        self.faults: dict[int, RuleFault] = {}
        self.looked: dict[tuple[int, int], Looked] = {}
        self._failed: dict[tuple[int, int], str] = {}
        self._unparsed: dict[int, str] = {}
        self._stopped: dict[int, str] = {}
        self._over = ""  # why nothing more is started
        self._spent = [0.0] * len(rules)

    def why(self, text: int, rule: int) -> str:
        """Why a rule has not looked at a text."""
        own = self._failed.get((text, rule)) or self._unparsed.get(text)
        return own or self._stopped.get(rule) or self._over

    def run(self) -> None:
        end = time.monotonic() + self._limits.plan
        while not self._over and (self._unchecked() or any(map(self._left, range(len(self._texts))))):
            try:
                answers = ask("ruleworker.py", self._lines(), end - time.monotonic())
            except OSError as error:
                self._over = f"it could not be started: {error.strerror or error}"
                break
            step = self._read(answers.text)
            if answers.late:
                self._over = f"the rules of this review took longer than {self._limits.plan:g} s"
            elif not answers.fate:
                break
            elif step is None:
                self._over = answers.fate
            else:
                self._blame(step, answers)
        self.faults |= dict.fromkeys(self._unchecked(), RuleFault(self._over))

    def _unchecked(self) -> set[int]:
        return set(range(len(self._rules))) - self.sound - self.faults.keys()

    def _left(self, text: int) -> list[int]:
        """The rules that have still to look at a text."""
        if text in self._unparsed:
            return []
        rules = self._texts[text][1]
        done = (self.looked, self._failed)
        return [
            rule
            for rule in rules
            if rule not in self.faults
            and rule not in self._stopped
            and not any((text, rule) in pairs for pairs in done)
        ]

    def _lines(self) -> Iterator[str]:
        yield json.dumps(
            {"limits": self._limits._asdict(), "rules": [*map(self._head, range(len(self._rules)))]}
        )
        for number, (content, _) in enumerate(self._texts):
            if rules := self._left(number):
                yield json.dumps({"text": number, "content": content, "rules": rules})

    def _head(self, number: int) -> dict[str, Any]:
        rule = self._rules[number]
        return {
            "language": rule.language,
            "config": rule.config,
            "message": rule.message,
            "bad": rule.bad,
            "good": rule.good,
            "checked": number in self.sound or number in self.faults,
            "spent": self._spent[number],
            "found": sum(len(looked.hits) for (_, rule), looked in self.looked.items() if rule == number),
        }

    def _read(self, answers: str) -> list[Any] | None:
        """Take what a child has answered. The step that it has begun and not ended, if any."""
        begun = None
        for line in answers.split("\n")[:-1]:
            kind, *rest = json.loads(line)
            begun = rest if kind == "at" else None
            match kind, rest:
                case "sound", [rule]:
                    self.sound.add(rule)
                case "fault", [rule, why, of, example]:
                    self.faults[rule] = RuleFault(why, of, example)
                case "unparsed", [text, why]:
                    self._unparsed[text] = why
                case "failed", [text, rule, why]:
                    self._failed[text, rule] = why
                case "stopped", [rule, why]:
                    self._stopped[rule] = why
                case "hits", [text, rule, seconds, hits, more]:
                    self._spent[rule] += seconds
                    self.looked[text, rule] = Looked(tuple((a, b, said) for a, b, said in hits), more)
        return begun

    def _blame(self, step: list[Any], answers: Answers) -> None:
        """What was begun brought the child down: it is left out from now on."""
        why = f"took longer than {self._limits.file:g} s" if answers.spent else answers.fate
        match step:
            case ["rule", rule]:
                self.faults[rule] = RuleFault(f"its examples: {why}", "rule")
            case ["text", text]:
                self._unparsed[text] = f"the parser: {why}"
            case ["run", _, rule]:
                if answers.spent and self._limits.rule - self._spent[rule] < self._limits.file:
                    why = f"took longer than {self._limits.rule:g} s in all"
                self._stopped[rule] = why
