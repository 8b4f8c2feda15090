"""swallowed-failure: the launch really runs behind the failed step, and behind the guard it does not."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.rehearse import splice
from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.swallowed_failure import DETECTOR, find_python, find_shell

LAUNCH = 'srtctl apply -f "$CONFIG"\n'
STEP = 'python3 inject.py "$CONFIG"'


def hits(code: str) -> list[Hit]:
    return list(find_shell(ShellFile(Text("run.sh", code))))


def mended(code: str) -> str:
    """The script with every edit that is offered, the last one first."""
    text = Text("run.sh", code)
    for hit in reversed(hits(code)):
        if hit.edit:
            text = splice(text, hit.edit)
    return text.content


def parses(code: str) -> bool:
    return subprocess.run(["bash", "-n"], input=code.encode(), capture_output=True).returncode == 0


# --- executed -----------------------------------------------------------------------------

STEPS = ("python3", "git", "cp", "rsync", "yq", "curl")
LAUNCHES = ("srtctl", "sbatch", "srun", "docker", "torchrun", "vllm", "accelerate", "llama-bench")


@pytest.fixture
def launched(tmp_path: Path):
    """Runs a script in a folder where each step fails and each launch says LAUNCHED."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for names, body in ((STEPS, "exit 1"), (LAUNCHES, "echo LAUNCHED"), (("make",), "exit 0")):
        for name in names:
            (tools / name).write_text(f"#!/bin/sh\n{body}\n")
            (tools / name).chmod(0o755)
    for name in ("common.sh", "base.yaml", "recipe.yaml", "other.yaml"):
        (tmp_path / name).touch()
    names = (
        "CONFIG",
        "RECIPE",
        "CONFIG_FILE",
        "COMMIT",
        "PIN",
        "SRC",
        "DST",
        "CKPT_DIR",
        "LIST",
        "IMAGE",
        "URL",
    )
    env = dict.fromkeys(names, "recipe.yaml") | {
        "PATH": f"{tools}:{os.defpath}",
        "WORKSPACE": str(tmp_path),
        "INJECT": "true",
        "MODE": "prepare",
        "WORK_TREE": "nowhere",
    }

    def run(code: str) -> bool:
        script = tmp_path / "run.sh"
        script.write_text(code)
        script.chmod(0o755)
        argv = (
            [str(script), "--render-only"]
            if code.startswith("#!")
            else ["bash", str(script), "--render-only"]
        )
        done = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=30)
        return "LAUNCHED" in done.stdout

    return run


@pytest.mark.parametrize("example", [e for e in DETECTOR.bad if e.path == "run.sh"], ids=lambda e: e.why)
def test_a_bad_example_launches_behind_its_failed_step_and_mended_it_does_not(example, launched):
    assert launched(example.code)
    assert hits(mended(example.code)) == []
    assert not launched(mended(example.code))


GOOD_ON_PURPOSE = (
    "A fresh clone", "`sed -i` ends", "These fail loudly", "The launching function was", "A copy of results",
    "Nothing says that", "An install that failed",
)  # fmt: skip


@pytest.mark.parametrize(
    "example",
    [e for e in DETECTOR.good if e.path == "run.sh" and not e.why.startswith(GOOD_ON_PURPOSE)],
    ids=lambda e: e.why,
)
def test_a_good_example_does_not_launch_behind_its_failed_step(example, launched):
    assert not launched(example.code)


