"""Parts of a review, to be measured alone: `python bench/parts.py read`, `… detectors`, and so on.

Run inside a repository of bench/change.py. All but `read` print seconds as JSON; `read` prints nothing,
its whole process is what is measured.
"""

from __future__ import annotations

import ast
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from reviewbot.assets import assets
from reviewbot.core.scope import assign, claims
from reviewbot.core.skill import load_skill
from reviewbot.core.types import Change, Side, Skill, SkillOrigin, Skills, Texts
from reviewbot.hosts.local import LocalSource

REPEATS = 3
SANDBOXES = 100


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

    from reviewbot.detectors import DETECTORS
    from reviewbot.detectors.bind import Binding, Bindings
    from reviewbot.detectors.sweep import sweep

    source, change = read()
    one = skill()
    head = source.read(change, Side.RIGHT, assign(change, Skills((one,))).paths)
    all_of_them = [Binding(detector, one, one.classes[0], ()) for detector in DETECTORS.values()]
    parsers: dict[str, Callable[[str], object]] = {
        "py": ast.parse,
        "sh": lambda text: SgRoot(text, "bash").root(),
    }

    def compare(ending: str) -> dict[str, float]:
        paths = [path for path in head.files if path.endswith(f".{ending}")]
        bindings = Bindings(tuple(all_of_them), dict.fromkeys(paths, all_of_them))

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


def skills() -> dict[str, float]:
    """Seconds to load 100 skills with their rules, and of PyYAML for their front matter and rules."""
    import yaml

    from reviewbot.core.skill import load_bundle

    folders = [path.parent for path in sorted(Path(assets("skills")).glob("*/SKILL.md"))]
    bundles = []
    for folder in folders:
        files = [folder / "SKILL.md", *sorted(folder.glob("rules/*.yml"))]
        bundles.append({str(file.relative_to(folder)): file.read_bytes() for file in files})
    hundred = [bundles[number % len(bundles)] for number in range(100)]

    def load() -> None:
        for number, files in enumerate(hundred):
            if load_bundle(f"skills/{number}/SKILL.md", files, SkillOrigin.BASE)[0] is None:
                raise SystemExit("a built-in skill does not load")

    def bare() -> None:
        for files in hundred:
            for path, data in files.items():
                yaml.safe_load(data.split(b"\n---\n")[0] if path == "SKILL.md" else data)

    return {"load": median(load), "yaml": median(bare)}


def sandbox() -> dict[str, float]:
    """Seconds of `bash -n` on a file of a small tree: bare, in a bubblewrap that shares all it can of the
    machine but has namespaces of its own, and in the sandbox. Medians of runs that take turns."""
    from reviewbot.gates.sandbox import Entry, Job, Sandbox, lay_out

    script = b"#!/bin/bash\n" + b'echo "$1"\n' * 50
    bare, least, inside = [], [], []
    apart = ("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--")
    with lay_out(Entry(b"%d.sh" % number, 0o100644, script) for number in range(10)) as tree:
        job = Job(("bash", "-n", "1.sh"), tree, 60)
        runner = Sandbox()
        os.chmod(tree.folder, 0o755)  # where we are root it is nobody's, and the plain bubblewrap is not
        for _ in range(SANDBOXES):
            for prefix, seconds in (((), bare), (apart, least)):
                start = time.perf_counter()
                subprocess.run((*prefix, *job.argv), cwd=tree.folder, check=True, stdin=subprocess.DEVNULL)
                seconds.append(time.perf_counter() - start)
            start = time.perf_counter()
            ended = runner.run(job)
            inside.append(time.perf_counter() - start)
            if ended.exit != 0:
                raise SystemExit(f"{ended.how}: {ended.why}\n{ended.stderr}")
    return {name: statistics.median(t) for name, t in (("bare", bare), ("least", least), ("inside", inside))}


def sent() -> dict[str, int]:
    """How many characters a model is sent about the change, in how many questions: rules, skill and all."""
    from reviewbot.assets import prompts
    from reviewbot.core.ask.find import Frame, questions
    from reviewbot.core.ask.lookups import TOOLS
    from reviewbot.core.ask.prompts import Prompts
    from reviewbot.core.types import ModelTerms

    source, change = read()
    scope = assign(change, Skills((skill(),)))
    head = source.read(change, Side.RIGHT, scope.paths)
    asked = questions(change, scope, head, Frame(Prompts(prompts()), ModelTerms(), "0" * 16, TOOLS))
    parts = [(*hunt.question.system, *hunt.question.data) for hunt in asked.hunts]
    whole = sum(len(part.text) for question in parts for part in question)
    once = {part.text: len(part.text) for question in parts for part in question if part.marked}
    return {"questions": len(parts), "characters": whole, "marked": sum(once.values())}


if __name__ == "__main__":
    if sys.argv[1:] == ["read"]:
        read()
    else:
        print(
            json.dumps(
                {"detectors": detectors, "skills": skills, "sandbox": sandbox, "sent": sent}[sys.argv[1]]()
            )
        )
