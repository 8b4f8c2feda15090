"""What a repository starts, read with the detectors' own eyes: for the skill that `init` proposes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reviewbot.core.ask.testfiles import is_test
from reviewbot.core.home.seen import Check, Seen, Start, Trait, Work
from reviewbot.core.language import is_foreign_pipeline, language
from reviewbot.core.patterns import pattern
from reviewbot.core.types import Text
from reviewbot.detectors.embedded import Block, blocks
from reviewbot.detectors.shell.launches import bare, is_gpu_launcher, is_launch
from reviewbot.detectors.shell.publications import Publication, publication
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node

NAMES = {"shell": "shell script", "python": "Python file", "workflow": "GitHub workflow"}
MAX_CHECKS = 6
WORDS = 3  # of a command that are quoted

_MAIN = re.compile(r"^if __name__ == ", re.MULTILINE)
_OF_GPU = re.compile(r"^#SBATCH\b|\bnvidia-smi\b|\bCUDA_VISIBLE_DEVICES=|--gpus\b", re.MULTILINE)
_GPU_RUNNER = re.compile(r"^\s*runs-on:.*(?:gpu|cuda|h100|h200|a100|b200)", re.MULTILINE | re.IGNORECASE)
_POLLS = re.compile(r"^\s*(?:while|until)\b", re.MULTILINE)
_TRAITS = (
    (Trait.TAKES_OPTIONS, re.compile(r"^\s*(?:.*[;)&|]\s*)?shift\b", re.MULTILINE)),
    (Trait.STARTS_CONTAINERS, re.compile(r"\b(?:docker|podman|nerdctl) run\b")),
    (Trait.PIPES, re.compile(r"\S[ \t]+\|&?[ \t]+[\w$./]")),
)
_PYTHON_TRAITS = (
    (Trait.ASSERTS, re.compile(r"^\s+assert ", re.MULTILINE)),
    (Trait.CALLS_PROGRAMS, re.compile(r"\bsubprocess\.|\bos\.system\(")),
)
_TESTER = pattern(r"pytest|tox|nox|ctest|bats|shellcheck|ruff|mypy|pre-commit|unittest|hatch|flake8|black")
_TEST_VERB = pattern(r"(?:test|check|lint|verify|ci)(?:[-_:]?[a-z0-9]+)*")
_RUNS_TARGETS = ("make", "npm", "pnpm", "yarn", "cargo", "go", "just", "gradle", "gradlew", "mvn")
_PLAIN = pattern(r"[\w@%+=:,./-]+")


class _Shell(NamedTuple):
    """A script, or one `run:` block of a workflow."""

    file: ShellFile
    block: Block | None


def survey(texts: Iterable[Text], unread: int = 0) -> Seen:
    """`texts` are those of the files that have a language (`core.language`) or are another system's
    pipeline; `unread` says how many of them there are besides."""
    languages: Counter[str] = Counter()
    starts: list[Start] = []
    checks: list[Check] = []
    foreign: list[str] = []
    for text in texts:
        if is_foreign_pipeline(text.path):
            foreign.append(text.path)
            continue
        tongue = language(text.path, text.first_line)
        if tongue:
            languages[NAMES[tongue]] += 1
        shells = _shells(text, tongue)
        if tongue == "workflow":
            checks += _checks(shells)
        if not is_test(text.path) and (start := _start(text, tongue, shells)):
            starts.append(start)
    found = tuple(dict.fromkeys(check.command for check in checks))[:MAX_CHECKS]
    first = {check.command: check for check in reversed(checks)}
    return Seen(
        dict(languages.most_common()), tuple(starts), tuple(first[c] for c in found), tuple(foreign), unread
    )


def _shells(text: Text, tongue: str) -> list[_Shell]:
    if tongue == "shell":
        return [_Shell(ShellFile(text), None)]
    if tongue != "workflow":
        return []
    try:
        return [_Shell(ShellFile(block.text), block) for block in blocks(text).read]
    except SyntaxError:  # a review of this file says so; here there is nothing to propose for it
        return []


def _start(text: Text, tongue: str, shells: list[_Shell]) -> Start | None:
    if tongue == "python":
        if not (is_launch(("python3", text.path)) and _MAIN.search(text.content)):
            return None
        traits = frozenset(trait for trait, form in _PYTHON_TRAITS if form.search(text.content))
        return Start(text.path, 1, "", Work.PYTHON, False, traits)
    dear = [
        (node, command, work)
        for shell in shells
        for node, command in _commands(shell)
        if (work := _work(command))
    ]
    if not dear:
        return None
    node, command, work = min(dear, key=lambda row: (list(Work).index(row[2]), row[0].line))
    if work is Work.LAUNCH and (_OF_GPU.search(text.content) or _GPU_RUNNER.search(text.content)):
        work = Work.GPU
    return Start(text.path, node.line, _quoted(command), work, True, _traits(text.content))


def _work(command: tuple[str, ...]) -> Work | None:
    if is_launch(command):
        return Work.GPU if is_gpu_launcher(command) else Work.LAUNCH
    published = publication(command)
    # `pip install .` in CI hands nothing to anybody.
    return Work.PUBLISH if published and published is not Publication.INSTALLATION else None


def _traits(content: str) -> frozenset[Trait]:
    found = {trait for trait, form in _TRAITS if form.search(content)}
    if _POLLS.search(content) and "sleep " in content:
        found.add(Trait.POLLS)
    return frozenset(found)


def _checks(shells: list[_Shell]) -> Iterator[Check]:
    for shell in shells:
        for node, command in _commands(shell):
            name, *rest = command
            target = next((word for word in rest if not word.startswith("-")), "")
            tests = _TESTER.fullmatch(name) or (name in _RUNS_TARGETS and _TEST_VERB.fullmatch(target))
            module = rest[1] if name.startswith("python") and rest[:1] == ["-m"] and len(rest) > 1 else ""
            if tests or _TESTER.fullmatch(module):
                yield Check(shell.file.path, node.line, _quoted(command))


def _commands(shell: _Shell) -> Iterator[tuple[Node, tuple[str, ...]]]:
    """The simple commands, `bare`; none of a script that no shell we know runs, or that is hostile."""
    if not shell.file.shell:
        return
    try:
        commands = shell.file.commands
    except ValueError:  # reading it would take minutes
        return
    for node in commands:
        if command := bare(node.words):
            yield node, command


def _quoted(command: tuple[str, ...]) -> str:
    """The first words that are plain: what a Markdown table takes, and no expression of a workflow. The last
    of them is no option, whose value would not be said."""
    words: list[str] = []
    for word in command[:WORDS]:
        if not _PLAIN.fullmatch(word) or re.match(r"Zq\d{4}", word):
            break
        words.append(word)
    while words[1:] and words[-1].startswith("-"):
        words.pop()
    return " ".join(words)
