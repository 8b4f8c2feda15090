"""What first-file-only reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        why="The second and the third file are arguments of the first.",
        lines=(2,),
        code="""\
set -e
bash -n install.sh run.sh lib/common.sh
echo "all scripts parse"
""",
    ),
    Example(
        why="So is all that a glob stands for, but one.",
        lines=(1, 2, 4),
        code="""\
bash -n scripts/*.sh || exit 1
sh -n "$ROOT"/{build,test}.sh || exit 1
check() {
    bash -n -- "$ROOT"/bin/*
}
check || exit 1
""",
    ),
    Example(
        why="And a list in a variable, an array, or the output of a command.",
        lines=(4, 5, 6),
        code="""\
set -e
FILES=$(git ls-files '*.sh')
scripts=(tools/*.sh)
bash -n $FILES
bash -n "${scripts[@]}"
bash -n $(find . -name '*.sh')
""",
    ),
    Example(
        why="`xargs` hands over as many names as fit.",
        lines=(2, 3),
        code="""\
set -eo pipefail
git ls-files -z '*.sh' | xargs -0 bash -n
find . -name '*.sh' | xargs -n 50 bash -n
""",
    ),
    Example(
        why="So does `+`; with `;` each file is read, and `find` ends well whatever they hold: a hint.",
        lines=(2, 3),
        code="""\
set -e
find . -name '*.sh' -exec bash -n {} +
find . -name '*.sh' -exec bash -n {} \\;
""",
    ),
    Example(
        why="A hint: a function may be called with one file.",
        lines=(2,),
        code="""\
parses() {
    bash -n "$@"
}
""",
    ),
)

GOOD = (
    Example(
        why="One process for each file, and each may fail.",
        code="""\
for f in scripts/*.sh; do
    bash -n "$f" || exit 1
    sh -n $f || exit 1
done
""",
    ),
    Example(
        why="xargs starts one for each.",
        code="""\
git ls-files -z '*.sh' | xargs -0 -n1 bash -n
git ls-files '*.sh' | xargs -n 1 bash -n
git ls-files '*.sh' | xargs -I{} bash -n {}
git ls-files '*.sh' | xargs -L1 -P 4 bash -n
""",
    ),
    Example(
        why="One file.",
        code="""\
bash -n install.sh
bash -n "$SCRIPT"
bash -n "$DIR/run.sh" || exit 1
bash -n $(command -v launcher)
bash -n < generated.sh
""",
    ),
    Example(
        why="Not a syntax check: these run.",
        code="""\
bash run.sh a.sh b.sh
bash -c 'echo -n' a.sh b.sh
bash -x run.sh -n input.sh
sh install.sh *.tar
""",
    ),
    Example(
        why="Others read all of their files.",
        code="""\
shellcheck scripts/*.sh
python3 -m py_compile a.py b.py
find . -name '*.sh' | xargs shellcheck
find . -name '*.py' -exec python3 -m py_compile {} +
""",
    ),
    Example(
        why="The arguments of the one script that is read.",
        code="""\
bash -n run.sh --help
""",
    ),
    Example(
        why="A loop inside of the inner shell.",
        code="""\
find . -name '*.sh' -exec sh -c 'for f; do bash -n "$f" || exit 1; done' _ {} +
find . -name '*.sh' -print0 | xargs -0 sh -c 'for f; do bash -n "$f" || exit 1; done' _
""",
    ),
    Example(
        why="What `find` says is looked at.",
        code="""\
errors=$(find . -name '*.sh' -exec bash -n {} \\; 2>&1)
[ -z "$errors" ] || exit 1
""",
    ),
)
