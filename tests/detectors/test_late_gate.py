"""late-gate: what counts as an expensive phase, as a gate, and as needing nothing of the phase."""

from __future__ import annotations

import pytest

from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors import DETECTORS
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.late_gate import DETECTOR, find
from reviewbot.detectors.shell.script import ShellFile

GATE = 'if [ -z "$TOKEN" ]; then exit 1; fi\n'


def hits(code: str) -> list[Hit]:
    return list(find(ShellFile(Text("run.sh", code))))


def lines(code: str) -> list[int]:
    return [hit.start_line for hit in hits(code)]


def test_a_hint_that_quotes_the_phase():
    (hit,) = hits("echo start\nsrun ./train.sh\n" + GATE)
    assert (hit.start_line, hit.line, hit.grade, hit.edit) == (3, 3, Grade.HINT, None)
    assert '`[ -z "$TOKEN" ]` needs nothing that `srun ./train.sh` at line 2 makes' in hit.failure
    (claim,) = hit.claims
    assert (claim.kind, claim.line, claim.pattern) == ("quote", 2, "srun ./train.sh")


@pytest.mark.parametrize(
    "phase",
    [
        "srun ./train.sh",
        "torchrun pretrain.py",
        "docker run --rm --gpus all image ./bench.sh",
        "python hf_ptq.py --model m",
        "python3 tools/convert_to_gguf.py m",
        "enroot import -o x.sqsh docker://image",
        "hf download org/model",
        "sudo timeout 3600 vllm bench serve",
    ],
)
def test_what_is_expensive(phase: str):
    assert lines(f"{phase}\n{GATE}") == [2]


def test_the_gates_behind_one_phase_are_one_finding():
    tests = [f'[ -n "$V{n}" ] || exit 1\n' for n in range(8)]
    (one, *_), (two, *_), (many, *_) = (hits("srun ./train.sh\n" + "".join(tests[:n])) for n in (1, 2, 8))
    assert (one.also, "So " in one.failure) == ((), False)
    assert (two.start_line, two.also) == (2, ((3, 3),))
    assert two.failure.endswith("So is the test of line 3.")
    assert many.failure.endswith("So are the tests of lines 3, 4, 5, 6, 7 and 2 more.")
    assert one.fix == "Move the test in front of line 1."
    assert two.fix == "Move these tests in front of line 1."


STAGES = "if [ $stage -le 3 ]; then\n  srun ./train.sh\nfi\n"


def test_a_gate_is_moved_with_the_condition_of_its_stage():
    staged = STAGES + "if (( stop_stage >= 5 )); then\n{}fi\n"
    assert hits(staged.format(GATE))[0].fix == (
        "Move the test in front of line 2, with its condition `(( stop_stage >= 5 ))`."
    )
    inner = staged.format(f'if [ "$push" ]; then\n{GATE}fi\n')
    assert hits(inner)[0].fix == "Move the test in front of line 2, with the conditions of lines 4 and 5."
    assert hits(staged.format(GATE + GATE.replace("TOKEN", "HUB")))[0].fix == (
        "Move these tests in front of line 2, each with the conditions that it stands under."
    )
    other = STAGES + f"if a; then\n  b\nelse\n{GATE}fi\n"
    assert hits(other)[0].fix == "Move the test in front of line 2, with the conditions of line 6."


def test_the_conditions_around_both_need_no_word():
    code = f"if a; then\n  srun ./train.sh\n  {GATE}fi\n"
    assert hits(code)[0].fix == "Move the test in front of line 2."


def test_a_download_that_always_runs_is_a_phase():
    assert lines(f"hf download org/model\n{GATE}") == [2]
    assert lines(f'if [ -n "$M" ]; then\n  hf download "$M"\nfi\n{GATE}') == []
    assert lines(f"case $1 in\n  a) hf download m ;;\nesac\n{GATE}") == []


@pytest.mark.parametrize(
    "phase",
    [
        "srun hostname",
        "srun ./train.sh &",
        "docker run -itd image",
        "docker run --rm image nvidia-smi",
        "docker run --rm image python --version",
        "if docker run image; then :; fi",
        "kubectl apply -f job.yaml",
        "python3 check_quantized.py m",
        "python3 plot_bench.py m",
        "make setup",
    ],
)
def test_what_is_not(phase: str):
    assert lines(f"{phase}\n{GATE}") == []


