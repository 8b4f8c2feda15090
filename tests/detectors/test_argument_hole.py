"""argument-hole: what it predicts is what bash does, before the edit and after it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.rehearse import splice
from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.argument_hole import DETECTOR, find
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell import ShellFile

ENDLESS = 99
# Ends a script after 500 commands: an endless loop is seen by a count, not by a clock.
COUNTED = "n_=0\nset -T\ntrap '[ $((n_ += 1)) -le 500 ] || exit 99' DEBUG\n"


def hits(code: str, path: str = "run.sh", *, partial: bool = False) -> list[Hit]:
    return list(find(ShellFile(Text(path, code, partial))))


def run(code: str, *words: str, timeout: float = 2) -> subprocess.CompletedProcess[str]:
    shell = "dash" if code.startswith("#!/bin/sh") else "bash"
    argv, env = [shell, "/dev/stdin", *words], {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    return subprocess.run(argv, input=code, capture_output=True, text=True, timeout=timeout, env=env)


def mended(code: str) -> str:
    (hit,) = hits(code)
    assert hit.edit
    return splice(Text("run.sh", code), hit.edit).content


# --- the examples, run ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "flag", "exit", "output", "error", "said"),
    [
        (0, "--model", 1, "", "unbound variable", 'line 5 with "unbound variable"'),
        (1, "--steps", 1, "", "", "nothing is printed"),
        (3, "--out", 0, "out=\n", "", "`OUT` is left empty"),
        (4, "--data", 2, "", "can't shift that many", "can't shift that many"),
        (5, "--seed", 1, "", "unbound variable", 'line 8 with "unbound variable"'),
    ],
)
def test_an_example_does_what_is_said_of_it(number, flag, exit, output, error, said):
    code = DETECTOR.bad[number].code
    done = run(code, flag)
    assert (done.returncode, done.stdout) == (exit, output)
    assert error in done.stderr
    assert bool(done.stderr) == bool(error)
    assert said in hits(code)[0].failure


def test_the_endless_example_never_ends():
    code = DETECTOR.bad[2].code
    assert "the loop never ends" in hits(code)[0].failure
    with pytest.raises(subprocess.TimeoutExpired):
        run(code, "--gpus", timeout=0.5)


@pytest.mark.parametrize("number", range(len(DETECTOR.bad)))
def test_with_the_edit_the_flag_is_refused_by_name_and_its_value_taken(number):
    code = mended(DETECTOR.bad[number].code)
    flag = ("--model", "--steps", "--gpus", "--out", "--data", "--seed")[number]
    refused = run(code, flag)
    assert (refused.returncode, refused.stderr) == (2, f"missing value for {flag}\n")
    taken = run(code, flag, "7")
    assert (taken.returncode, taken.stdout) == (0, f"{flag[2:]}=7\n")


# --- the law ----------------------------------------------------------------------------

READS = ('V="{}"', "V={}", 'export V="{}"', 'W="{}"; V=$W', '[ "$X" = 0 ] || V="{}"', 'if [ $X = 1 ]; then V={}; fi')
GUARDS = ("", "", 'echo "$1" > /dev/null; ', '[ -n "${{{0}:-}}" ] || exit 7; ', "[ $# -ge {0} ] || exit 7; ")
SHIFTS = {
    0: ("X=2",),
    1: ("shift", "shift || true", "shift 1", "{{ shift; }}", "shift || exit 7"),
    2: ("shift 2", "shift; shift", "shift 2 || true", "shift; shift || true", "shift 2 || exit 7", "shift; {{ shift; }}"),
}


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """A parsing loop whose arm `--v` takes one value, in one of the ways that scripts do it."""
    before = draw(st.sampled_from([":", "key=$1", "key=$1; shift"]))
    behind = draw(st.sampled_from([":", "shift"]))
    gone = before.count("shift")
    at = 2 - gone
    value = draw(st.sampled_from([f"${at}", f"${{{at}}}", f"${{{at}:-}}"]))
    guard = draw(st.sampled_from(GUARDS)).format(at)
    read = draw(st.sampled_from(READS)).format(value)
    shift = draw(st.sampled_from(SHIFTS[at - behind.count("shift")])).format()
    return f"""#!/bin/bash
{draw(st.sampled_from([":", "set -e", "set -u", "set -eu", "set -euo pipefail"]))}
X=1 V=orig
while [ $# -gt 0 ]; do
  {before}
  case {'"$1"' if before == ":" else '"$key"'} in
    --v) {guard}{read}; {shift} ;;
    *) exit 8 ;;
  esac
  {behind}
done
echo "V=$V"
"""


def predicted(found: Sequence[Hit]) -> str:
    words = {
        "unbound": 'with "unbound variable"',
        "silent": "nothing is printed",
        "endless": "never ends",
        "empty": "left empty",
    }
    return next((o for o, text in words.items() if found and text in found[0].failure), "none")


def seen(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode == ENDLESS:
        return "endless"
    if "unbound variable" in done.stderr:
        return "unbound"
    if done.returncode == 0:
        return "empty" if done.stdout == "V=\n" else "none"
    return "none" if done.returncode == 7 else "silent"


@settings(max_examples=60)
@given(scripts())
def test_what_is_predicted_of_an_arm_is_what_bash_does(code: str):
    assert run(COUNTED + code, "--v", "7").stdout == "V=7\n"
    found, real = hits(code), seen(run(COUNTED + code, "--v"))
    # A default is the author's own choice: an empty value alone is then no hole.
    assert predicted(found) == real or (not found and real == "empty" and ":-}" in code)
    if found:
        assert run(mended(code), "--v").returncode == 2
        assert run(mended(code), "--v", "7").stdout == "V=7\n"
