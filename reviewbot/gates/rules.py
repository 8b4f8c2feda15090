"""Runs the ast-grep rules of skills in processes of their own: a rule is a stranger's, and may be endless."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from threading import Thread

from reviewbot.core.errors import UsageError
from reviewbot.core.rulewords import may_match, words_of
from reviewbot.core.skill.rulefile import LANGUAGES
from reviewbot.core.types import Diagnostic, Incomplete, Rule, RuleHit, RuleKey, RulePlan, RuleRun
from reviewbot.gates.rulechild import ask
from reviewbot.gates.rulejob import LIMITS, Limits, RuleJob

DUMP_SECONDS = 20.0

Wanted = Mapping[str, tuple[str, list[int]]]  # path -> its content, and the numbers of the rules


class RuleWorker:
    """The Rules port. Nothing is started where no rule can match anything."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._sound: set[Rule] = set()  # base is read after head: no example is tried twice

    def start(self, plan: RulePlan) -> Callable[[], RuleRun]:
        """Begin to run every rule over its texts. What is returned waits for the end, and tells it.

        Before a rule sees a text, its examples must hold.
        """
        rules = tuple(plan.rules.values())
        wanted: dict[str, tuple[str, list[int]]] = {}
        for number, (key, rule) in enumerate(plan.rules.items()):
            words = words_of(rule)
            for text in plan.texts[key]:
                if may_match(words, text):
                    wanted.setdefault(text.path, (text.content, []))[1].append(number)
        idle = set(range(len(rules))) - {number for _, numbers in wanted.values() for number in numbers}
        job = self._job(rules, wanted, idle)
        wait = _begin(job.run) if wanted else lambda: None

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
        return tuple(
            Diagnostic(rules[n].path, rules[n].line, 1, "R006", "error", why)
            for n, why in sorted(job.faults.items())
        )

    def _job(self, rules: Sequence[Rule], wanted: Wanted, idle: set[int]) -> RuleJob:
        checked = idle | {number for number, rule in enumerate(rules) if rule in self._sound}
        return RuleJob(rules, wanted, checked, self._limits)


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
    for number, (key, rule) in enumerate(plan.rules.items()):
        if number in job.faults:
            failures.append(Incomplete("skill", rule.path, job.faults[number]))
            continue
        unread: dict[str, list[str]] = defaultdict(list)  # why -> paths
        for path in (text.path for text in plan.texts[key]):
            if number not in wanted.get(path, ("", []))[1]:  # it lacks a word of the rule
                read.add((key, path))
            elif looked := job.looked.get((path, number)):
                read.add((key, path))
                hits += (RuleHit(key, path, *place) for place in looked.hits)
                if looked.more:
                    unread[f"more than {len(looked.hits)} matches; the others are not reported"].append(path)
            else:
                unread[job.why(path, number)].append(path)
        failures += (Incomplete("detect", _named(key, paths), why) for why, paths in unread.items())
    return RuleRun(plan, tuple(hits), frozenset(read), tuple(failures))


def _named(key: RuleKey, paths: Sequence[str]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"rule {key[0]}/{key[1]} on {paths[0]}{more}"
