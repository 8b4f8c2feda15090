"""A loop that cannot finish, or that cannot notice that it achieves nothing."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.detectors.blind_loop.endless_poll import find_python
from reviewbot.detectors.blind_loop.examples import BAD, GOOD
from reviewbot.detectors.blind_loop.rounds import Rounds
from reviewbot.detectors.blind_loop.unbounded_wait import Waits
from reviewbot.detectors.contract import Detector, Hit, Word
from reviewbot.detectors.shell.loops import loops
from reviewbot.detectors.shell.script import ShellFile


def find_shell(file: ShellFile) -> Iterator[Hit]:
    found = loops(file)
    if found:
        yield from sorted(
            [*Waits(file).hits(found), *Rounds(file).hits(found)], key=lambda hit: hit.start_line
        )


_ROUNDS = ("rounds", "ROUNDS", "retries", "RETRIES", "attempts", "ATTEMPTS", "passes", "PASSES")

DETECTOR = Detector(
    id="blind-loop",
    summary="a wait without a limit, a poll that runs out unnoticed, rounds that nobody measures",
    finders={"shell": find_shell, "python": find_python},
    words=(
        Word(r"loops? (?:that|which) (?:can ?not|can't|never) \w+|(?:endless|infinite|unbounded) loops?", 2),
        Word(
            r"(?:unbounded|endless|unlimited) (?:waits?|polls?|retr)|(?:waits?|polls?|sleeps?) for ?ever", 2
        ),
        Word(
            r"(?:loop|wait|poll|retr)\w* without (?:an? |any )?(?:limit|bound|timeout|deadline)",
            2,
        ),
        Word(r"--max-rounds|zero growth|without measuring", 2),
        Word(r"can ?not notice|polls?\b.{0,40}falls? through", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={"shell": ("sleep", *_ROUNDS), "python": ("sleep", *_ROUNDS)},
)
