"""A trial of what a model finds: ten changes that were written for it, read by readers who see the prompts.

A case is a folder with `base/` (a whole tree), `head/` (what the change writes over it), `expected.json`
(the known defects; `also` names further places at which one may be reported) and, once somebody has read
it, `answers/`: `find-1.json`, … to the finder's questions in their order, `refute-1.json`, … to those of
the second reading, in the order of the path and line of what is claimed.

    python -m tests.readings.reading ask OUT     writes each question that has no answer to OUT/<case>/
    python -m tests.readings.reading score       what became of the answers; --json: as score.json keeps it

`ask` twice: the second reading is asked about what came of the first. There are no look-ups in this
trial; in their place a question ends with the texts around the change.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from reviewbot.assets import prompts
from reviewbot.core.ask.legible import fenced, legible
from reviewbot.core.ask.prompts import Prompts
from reviewbot.core.ask.reader import ModelReader
from reviewbot.core.options import silent
from reviewbot.core.ports import Library
from reviewbot.core.skill.choice import GENERAL
from reviewbot.core.tools import Tools
from reviewbot.core.types import Answer, ModelTerms, Question, Review, Side, Skill, Skills, Status
from reviewbot.gates.rules import RuleWorker
from reviewbot.gates.run import LocalGates
from reviewbot.hosts.library import GitLibrary
from reviewbot.hosts.local import LocalSource
from reviewbot.pipeline import review
from reviewbot.wiring.inventory import built_in, named
from tests.readings import scoring
from tests.repos import Repo

FOLDER = Path(__file__).parent
CASES = tuple(sorted(path.parent for path in FOLDER.glob("*/expected.json")))
TERMS = ModelTerms(rounds=0)
NOT_READ = "nobody has answered this yet"

Reply = Callable[[str, int, Question], Answer]  # to the n-th question, from 1, of its purpose


class Readers:
    """A Model whose questions are numbered, and then answered by `reply`."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        order = sorted(range(len(questions)), key=lambda i: (_place(questions[i]), i))
        answers = {i: self._reply(questions[i].purpose, n, questions[i]) for n, i in enumerate(order, 1)}
        return tuple(answers[i] for i in range(len(questions)))


def _place(question: Question) -> tuple[str, int]:
    """Where the claim of a second reading stands; the finder's questions keep their order."""
    if question.purpose == "find":
        return "", 0
    path, _, line = question.about.rpartition(" at ")[2].rpartition(":")
    return path, int(line)


def recorded(answers: Path, purpose: str, n: int, question: Question) -> Answer:
    """What was answered, if it was."""
    path = answers / f"{purpose}-{n}.json"
    if not path.exists():
        return Answer(reason="unreachable", detail=NOT_READ)
    try:
        return Answer(payload=json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        return Answer(reason="not-json", detail=str(error))


def prompt(question: Question, around: str) -> str:
    """All that a reader is given."""
    parts = [part.text.strip("\n") for part in (*question.system, *question.data)]
    parts.append(f"Answer with one JSON object of this schema, and nothing else:\n\n{question.schema}")
    return "\n\n".join(filter(None, (*parts, around))) + "\n"


def surroundings(library: Library, added: frozenset[str], nonce: str) -> str:
    """The tree at head: its names, and the text of each file but those that the change shows whole."""
    paths = library.paths(Side.RIGHT)
    texts = [(path, library.text(Side.RIGHT, path)) for path in paths if path not in added]
    blocks = [
        fenced("file at head", legible(text.content), nonce, path)
        for path, text in texts
        if text and text.content
    ]
    listing = fenced("all files at head", "\n".join(paths), nonce)
    return "\n\n".join(
        ("There are no look-ups today. This is the tree at head in their place.", listing, *blocks)
    )


def general_skill() -> Skill:
    skill = named(GENERAL, ".", (), built_in()).skill
    if skill is None:
        raise LookupError(GENERAL)
    return skill


def build(case: Path, folder: Path) -> Repo:
    """The case as a repository: `main` is base, HEAD the change."""
    repo = Repo(folder)
    for side in ("base", "head"):
        # Not copy2: git believes a file of the same size and an old modification time to be unchanged.
        shutil.copytree(case / side, folder, dirs_exist_ok=True, copy_function=shutil.copyfile)
        repo.commit(side)
        if side == "base":
            repo.git("checkout", "-q", "-b", "change")
    return repo


def opened(case: Path, folder: Path) -> LocalSource:
    """The change of a case; `folder` is where its repository may stand."""
    return LocalSource.open(str(build(case, folder).path), "main")


def read(case: Path, source: LocalSource, reply: Reply) -> Review:
    """The review of a case by those who reply."""
    reader = ModelReader(Readers(reply), GitLibrary(source), Prompts(prompts()), TERMS, nonce(case), silent)
    tools = Tools(source, LocalGates(), RuleWorker(), reader, silent)
    return review(Skills((general_skill(),)), tools)


def nonce(case: Path) -> str:
    return hashlib.sha256(case.name.encode()).hexdigest()[:16]


def ask(case: Path, folder: Path, out: Path, answers: Path) -> list[Path]:
    """Write the questions of a case that nobody has answered; returns their files."""
    source = opened(case, folder)
    changed = source.change(lambda file: True).files
    added = frozenset(file.path for file in changed if file.status is Status.ADDED)
    around = surroundings(GitLibrary(source), added, nonce(case))
    written: list[Path] = []

    def writing(purpose: str, n: int, question: Question) -> Answer:
        answer = recorded(answers, purpose, n, question)
        if answer.detail == NOT_READ:
            written.append(out / f"{n}-{purpose}.md")
            out.mkdir(parents=True, exist_ok=True)
            written[-1].write_text(prompt(question, around), encoding="utf-8")
        return answer

    read(case, source, writing)
    return written


def score(case: Path, folder: Path, answers: Path) -> scoring.Score:
    """What became of the answers to a case."""
    expected = json.loads(case.joinpath("expected.json").read_text(encoding="utf-8"))
    reviewed = read(case, opened(case, folder), partial(recorded, answers))
    return scoring.score(reviewed, scoring.defects(expected), TERMS.inline_confidence)


def is_recorded(case: Path) -> bool:
    return case.joinpath("answers", "find-1.json").exists()


def main(argv: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        if argv[:1] == ["ask"] and len(argv) == 2:
            for case in CASES:
                out = Path(argv[1], case.name)
                for path in ask(case, Path(folder, case.name), out, case / "answers"):
                    print(path)
            return 0
        if argv[:1] == ["score"] and argv[1:] in ([], ["--json"]):
            scores = {c.name: score(c, Path(folder, c.name), c / "answers") for c in CASES if is_recorded(c)}
            print(scoring.document(scores) if argv[1:] else scoring.table(scores))
            return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
