"""Runs the ast-grep rules of skills in processes of their own: a rule is a stranger's, and may be endless."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from threading import Thread

from reviewbot.core.errors import UsageError
from reviewbot.core.rulewords import may_match, words_of
from reviewbot.core.skill.rulefaults import explained
from reviewbot.core.skill.rulefile import LANGUAGES
from reviewbot.core.types import (
    Diagnostic,
    Incomplete,
    Rule,
    RuleHit,
    RuleKey,
    RulePlan,
    RuleRun,
    SkillOrigin,
    Text,
)
from reviewbot.gates.rulechild import ask
from reviewbot.gates.rulejob import LIMITS, Limits, RuleJob

DUMP_SECONDS = 20.0

Wanted = Mapping[Text, list[int]]  # the numbers of the rules that look at it


class RuleWorker:
    """The Rules port. Nothing is started where no rule has to be tried and none can match."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._sound: set[Rule] = set()  # base is read after head: no example is tried twice

    def start(self, plan: RulePlan) -> Callable[[], RuleRun]:
        """Begin to run every rule over its texts. What is returned waits for the end, and tells it.

        Before a rule counts as having looked, its examples must hold. Where no text holds the words of
        a rule that is shipped, they are not tried: they hold in every release.
        """
        rules = tuple(plan.rules.values())
        wanted: dict[Text, list[int]] = {}
        for number, (key, rule) in enumerate(plan.rules.items()):
            words = words_of(rule)
            for script in chain.from_iterable(plan.texts[key].values()):
                if may_match(words, script.text):
                    wanted.setdefault(script.text, []).append(number)
        busy = set(chain.from_iterable(wanted.values()))
        idle = {
            number
            for number, key in enumerate(plan.rules)
            if number not in busy and (plan.skills[key].origin is SkillOrigin.BUILTIN or not plan.texts[key])
        }
        job = self._job(rules, wanted, idle)
        wait = _begin(job.run) if len(idle) < len(rules) else lambda: None

        def result() -> RuleRun:
            wait()
            self._sound |= {rules[number] for number in job.sound - idle}
            return _result(plan, wanted, job)

        return result

    def examples(self, rules: Sequence[Rule]) -> tuple[Diagnostic, ...]:
        """An error for each rule that ast-grep refuses or whose examples do not hold."""
        job = self._job(rules, {}, set())
        job.run()
        self._sound |= {rules[number] for number in job.sound}
        return tuple(explained(rules[n], fault) for n, fault in sorted(job.faults.items()))

    def _job(self, rules: Sequence[Rule], wanted: Wanted, idle: set[int]) -> RuleJob:
        checked = idle | {number for number, rule in enumerate(rules) if rule in self._sound}
        texts = [(text.content, numbers) for text, numbers in wanted.items()]
        return RuleJob(rules, texts, checked, self._limits)


def dump(text: str, language: str) -> str:
    """The syntax tree of a text, a line for each node. Raises UsageError where there is none."""
    if language not in LANGUAGES:
        raise UsageError(f"no syntax tree for {language!r}", f"the languages are {', '.join(LANGUAGES)}")
    try:
        answers = ask("syntaxdump.py", [json.dumps([language, text])], DUMP_SECONDS)
    except OSError as error:
        raise UsageError(f"no syntax tree: {error.strerror or error}") from error
    if answers.fate:
        raise UsageError(f"no syntax tree: {'it took too long' if answers.late else answers.fate}")
    return answers.text


def _begin(work: Callable[[], None]) -> Callable[[], None]:
    """Do it in a thread that an interrupted review leaves behind. The call that is returned waits for
    it, and raises what it raised."""
    errors: list[BaseException] = []

    def catching() -> None:
        try:
            work()
        except BaseException as error:  # raised again in the thread that waits
            errors.append(error)

    thread = Thread(target=catching, daemon=True)
    thread.start()

    def wait() -> None:
        thread.join()
        if errors:
            raise errors[0]

    return wait


def _result(plan: RulePlan, wanted: Wanted, job: RuleJob) -> RuleRun:
    hits: list[RuleHit] = []
    read: set[tuple[RuleKey, str]] = set()
    failures: list[Incomplete] = []
    numbers = {text: number for number, text in enumerate(wanted)}
    for number, (key, rule) in enumerate(plan.rules.items()):
        if number in job.faults:
            failures.append(Incomplete("skill", rule.path, str(explained(rule, job.faults[number]))))
            continue
        read |= {(key, path) for path, scripts in plan.texts[key].items() if not scripts}
        unread: dict[str, list[str]] = defaultdict(list)  # why -> places
        for script in chain.from_iterable(plan.texts[key].values()):
            if number not in wanted.get(script.text, ()):  # it lacks a word of the rule
                read.add((key, script.file.path))
            elif looked := job.looked.get((numbers[script.text], number)):
                read.add((key, script.file.path))
                hits += (RuleHit(key, script, *place) for place in looked.hits)
                if looked.more:
                    many = f"more than {len(looked.hits)} matches; the others are not reported"
                    unread[many].append(script.place)
            else:
                unread[job.why(numbers[script.text], number)].append(script.place)
        failures += (Incomplete("detect", _named(key, places), why) for why, places in unread.items())
    return RuleRun(plan, tuple(hits), frozenset(read), tuple(failures))


def _named(key: RuleKey, places: Sequence[str]) -> str:
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    return f"rule {key[0]}/{key[1]} on {places[0]}{more}"