@pytest.mark.parametrize(
    "code",
    [
        f"stage() {{\n    {STEP}\n    {LAUNCH}}}\nstage\n",
        f"stage() {{\n    {STEP}\n    echo staged\n}}\nstage || exit 1\n{LAUNCH}",
        f"stage() {{ {STEP}; }}\ngo() {{ stage; {LAUNCH}}}\ngo\n",
        f"({STEP}; {LAUNCH})\n",
        f"({STEP}; echo staged) || exit 1\n{LAUNCH}",
        f"for c in a b; do\n    {STEP}\n    {LAUNCH}done\n",
        f'echo x | while read -r line; do\n    {STEP} "$line"\n    {LAUNCH}done\n',
        f"case x in\nx) {STEP} ;;\nesac\n{LAUNCH}",
        f"[ -d nowhere ] || {STEP}\n{LAUNCH}",
        f"echo x | {STEP}\n{LAUNCH}",
        f"A=1 B=2\n{STEP}\n{LAUNCH}",
        f"{STEP}\n\techo done\n{LAUNCH.strip()} &\nwait\n",
        f"set -e\nstage() {{ {STEP}; echo staged; }}\nif stage; then\n{LAUNCH}fi\n",
    ],
)
def test_the_guard_stops_the_launch_wherever_the_step_stands(code, launched):
    (hit,) = hits(code)
    assert hit.edit
    assert launched(code)
    assert not launched(mended(code))
    assert hits(mended(code)) == []


# --- where the guard goes ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "line"),
    [
        (f"{STEP}  # as asked", f"{STEP} || exit 1  # as asked"),
        (f"  {STEP}", f"  {STEP} || exit 1"),
        (f"{STEP}; echo done", f"{STEP} || exit 1; echo done"),
        (f"echo first; {STEP};", f"echo first; {STEP} || exit 1;"),
        (f"{STEP} > log 2>&1", f"{STEP} > log 2>&1 || exit 1"),
        (f"{{ {STEP}; }}", f"{{ {STEP} || exit 1; }}"),
        (f'if [ "$A" ]; then {STEP}; fi', f'if [ "$A" ]; then {STEP} || exit 1; fi'),
        (f'[ "$A" ] || {STEP}', f'[ "$A" ] || {STEP} || exit 1'),
        ('python3 inject.py \\\n    "$CONFIG" \\\n    --all # yes', "    --all || exit 1 # yes"),
        ('python3 - "$CONFIG" <<EOF\nx = 1\nEOF', 'python3 - "$CONFIG" <<EOF || exit 1'),
        (
            "python3 - \"$CONFIG\" <<-'EOF' > log\n\tx\n\tEOF",
            "python3 - \"$CONFIG\" <<-'EOF' > log || exit 1",
        ),
        ('python3 - \\\n  "$CONFIG" <<EOF\nx = 1\nEOF', '  "$CONFIG" <<EOF || exit 1'),
        (f"sudo -u me {STEP}", f"sudo -u me {STEP} || exit 1"),
        (f"CUDA_VISIBLE_DEVICES=0 {STEP}", f"CUDA_VISIBLE_DEVICES=0 {STEP} || exit 1"),
    ],
)
def test_the_guard_goes_behind_the_command_and_touches_nothing_else(step, line):
    code = f"{step}\n{LAUNCH}"
    (hit,) = hits(code)
    assert hit.edit
    assert hit.edit.replacement == line
    assert hit.edit.start_line == hit.edit.line
    assert parses(mended(code))
    assert hits(mended(code)) == []


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (f'[ "$A" ] && {STEP}', "for a false `a` too"),
        (f"({STEP}; echo done)", "`exit` inside `( … )`"),
        (f'echo x | while read -r l; do {STEP} "$l"; echo y; done', "`exit` inside `( … )`"),
    ],
)
def test_no_edit_where_it_would_guard_something_else(step, said):
    (hit,) = hits(f"{step}\n{LAUNCH}")
    assert hit.edit is None
    assert said in hit.fix


def test_windows_line_ends_keep_the_lines_and_the_guard_stands_before_them():
    code = f"echo start\r\n{STEP}\r\n{LAUNCH.strip()}\r\n"
    (hit,) = hits(code)
    assert (hit.start_line, hit.line) == (2, 2)
    assert mended(code) == code.replace(STEP, f"{STEP} || exit 1")


