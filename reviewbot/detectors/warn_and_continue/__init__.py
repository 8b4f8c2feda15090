"""The code sees that its own assumption is broken, says so in the log and goes on.

A generator of candidates: of all that warns on public code three in ten were right. Said is only what
speaks of a mismatch, not of a fallback, and in shell what a launch behind it works on.
"""

from __future__ import annotations

from reviewbot.detectors.contract import Detector, Word
from reviewbot.detectors.warn_and_continue.examples import BAD, GOOD
from reviewbot.detectors.warn_and_continue.python_warnings import find_python
from reviewbot.detectors.warn_and_continue.shell_warnings import find_shell

DETECTOR = Detector(
    id="warn-and-continue",
    summary="a broken assumption is only warned of, and the code goes on with it",
    finders={"shell": find_shell, "python": find_python},
    words=(
        Word(r"warn(?:ing)?s?\b[^.\n]{0,20}\b(?:and|then) (?:\w+ )?(?:continu|carr|go(?:es)? on|proceed)", 2),
        Word(r"warn(?:ing)?s?\b[^.\n]{0,15}\b(?:where|when|instead of|although|though)\b", 2),
        Word(r"only (?:a )?warn|logged? (?:a )?(?:line|warning) and", 1),
        Word(r"assumptions?\b[^.\n]{0,20}\b(?:break|broke|violat|does not hold)", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={
        "shell": ("warn", "Warn", "WARN", "⚠"),
        "python": (
            *("ismatch", " match", "onsisten", "orrupt", "ivisible", "multiple of", "equal"),
            *("ifferent", "xpected", "ncorrect"),
        ),
    },
)
