"""What a repository starts: which files `init` takes for launchers, releases and checks, and which not."""

from __future__ import annotations

import pytest

from reviewbot.core.home.seen import Trait, Work
from reviewbot.core.types import Text
from reviewbot.detectors.survey import survey

MAIN = 'if __name__ == "__main__":\n    main()\n'


def workflow(run: str, runner: str = "ubuntu-latest") -> Text:
    steps = f"jobs:\n  a:\n    runs-on: {runner}\n    steps:\n      - run: {run}\n"
    return Text(".github/workflows/ci.yml", f"on: push\n{steps}")


@pytest.mark.parametrize(
    ("path", "content", "work", "command"),
    [
        ("go.sh", "sbatch --wait job.sbatch\n", Work.GPU, "sbatch --wait job.sbatch"),
        ("go.sh", "#!/bin/sh\n#SBATCH --gres=gpu:8\npython3 train.py\n", Work.GPU, "python3 train.py"),
        ("go.sh", "docker run --rm image\n", Work.LAUNCH, "docker run"),
        ("go.sh", "make\ntwine upload dist/*\n", Work.PUBLISH, "twine upload"),
        ("tools/train.py", MAIN, Work.PYTHON, ""),
    ],
)
def test_it_is_told_by_what_it_starts(path: str, content: str, work: Work, command: str) -> None:
    (start,) = survey([Text(path, content)]).starts
    assert (start.path, start.work, start.command) == (path, work, command)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("go.sh", "make\npip install .\nrm -rf out\n"),
        ("tests/go.sh", "sbatch job.sbatch\n"),
        ("src/train.py", "def train():\n    pass\n"),  # a part of a library
        ("prepare_train_data.py", MAIN),
        ("go.zsh", "sbatch job.sbatch\n"),
    ],
)
def test_others_start_nothing(path: str, content: str) -> None:
    assert survey([Text(path, content)]).starts == ()


def test_a_workflow_starts_and_checks() -> None:
    seen = survey(
        [workflow("pytest -x -k ${{ inputs.only }} && kubectl apply -f app.yml", "[self-hosted, gpu]")]
    )
    assert [(s.work, s.line, s.command) for s in seen.starts] == [(Work.GPU, 6, "kubectl apply")]
    assert [(check.command, check.line) for check in seen.checks] == [("pytest", 6)]
    assert seen.languages == {"GitHub workflow": 1}


def test_what_a_file_does_besides_is_told() -> None:
    polls = "until curl -sf $URL; do\n  sleep 5\ndone\nshift 2\nsbatch a | tee log\n"
    (start,) = survey([Text("go.sh", polls)]).starts
    assert start.traits == {Trait.POLLS, Trait.TAKES_OPTIONS, Trait.PIPES}
    (plain,) = survey([workflow("|\n          sbatch a")]).starts
    assert plain.traits == frozenset()


def test_a_workflow_that_is_no_yaml_proposes_nothing() -> None:
    seen = survey([Text(".github/workflows/ci.yml", "a: [\n"), Text(".gitlab-ci.yml", "a: [\n")])
    assert (seen.starts, seen.checks, seen.other_ci) == ((), (), (".gitlab-ci.yml",))