# --- what counts, and how much ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "grade"),
    [
        (f"{STEP}\n{LAUNCH}", Grade.STRONG),
        (f'git checkout "$COMMIT"\n{LAUNCH}', Grade.STRONG),
        (f"git -C src reset --hard v1.2\n{LAUNCH}", Grade.STRONG),
        (f"patch -p1 < fix.patch\n{LAUNCH}", Grade.STRONG),
        (f"rsync -a recipes/ there/\n{LAUNCH}", Grade.STRONG),
        (f'jq .a base.json > "$CONFIG"\n{LAUNCH}', Grade.STRONG),
        (f'./prepare.sh "$CONFIG"\n{LAUNCH}', Grade.STRONG),
        (f'uv run python inject.py "$CONFIG"\n{LAUNCH}', Grade.STRONG),
        (f'PY=python3\n"$PY" inject.py "$CONFIG"\n{LAUNCH}', Grade.STRONG),
        ('python3 set.py "$RECIPE"\nCMD=(srun --config "$RECIPE")\n"${CMD[@]}" bench.sh\n', Grade.STRONG),
        (f"{STEP}\nexec {LAUNCH}", Grade.STRONG),
        (f"{STEP}\nif ! {LAUNCH}then exit 1; fi\n", Grade.STRONG),
        (f"{STEP}\nJOB=$({LAUNCH.strip()})\n", Grade.STRONG),
        (f'{STEP}\nsbatch <<EOF\nvllm serve "$CONFIG"\nEOF\n', Grade.STRONG),
        ('python3 inject.py --m "$MODEL"\nvllm serve "$MODEL"\n', Grade.STRONG),
        ('python3 x.py "$MODEL"\nvllm serve "$MODEL"\n', Grade.HINT),
        ('python3 x.py --save-to "$MODEL"\nvllm serve "$MODEL"\n', Grade.STRONG),
        ('python3 x.py > "$CONFIG"\nvllm serve "$CONFIG"\n', Grade.STRONG),
        ('cd "$TREE"\ncp -r overlay "$TREE/recipes"\nsbatch job.slurm\n', Grade.STRONG),
        ('cp -r overlay "$TREE/recipes"\nsbatch job.slurm\n', Grade.HINT),
        ("cp base.yaml recipes/\ndocker run -v .:/w img\n", Grade.STRONG),
        (f"{STEP} 2>&1 | tee prep.log\n{LAUNCH}", Grade.STRONG),
        (f"{STEP} | tee log\n{LAUNCH}", Grade.STRONG),
        (f"prepare() {{ {STEP}; echo; }}\nprepare || true\nprepare\n{LAUNCH}", Grade.STRONG),
        (f"say() {{ echo $?; }}\n{STEP}\nsay\n{LAUNCH}", Grade.STRONG),
        (f"late() {{ echo x; [ $? -eq 0 ] || exit 1; }}\n{STEP}\nlate\n{LAUNCH}", Grade.STRONG),
        (
            f"source lib.sh\n{'[ -n $A ] || exit 1' + chr(10)}{'test -n $B || exit 1' + chr(10)}" * 3
            + f"{STEP}\n{LAUNCH}",
            Grade.HINT,
        ),
        (f'wget -O "$CONFIG" "$URL"\n{LAUNCH}', Grade.HINT),
        (f"source lib.sh\n{STEP}\n{LAUNCH}", Grade.HINT),
        (f"{STEP} 2>/dev/null\n{LAUNCH}", Grade.HINT),
        (f"set -e\nset +e\n{STEP}\nset -e\n{LAUNCH}", Grade.HINT),
        (f"f() {{ {STEP}; {LAUNCH}}}\n", Grade.HINT),
        (f"trap handler ERR\n{STEP}\n{LAUNCH}", Grade.HINT),
        (f"source lib.sh\n{'make x || exit 1' + chr(10)}" * 3 + f"{STEP}\n{LAUNCH}", Grade.STRONG),
    ],
)
def test_a_measured_form_is_strong_and_a_doubtful_one_a_hint(code, grade):
    assert [hit.grade for hit in hits(code)] == [grade]


