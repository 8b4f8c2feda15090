"""Parts of a review, to be measured alone: `python bench/parts.py read` or `… detectors`.

Run inside a repository of bench/change.py. `detectors` prints seconds as JSON; `read` prints
nothing, its whole process is what is measured.
"""

from __future__ import annotations

import ast
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from reviewbot.assets import assets
from reviewbot.core.scope import assign, claims
from reviewbot.core.skill import load_skill
from reviewbot.core.types import Assignment, Change, Side, Skill, SkillOrigin, Skills, Texts
from reviewbot.hosts.local import LocalSource

REPEATS = 3


def skill() -> Skill:
    path = Path(assets("skills")) / "silent-failures" / "SKILL.md"
    loaded, diagnostics = load_skill(str(path), path.read_bytes(), SkillOrigin.BUILTIN)
    if loaded is None:
        raise SystemExit("\n".join(map(str, diagnostics)))
    return loaded


def read() -> tuple[LocalSource, Change]:
    source = LocalSource.open(".", "base")
    return source, source.change(claims(Skills((skill(),))))


def median(function: Callable[[], object]) -> float:
    """Processor seconds, since both sides of the comparison only compute."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return statistics.median(times)


def detectors() -> dict[str, dict[str, float]]:
    """Seconds of all detectors and of one bare parse, for the files of each language."""
    from ast_grep_py import SgRoot  # not part of what `read` costs

    from reviewbot.detectors.bind import bind_all
    from reviewbot.detectors.sweep import sweep

    source, change = read()
    one = skill()
    head = source.read(change, Side.RIGHT, assign(change, Skills((one,))).paths)
    parsers: dict[str, Callable[[str], object]] = {
        "py": ast.parse,
        "sh": lambda text: SgRoot(text, "bash").root(),
    }

    def compare(ending: str) -> dict[str, float]:
        paths = [path for path in head.files if path.endswith(f".{ending}")]
        bindings = bind_all((Assignment(one, tuple(paths)),))

        def fresh() -> Texts:  # a Text keeps what was made of it
            return Texts(Side.RIGHT, {path: replace(head.files[path]) for path in paths})

        def parse() -> None:
            for text in fresh().files.values():
                parsers[ending](text.content)

        return {
            "files": len(paths),
            "detectors": median(lambda: sweep(bindings, fresh())),
            "parse": median(parse),
        }

    return {ending: compare(ending) for ending in parsers}


if __name__ == "__main__":
    if sys.argv[1:] == ["read"]:
        read()
    else:
        print(json.dumps(detectors()))