@pytest.mark.parametrize(
    "gate",
    [
        '[ -z "$TOKEN" ] && exit 1',
        '[[ -n $TOKEN ]] || { echo "no token" >&2; exit 2; }',
        'test -d "$MODEL_DIR" || exit 1',
        'if [ ! -w "$TAP_DIR" ] || [ "$x" ]; then echo no; exit 1; fi',
        "if ! command -v zstd >/dev/null 2>&1; then exit 1; fi",
        "which zstd >/dev/null || exit 1",
        ': "${TOKEN:?}"',
        "[ $# -eq 2 ] || exit 1",
        '[ -e "$EXPORT_DIR" ] && exit 1',
    ],
)
def test_what_is_a_gate(gate: str):
    assert lines(f"srun ./train.sh\n{gate}\n") == [2]
    assert lines(f"{gate}\nsrun ./train.sh\n") == []


@pytest.mark.parametrize(
    "gate",
    [
        '[ -z "$TOKEN" ] && exit 0',
        '[ -z "$TOKEN" ] && echo none',
        '[ -z "$TOKEN" ]',
        "[ -f out/metrics.json ] || exit 1",
        '[ "$rc" -ne 0 ] && exit 1',
        "[ $? -eq 0 ] || exit 1",
        '[ -z "$(ls out)" ] && exit 1',
        '[ -f "$RESULT_FILE" ] || exit 1',
        '[ "$MODE" = fast ] || exit 1',
        'command -v "$TOOL" || exit 1',
        ": ${TOKEN:=x}",
    ],
)
def test_what_is_none(gate: str):
    assert lines(f"srun ./train.sh\n{gate}\n") == []


@pytest.mark.parametrize(
    "between",
    [
        "TOKEN=$(cat token)",
        "read -r TOKEN < token",
        "for TOKEN in a b; do :; done",
        "mapfile -t TOKEN < tokens",
    ],
)
def test_a_value_that_comes_in_between(between: str):
    assert lines(f"srun ./train.sh\n{between}\n{GATE}") == []
    assert lines(f"{between}\nsrun ./train.sh\n{GATE}")[-1:] == [3]


def test_a_value_that_a_function_sets_may_come_at_any_time():
    assert lines(f"fetch() {{\n    TOKEN=$(cat token)\n}}\nsrun ./train.sh\nfetch\n{GATE}") == []


def test_a_folder_that_a_command_in_between_works_on():
    assert lines('srun ./train.sh\nmkdir -p "$DATA_DIR"\n[ -w "$DATA_DIR" ] || exit 1\n') == []
    assert lines('srun ./train.sh\necho "$DATA_DIR"\n[ -w "$DATA_DIR" ] || exit 1\n') == [3]


def test_a_gate_is_said_once_and_of_the_first_phase():
    code = f"srun ./a.sh\nsrun ./b.sh\n{GATE}{GATE}"
    (hit,) = hits(code)
    assert (hit.start_line, hit.also, "line 1 makes" in hit.failure) == (3, ((4, 4),), True)


def test_a_function_that_guards_its_own_phase_is_not_late_for_its_second_call():
    assert lines('one() {\n    [ -n "$TOKEN" ] || return 1\n    srun ./a.sh\n}\none\none\n') == []


def test_cases_of_one_variable_exclude_each_other():
    run = 'case "$MODE" in\n    run) srun ./a.sh ;;\nesac\n'
    push = 'case "$MODE" in\n    push) [ -n "$TOKEN" ] || exit 1 ;;\nesac\n'
    assert lines(run + push) == []
    assert lines(run + push.replace("MODE", "STEP")) == [5]


def test_thousands_of_phases_and_gates_in_deep_branches():
    code = 'if [ "$A" = 1 ]; then\n' * 200 + "srun ./a.sh\n" * 500 + GATE * 500 + "fi\n" * 200
    (hit,) = hits(code)
    assert (hit.start_line, len(hit.also)) == (701, 7)  # as far as the flow is followed


@pytest.mark.parametrize(
    "title",
    [
        "Preconditions checked too late",
        "Late validation",
        "Checks that come after the long phase",
        "Input tests run after the job was started",
        "Gates behind an expensive step",
    ],
)
def test_titles_that_bind(title: str):
    found = bind(
        Skill("s", "", "S", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),)), [DETECTOR]
    )
    assert [b.defect.title for b in found] == [title]


@pytest.mark.parametrize(
    "title",
    [
        "A server that outlives its launcher",
        "Tests that are skipped",
        "Retries after a failed job",
        "Late imports",
    ],
)
def test_titles_that_are_somebody_elses(title: str):
    skill = Skill("s", "", "S", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert DETECTOR.id not in [b.detector.id for b in bind(skill, DETECTORS.values())]