@pytest.mark.parametrize(
    "code",
    [
        f"{STEP} &\n{LAUNCH}",
        f"{STEP} | grep -q done\n{LAUNCH}",
        f"{STEP} | tee log\n[ ${{PIPESTATUS[0]}} -eq 0 ] || exit 1\n{LAUNCH}",
        f"set -e\n{STEP} | tee log\n{LAUNCH}",
        f"x=$({STEP} | tee log)\n{LAUNCH}",
        f"x=$({STEP})\n{LAUNCH}",
        f"{STEP}\n",
        f"{LAUNCH}{STEP}\n",
        f'source lib.sh\nwget -O "$CONFIG" "$URL"\n{LAUNCH}',
        f"main() {{ set -e; {STEP}; {LAUNCH}}}\nmain\n",
        f"on() {{ set -e; }}\non\n{STEP}\n{LAUNCH}",
        f"stage() {{ {STEP}; }}\nstage || exit 1\nif ! stage; then exit 1; fi\n{LAUNCH}",
        f"stage() {{ {STEP}; return $?; }}\nstage || exit 1\n{LAUNCH}",
        f'stop() {{ echo no; exit 1; }}\n{STEP}\n[ -s "$CONFIG" ] || stop\n{LAUNCH}',
        f"{STEP}\ncase $? in 0) ;; *) exit 1 ;; esac\n{LAUNCH}",
        f'{STEP}\ntest -s "$CONFIG" || {{ echo no; exit 1; }}\n{LAUNCH}',
        f'git checkout "$COMMIT"\n[ "$(git rev-parse HEAD)" = "$COMMIT" ] || exit 1\n{LAUNCH}',
        f'git clone "$URL" tree\ncd tree || exit 1\n{LAUNCH}',
        f"git clone https://example.org/tree.git\ncd tree || exit 1\n{LAUNCH}",
        f"git checkout -\ngit checkout HEAD~1\ngit switch main\ngit reset --hard origin/main\n{LAUNCH}",
        f"git apply --check fix.patch\npatch --dry-run < fix.patch\n{LAUNCH}",
        f"python3 -m venv env\npython3 -m pip install x\npython3 --version\n{LAUNCH}",
        f'python3 -c \'print(1)\' "$CONFIG"\npython3 show.py "$CONFIG"\n{LAUNCH}',
        f'yq .a "$CONFIG"\njq . "$CONFIG" 2>&1\n{LAUNCH}',
        f"cp -r old new.bak\nmv server.log server.log.1\ncp a b 2>/dev/null\n{LAUNCH}",
        'python3 "$DIR/inject.py"\nsrun "$DIR/bench.sh"\n',
        f"{STEP}\nsrun hostname\nsrun bash -c 'enroot import -o x docker://y'\n",
        f'if [ "$1" ]; then\n    {STEP}\n    exit 0\nfi\n{LAUNCH}',
        f'if [ "$1" ]; then\n    {STEP}\n    exec bash\nfi\n{LAUNCH}',
        f"f() {{\n    {STEP}\n    exit\n}}\nf\n{LAUNCH}",
        f"f() {{\n    {STEP}\n    return\n    {LAUNCH}}}\nf\n",
        f"go() {{ {LAUNCH}}}\ngo\n{STEP}\n",
        f"trap 'cleanup' EXIT\ncleanup() {{ {STEP}; }}\n{LAUNCH}",
    ],
)
def test_silence_where_the_launch_does_not_run_behind_the_failure_or_does_not_care(code):
    assert hits(code) == []


def test_bats_runs_a_test_and_what_it_calls_under_errexit():
    prepare = "prepare() {\n    git checkout v1.2\n    echo prepared\n}\n"
    assert hits(f'{prepare}@test "it launches" {{\n    prepare\n    {STEP}\n    {LAUNCH}}}\n') == []
    assert [hit.line for hit in hits(f"{prepare}launches() {{\n    prepare\n    {LAUNCH}}}\nlaunches\n")] == [
        2
    ]


@pytest.mark.parametrize("right", ["true", ":", 'echo "with stock"', "{ echo no; SKIP=1; }", "warn no >&2"])
@pytest.mark.parametrize("block", ["f", "( git apply a.patch; echo )", "{ git apply a.patch; echo; } 2>log"])
def test_best_effort_on_purpose_is_no_finding(block, right):
    assert hits(f"f() {{ {STEP}; echo; }}\n{block} || {right}\n{LAUNCH}") == []
    (hit,) = hits(f"set -e\nf() {{ {STEP}; echo; }}\n{block} || {right}\nf || exit 1\n{LAUNCH}")
    assert hit.start_line == 2


