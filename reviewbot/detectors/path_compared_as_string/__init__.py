"""Two paths compared as strings where they guard something: one place has many spellings.

Comparisons of names alone were right 3 times in 31 on public code. Only what is left of them is
said: one side resolved and the other not, `startswith` without a separator, and a shell test of
two folders by which a script ends or removes.
"""

from __future__ import annotations

from reviewbot.detectors.contract import Detector, Word
from reviewbot.detectors.path_compared_as_string.examples import BAD, GOOD
from reviewbot.detectors.path_compared_as_string.python_guards import find_python
from reviewbot.detectors.path_compared_as_string.shell_guards import find_shell

DETECTOR = Detector(
    id="path-compared-as-string",
    summary="a path guard that `..`, a link or a sibling folder gets past, because it compares texts",
    finders={"shell": find_shell, "python": find_python},
    words=(
        Word(r"paths?\b[^.\n]{0,30}\bcompar\w+[^.\n]{0,20}\b(?:strings?|text)", 2),
        Word(
            r"(?:strings?|text\w*) compar\w+ (?:of|on|between|for) (?:\w+ )?(?:paths?|folders?|director)", 2
        ),
        Word(
            r"compar\w+ (?:\w+ ){0,2}(?:paths?|folders?|director\w+) (?:as|by|like) (?:strings?|text|spell)",
            2,
        ),
        Word(
            r"path (?:guards?|checks?|prefix(?:es)?)\b[^.\n]{0,40}\b(?:strings?|startswith|prefix|separator)",
            2,
        ),
        Word(r"\brealpath\b|\bPath\.resolve\b|is_relative_to", 1),
    ),
    bad=BAD,
    good=GOOD,
    triggers={
        "shell": ("=",),
        "python": ("realpath(", "abspath(", ".resolve(", "startswith(str("),
    },
)
