"""What can go wrong in what a repository starts: the classes that its first skill is chosen from, dearest
first. Their titles are words that bind to a detector, where one knows the class."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from reviewbot.core.home.seen import Start, Trait, Work


class ProposedClass(NamedTuple):
    title: str
    text: str
    about: Callable[[Start], bool]  # whether it can happen in this file


def _shell(*works: Work, trait: Trait | None = None) -> Callable[[Start], bool]:
    return lambda s: s.shell and s.work in works and (trait is None or trait in s.traits)


_LAUNCHERS = (Work.GPU, Work.LAUNCH)
_ANY = (*_LAUNCHERS, Work.PUBLISH)
CLASSES = (
    ProposedClass(
        "A failed step does not stop the launch",
        "Without `set -e` in force a preparation fails and the launch behind it runs all the same, on "
        "what was there before. Cost: the whole run, for a result that belongs to another "
        "configuration. Fix: `|| exit 1` at the step, or `set -euo pipefail` at the top.",
        _shell(*_LAUNCHERS),
    ),
    ProposedClass(
        "A failed step does not stop the release",
        "A build, a check-out or a test fails and the command that publishes runs all the same. Cost: "
        "others install what was there before, under the new version. Fix: `|| exit 1` at the step, "
        "and publish in a job that needs the others.",
        _shell(Work.PUBLISH),
    ),
    ProposedClass(
        "A masked exit code",
        "The status that is tested is that of `tee`, of `local v=$(…)` or of an `echo`, and not that "
        "of the command. Cost: a crashed run is filed as a finished one. Fix: `set -o pipefail`, "
        "declare first and assign then, keep `rc=$?` on the very next line.",
        _shell(*_ANY, trait=Trait.PIPES),
    ),
    ProposedClass(
        "An unbounded wait",
        "A poll whose one way out is success, or that gives up and falls through as though it had "
        "succeeded. Cost: the machine is held until somebody looks. Fix: a limit on the loop, and an "
        "exit when it is reached.",
        _shell(*_ANY, trait=Trait.POLLS),
    ),
    ProposedClass(
        "Argument holes in the option parser",
        '`--out) OUT="$2"; shift 2 ;;` with the flag as the last word: an unbound variable, a silent '
        "end, or a parser that never returns. Cost: a job that dies or hangs in the queue. Fix: ask "
        '`[ "$#" -ge 2 ]` first.',
        _shell(*_ANY, trait=Trait.TAKES_OPTIONS),
    ),
    ProposedClass(
        "Containers left behind",
        "`docker run --rm --name` is over when its client ends in good order; a script that is killed "
        "leaves the container, and what it holds. Cost: the next run starts on a machine that is half "
        "full. Fix: remove it by name in a trap.",
        _shell(*_LAUNCHERS, trait=Trait.STARTS_CONTAINERS),
    ),
    ProposedClass(
        "A result under the wrong name",
        "The label is built from what was asked for, not from what was started; the file of the last "
        "run is still there; two arms write to one path. Cost: a number for a configuration that "
        "never ran. Fix: take the label from the running process, and start from an empty folder.",
        lambda s: s.work is not Work.PUBLISH,
    ),
    ProposedClass(
        "Success without an artifact",
        "The run ends with 0 although nothing was written, or an older file is taken for the new one. "
        "Cost: a hole that is found weeks later. Fix: require a new result that is not empty, and end "
        "with its status.",
        lambda s: s.work is not Work.PUBLISH,
    ),
    ProposedClass(
        "A subprocess whose exit code is ignored",
        "`subprocess.run([…])` without `check=True` before a step that uses its work. Cost: half of "
        "the work is missing, and nothing says so. Fix: check each result.",
        lambda s: Trait.CALLS_PROGRAMS in s.traits,
    ),
    ProposedClass(
        "`assert` in a check of the results",
        "`python -O` removes it, and the check passes everything. Cost: a regression that the check "
        "was built to catch. Fix: `raise`, with both numbers.",
        lambda s: Trait.ASSERTS in s.traits,
    ),
)