def test_a_launch_of_which_only_redirections_are_left_is_read():
    assert hits('cp a "$OUT_DIR/a"\nCMD=()\nsbatch "${CMD[@]}" --out "$OUT_DIR"\n') == []


def test_a_step_left_of_tee_is_mended_by_hand():
    (hit,) = hits(f"{STEP} 2>&1 | tee prep.log\n{LAUNCH}")
    assert hit.edit is None
    assert "`set -o pipefail`" in hit.fix
    assert "`${PIPESTATUS[0]}`" in hit.fix


def test_one_finding_for_each_command_at_its_lines():
    code = f'git checkout "$COMMIT"\npython3 inject.py \\\n    "$CONFIG"\n{LAUNCH}{LAUNCH}'
    assert [(hit.start_line, hit.line) for hit in hits(code)] == [(1, 1), (2, 3)]


# --- what is said -----------------------------------------------------------------------------


def test_the_texts_name_the_command_the_launch_its_line_and_the_variable():
    (hit,) = hits(DETECTOR.bad[0].code)
    assert '`python3 …/inject.py "$CONFIG_PATH" "$FRAMEWORK"`' in hit.failure
    assert "at line 14, which reads `CONFIG_PATH`" in hit.failure
    assert "this script never sets errexit" in hit.failure
    assert "guards 2 other commands with `|| exit`" in hit.failure
    assert hit.cost.startswith("GPU hours")
    assert hit.fix == "Append `|| exit 1` to the command, the habit of this file."


def test_the_condition_that_disables_errexit_is_named():
    (hit,) = hits(f"set -e\nf() {{ {STEP}; echo; }}\nif f; then\n{LAUNCH}fi\n")
    assert "bash disregards errexit in what line 3 runs as a condition" in hit.failure


def test_the_claims_are_the_option_the_guards_the_launch_and_what_it_reads():
    code = f"a || exit 1\nb || {{ echo no; exit 1; }}\n{STEP}\nc || return\n  {LAUNCH}"
    (hit,) = hits(code)
    absent, count, launch, reads = hit.claims
    lines = code.split("\n")
    assert (absent.kind, count.kind, launch.kind, reads.kind) == ("absent", "count", "quote", "quote")
    assert not any(re.search(absent.pattern, line) for line in lines)
    assert sum(bool(re.search(count.pattern, line)) for line in lines) == count.expected == 3
    assert (launch.line, launch.pattern) == (5, LAUNCH.strip())
    assert (reads.line, reads.text) == (5, "The launch reads `CONFIG` at line 5.")


@pytest.mark.parametrize(
    "line", ["# set -e is not for us", "true; set -eu", "shopt -so errexit", "set -u -e"]
)
def test_errexit_is_not_called_absent_where_any_line_speaks_of_it(line):
    (hit,) = hits(f"{STEP}\n{LAUNCH}{line}\n")
    assert hit.claims[0].text == "Lines that speak of errexit; at line 1 it is off."
    assert (hit.claims[0].kind, hit.claims[0].expected) == ("count", 1)


# --- who stops when the function has failed --------------------------------------------------

PREP = "f() {\n    git checkout v1\n    echo fin\n}\n"
CALLERS = {
    "f": "exit 1",
    "f || exit 1": "return 1",
    "f || { echo no; exit 1; }": "return 1",
    "die() { echo no; exit 1; }\nf || die": "return 1",
    "if ! f; then exit 1; fi": "return 1",
    "if f; then :; else exit 1; fi": "return 1",
    "f && echo ok || exit 1": "return 1",
    "{ f; } || exit 1": "return 1",
    "(f) || exit 1": "return 1",
    "x=$(f) || exit 1": "return 1",
    "f <<EOF || exit 1\nx\nEOF": "return 1",
    "g() { f || return 1; echo; }\ng || exit 1": "return 1",
    "g() { f; }\ng || exit 1": "return 1",
    "g() { f && echo x; }\ng || exit 1": "return 1",
    "! f && exit 1": "return 1",
    "f && echo ok": None,
    "if f; then echo ok; fi": None,
    "if ! f; then echo no; fi": None,
    "while f; do break; done": None,
    "! f": None,
    "g() { f || return 0; }\ng || exit 1": None,
    "g() { f || return 1; }\ng || echo no": None,
    "f || exit 1\nf || true": None,
    "(f)": None,
    "echo $(f)": None,
    "x=$(f)": None,
    "f | cat": None,
}
UNDER_ERREXIT = {
    "f && echo ok": None,
    "f && echo ok || exit 1": "return 1",
    "if f; then echo ok; fi": None,
    "g() { f && echo x; }\ng": "return 1",
    "{ f && echo x; }": None,
    "(f && echo x)": "return 1",
    "x=$(f)": "return 1",
    "echo $(f)": None,
    "set +e\nf": "exit 1",
}


@pytest.mark.parametrize(
    ("call", "leave"),
    [*CALLERS.items(), *((f"set -e\n{call}", leave) for call, leave in UNDER_ERREXIT.items())],
)
def test_an_edit_in_a_function_is_offered_only_where_its_callers_really_stop(call, leave, launched):
    code = f"{PREP}{call}\nvllm serve foo\n"
    (hit,) = hits(code)
    assert launched(code)
    assert (hit.edit.replacement if hit.edit else None) == (leave and f"    git checkout v1 || {leave}")
    assert launched(mended(code)) is (leave is None)
    if leave is None:
        assert "`|| return 1`" in hit.fix or "leaves only that" in hit.fix


def test_where_a_caller_goes_on_the_fix_says_that_the_calls_need_a_guard_too():
    (hit,) = hits(f"{PREP}f && echo prepared\nvllm serve foo\n")
    assert "and the calls of `f` with `|| exit 1`: as they stand, the script goes on" in hit.fix


# --- output by redirection -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("jq '.a=1' t.json > cfg.json\npython3 bench.py --config cfg.json\n", True),
        ("envsubst < t.yaml > cfg.yaml\nvllm serve --config cfg.yaml\n", True),
        ('envsubst < t.yaml >> "./cfg.yaml"\nvllm serve --config=cfg.yaml\n', True),
        ("cat t.yaml | envsubst >| cfg.yaml\nvllm serve < cfg.yaml\n", True),
        ("python3 render.py > cfg.yaml\nvllm serve --config cfg.yaml\n", True),
        ("jq . a.json > cfg.json 2> run.log\nvllm serve --log run.log\n", False),
        ("jq . a.json > run.json\nvllm serve foo > run.json\n", False),
        ("jq . a.json > cfg.json\n[ -s cfg.json ] || exit 1\nvllm serve --config cfg.json\n", False),
    ],
)
def test_output_by_redirection_is_data_flow(code, found):
    assert [hit.grade for hit in hits(code)] == [Grade.STRONG] * found


# --- what is counted ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "said", "counted"),
    [
        ("# every step: cmd || exit 1\ngit fetch # || exit 1\n", None, None),
        ("# || exit 1\nmake || exit 1\n[ $# -ge 2 ] || exit 1\n", "2 other commands", 2),
        ("echo 'a || exit 1'\nmake || exit 1\n", None, None),
        ("make || { echo no\n  exit 1; }\n", None, None),
        ('[ -n "$TAG" ] || exit 0\n', None, None),
        ('[ -n "$TAG" ] || exit 0\nmake || exit 1\n', "one other command", 1),
        ("make || exit 1; make || exit 2\n", "2 other commands", 1),
        ("cat <<EOF\nmake || exit 1\nEOF\n", None, None),
        ("make || true\n", None, None),
    ],
)
def test_guards_are_counted_from_the_commands_and_claimed_where_the_text_agrees(lines, said, counted):
    (hit,) = hits(f"{lines}{STEP}\n{LAUNCH}")
    assert ("This file guards" in hit.failure) == (said is not None)
    assert said is None or f"guards {said}" in hit.failure
    guards = [claim.expected for claim in hit.claims if claim.text.startswith("Other commands")]
    assert guards == [counted] * bool(counted)


def test_comments_about_guards_are_no_habit():
    code = "source lib.sh\n" + "# make x || exit 1\n" * 5 + f"{STEP}\n{LAUNCH}"
    assert [hit.grade for hit in hits(code)] == [Grade.HINT]


@pytest.mark.parametrize("before", ["set $FLAGS", 'eval "set -e; $X"', "source <(echo 'set -e')"])
def test_errexit_is_not_called_off_where_it_cannot_be_known(before):
    (hit,) = hits(f"{before}\n{STEP}\n{LAUNCH}")
    assert hit.grade is Grade.HINT
    assert "nothing in this file makes sure that errexit is on" in hit.failure
    assert hit.claims[0].text == "Line 1 may set errexit."
    assert all(claim.kind == "quote" for claim in hit.claims)


# --- hostile input ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        "if a; then\n" * 3000 + f"{STEP}\n{LAUNCH}" + "fi\n" * 3000,
        "a && " * 5000 + f"{STEP}\n{LAUNCH}",
        "".join(f"f{n}() {{\n{STEP}\nf{n + 1}\n}}\n" for n in range(2000)) + f"f0\n{LAUNCH}",
        f"echo '{'x' * 1_000_000}'\n{STEP}\n{LAUNCH}",
        f"{STEP}\n{LAUNCH}" * 5000,
        "sudo " * 50_000 + "\n" + LAUNCH,
        f"( {{ if ]] ;; esac )\n{STEP}\n<<< \x00\n{LAUNCH}",
        'X="' + "".join(f"$V{n} " for n in range(5000)) + f'"\n{STEP}\nsrun "$X"\n' * 100,
        "",
    ],
    ids=["deep", "chain", "calls", "long-line", "many", "wrappers", "broken", "wide", "empty"],
)
def test_hostile_scripts_are_read_without_an_exception(code):
    lines = len(Text("run.sh", code).lines)
    assert all(1 <= hit.start_line <= hit.line <= lines for hit in hits(code))


@pytest.mark.parametrize("code", ["git checkout v1;" * 60_000, "a=(" * 6000], ids=["one-line", "costly"])
def test_a_script_that_would_take_minutes_is_refused_by_name(code):
    with pytest.raises(ValueError, match=r"too (?:long|many) to be"):
        hits(f"{code}\n{LAUNCH}")


WORDS = (
    "if a; then",
    "else",
    "fi",
    "while a; do",
    "done",
    "case x in",
    "a)",
    ";;",
    "esac",
    "f() {",
    "{",
    "}",
)
SIGNS = (
    "||",
    "&&",
    "|",
    "&",
    ";",
    "!",
    "(",
    ")",
    "$(",
    "\n",
    "\r\n",
    " \\\n",
    "'",
    '"',
    "# x",
    "> y",
    "\x0c",
    "\u2028",
)
STATEMENTS = (
    "git checkout v1",
    "A=1 B=2",
    "source x",
    "trap f ERR",
    "set -e",
    "set +e",
    "exit",
    "f",
    "<<EOF",
    "EOF",
)
PIECES = st.sampled_from([STEP, f"\n{STEP}\n", f"\n{LAUNCH}", *WORDS, *SIGNS, *STATEMENTS])


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_an_edit_never_breaks_a_script_and_always_mends_it(code):
    text = Text("run.sh", code)
    found = hits(code)
    for hit in found:
        assert 1 <= hit.start_line <= hit.line <= len(text.lines)
        if hit.edit and parses(code):
            done = splice(text, hit.edit).content
            assert parses(done)
            assert len(hits(done)) == len(found) - 1


# --- Python -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ('os.system(f"cp {a} {b}")\nload(b)\n', [1]),
        ('os.system("cp %s %s" % (a, b))\nprint(b)\nload(b)\n', [1]),
        ('os.system("wget -O {}".format(self.path))\nwith open(self.path) as f:\n    pass\n', [1]),
        ('subprocess.run(["rsync", a, b])\nload(b)\n', [1]),
        ('subprocess.call(["tar", "xf", a, "-C", b], cwd=x)\nos.rename(b, c)\n', [1]),
        ('os.system(f"curl -o {f} {u}")\nos.system(f"tar xf {u} -C {d}")\nload(d)\n', [1, 2]),
        ('if x:\n    os.system(f"git clone {u}")\n    build(u)\n', [2]),
        ('subprocess.run(["cp", a, b], check=True)\nload(b)\n', []),
        ('subprocess.run(["cp", a, b], **options)\nload(b)\n', []),
        ('rc = os.system(f"cp {a} {b}")\nload(b)\n', []),
        ('os.system(f"rm -rf {b}")\nload(b)\n', []),
        ('os.system(f"cp {a} {b}")\nload(a)\n', []),
        ('os.system(f"cp {a} {b}")\nif not os.path.exists(b):\n    raise SystemExit\nload(b)\n', []),
        ('os.system(f"cp {a} {b}")\nPath(b).exists() or stop(b)\n', []),
        ('os.system(f"cp {a} {b}")\nb = fresh()\nload(b)\n', []),
        ('os.system(f"cp {a} {b}")\nprint(b)\nlog.info(b)\n', []),
        ('os.system(f"cp {a} {b}")\n', []),
        ("os.system(command)\nload(command)\n", []),
        ('os.system(f"python3 set.py {a}")\nsubprocess.run(["sbatch", a], check=True)\n', [1]),
        ('subprocess.run(["python3", "set.py", a])\nos.system(f"torchrun train.py {a}")\n', [1]),
        ('os.system(f"python3 set.py {a}")\nsubprocess.run(["cat", a], check=True)\n', []),
        ('subprocess.run(["python3", "set.py", a], check=True)\nos.system(f"sbatch {a}")\n', []),
    ],
)
def test_a_thrown_away_process_is_a_hint_where_its_work_is_used_next(code, lines):
    found = list(find_python(PythonFile(Text("x.py", code))))
    assert [hit.start_line for hit in found] == lines
    assert {hit.grade for hit in found} <= {Grade.HINT}


# --- binding ----------------------------------------------------------------------------------

NOTHING_LEFT = DefectClass(
    6, "zero", "Zero-exit with no artifact.", "After `rc=0`, look for the file before arithmetic on its size."
)
HOLES = DefectClass(
    3,
    "holes",
    "`set -u` argument holes.",
    "The shell dies; under `set -e` with no message and exit status 1.",
)
MASKED = DefectClass(
    2, "masked", "A masked exit code", "`run | tee log` has the exit status of `tee`; use `set -o pipefail`."
)
ASSERTS = DefectClass(7, "assert", "`assert` in a verifier", "`python -O` drops it: the check never fails.")
WAITS = DefectClass(4, "wait", "A loop that cannot finish", "The server failed; the job goes on waiting.")


def bound(*classes: DefectClass) -> list[str]:
    skill = Skill("s", "", "SKILL.md", SkillOrigin.PATH, "0", classes=classes)
    return [binding.defect.slug for binding in bind(skill, [DETECTOR])]


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("A step whose failure must stop the script does not", "The launch runs anyway."),
        ("Swallowed failures", "Each step needs a guard."),
        ("Errors are ignored", "The script goes on after them."),
        ("Missing `set -e`", "Use it."),
        ("Commands without `|| exit 1`", "Add it."),
        ("Exit codes nobody reads", "Check the exit code of each preparing step."),
        ("Silent failures", "A command fails and the script continues."),
        ("A failed command does not stop the script", ""),
        ("Unread status", "The launcher has no `set -e` and the step no `|| exit 1`."),
    ],
)
def test_a_class_about_swallowed_failures_is_bound_before_any_other(title, body):
    others = (NOTHING_LEFT, HOLES, MASKED, ASSERTS, WAITS)
    assert bound(*others, DefectClass(8, "mine", title, body)) == ["mine"]


def test_without_one_the_class_of_the_missing_artifact_speaks_for_it():
    assert bound(HOLES, MASKED, NOTHING_LEFT, ASSERTS, WAITS) == ["zero"]


@pytest.mark.parametrize("other", [HOLES, ASSERTS, WAITS, MASKED], ids=lambda c: c.slug)
def test_a_class_about_something_else_is_not_bound(other):
    assert bound(other) == []
