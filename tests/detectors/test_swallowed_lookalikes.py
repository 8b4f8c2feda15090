"""swallowed-failure: what was once taken for a launch, for its input, or for a GPU job, and is none."""

from __future__ import annotations

import pytest

from reviewbot.core.types import Grade, Text
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.shell.launches import bare, is_launch
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.swallowed_failure import find_python, find_shell

LAUNCH = 'srtctl apply -f "$CONFIG"\n'
STEP = 'python3 inject.py "$CONFIG"'


def hits(code: str) -> list[Hit]:
    return list(find_shell(ShellFile(Text("run.sh", code))))


@pytest.mark.parametrize(
    ("command", "launches"),
    [
        ("local/train_data_prep.sh a b", False),
        ("python3 split/train_test_split.py", False),
        ("python3 eval_prep.py", False),
        ("bash pretrain_dataset.sh", False),
        ("bash train.sh data", True),
        ("python3 train_data_parallel.py", True),
        ("python3 eval_dataset.py", True),
        ("md-eval.pl -s hyp", False),
        ("perl eval.pl hyp", False),
        ("eval_word_error.py hyp", False),
        ("python3 eval_wer.py hyp", False),
        ("python3 eval_model.py", True),
        ("python3 eval_pl.py", True),
        ("python3 train_error_model.py", True),
        ("python3 -m lm_eval --model m", True),
    ],
)
def test_what_prepares_a_split_or_scores_a_file_was_called_a_launch(command, launches):
    assert is_launch(bare(command.split())) is launches
    found = hits(f'git checkout "$COMMIT"\n{command}\n')
    assert [hit.grade for hit in found] == [Grade.STRONG] * launches


@pytest.mark.parametrize(
    ("step", "launch", "found"),
    [
        ('./make_x.sh "$OUT_DIR/x"', 'srun ./bench.sh "$OUT_DIR/y"', False),
        ('./make_x.sh "${OUT_DIR}/x"', 'srun ./bench.sh --log="$OUT_DIR"/log/y', False),
        ('./make_x.sh "$OUT_DIR/x"', 'srun ./bench.sh "${OUT_DIR}"/x', True),
        ('./make_x.sh "$OUT_DIR/x"', 'srun ./bench.sh "${OUT_DIR%/}/x/part.json"', True),
        ('./make_x.sh "$OUT_DIR/x/part.json"', 'srun ./bench.sh "$OUT_DIR/x/"', True),
        ('./make_x.sh "$OUT_DIR/x"', 'srun ./bench.sh "$OUT_DIR"', True),
        ('./make_x.sh "$OUT_DIR"', 'srun ./bench.sh "$OUT_DIR/y"', True),
        ('./make_x.sh "$OUT_DIR/x"', 'srun ./bench.sh "$OUT_DIR/y" "$OUT_DIR/x"', True),
        ('IN=$OUT_DIR/x\n./make_x.sh "$OUT_DIR/x"', 'srun ./bench.sh --log "$OUT_DIR/y" "$IN"', True),
        ('./make_x.sh "$OUT_DIR/x"', 'srun ./bench.sh "$OUT_DIR/x.old"', False),
    ],
)
def test_a_shared_folder_was_taken_for_what_the_step_makes_in_it(step, launch, found):
    assert [hit.grade for hit in hits(f"{step}\n{launch}\n")] == [Grade.STRONG] * found


def test_a_step_that_works_in_a_shared_folder_was_said_to_be_what_the_launch_runs_on():
    (inside,) = hits('./make_x.sh "$OUT_DIR/x"\nsrun ./bench.sh "$OUT_DIR"\n')
    (itself,) = hits('./inject.sh "$OUT_DIR"\nsrun ./bench.sh "$OUT_DIR/x"\n')
    assert inside.failure.endswith("then runs without its work.")
    assert itself.failure.endswith("then runs on it as it was before.")


@pytest.mark.parametrize(
    ("copy", "launch", "found"),
    [
        ('cp "$CONFIG" "$CONFIG.org"', LAUNCH, False),
        ('cp "$CONFIG" "$CONFIG".before', LAUNCH, False),
        ("mv -f a.yaml a.yaml-1", "srun ./bench.sh a.yaml\n", False),
        ("cp a.yaml a.yaml.run", "srun ./bench.sh a.yaml.run\n", True),
        ('cp "$CONFIG" "$CONFIG".run', 'srun ./bench.sh "$CONFIG.run"\n', True),
        ("cp a.yaml b.yaml", "srun ./bench.sh c.yaml\n", True),
    ],
)
def test_an_original_that_is_set_aside_was_said_to_be_missing_at_the_launch(copy, launch, found):
    assert [hit.grade for hit in hits(f"{copy}\n{launch}")] == [Grade.STRONG] * found


@pytest.mark.parametrize(
    ("step", "launch", "grade"),
    [
        ("./make_plan.sh plan.json", "srun ./bench.sh plan.json || exit 1", Grade.HINT),
        ("./make_plan.sh -o plan.json x", "if ! srun ./bench.sh plan.json; then exit 1; fi", Grade.HINT),
        ("./make_plan.sh plan.json", "srun ./bench.sh plan.json", Grade.STRONG),
        ("./make_plan.sh plan.json x", "srun ./bench.sh plan.json || exit 1", Grade.STRONG),
        ("./inject_plan.sh plan.json", "srun ./bench.sh plan.json || exit 1", Grade.STRONG),
    ],
)
def test_a_guarded_launch_that_fails_itself_for_want_of_its_file_was_as_sure_as_any(step, launch, grade):
    assert [hit.grade for hit in hits(f"{step}\n{launch}\n")] == [grade]


@pytest.mark.parametrize(
    ("makes", "uses", "found"),
    [
        ('"cp a.h " + out + "/sample/"', "write_cmake(out)", False),
        ('f"cp a.h {out}/sample"', "write_cmake(out)", False),
        ('f"cp a.h {out}/sample"', "build(f'{out}/sample')", True),
        ('f"cp a.h {out}/sample"', "build(join(out, 'sample'))", True),
        ('f"cp a.h {out}/*"', "build(out)", True),
        ("f'cp a.h \"{out}\"; sync'", "build(out)", True),
        ('["cp", "a.h", out + "/sample"]', "write_cmake(out)", False),
        ('["cp", out, "sample"]', "write_cmake(out)", True),
        ('"cp a.h {}".format(out)', "build(out)", True),
        ('"cp a.h %s" % out', "build(out)", True),
        ('f"tar -xf a -C {out}"', "found = glob(out)\nassert len(found) == 1", False),
        ('f"tar -xf a -C {out}"', "found = glob(out)\nload(found)", True),
        ('f"cp a.h {out}/sample"', 'os.system(f"cp {out}/b.h {there}")', False),
        ('f"cp a.h {out}/sample"', 'os.system(f"cp {out}/sample {there}")', True),
    ],
)
def test_in_python_a_folder_was_taken_for_the_file_that_was_copied_into_it(makes, uses, found):
    code = f"import os\nos.system({makes})\n{uses}\n"
    assert [hit.start_line for hit in find_python(PythonFile(Text("a.py", code)))] == [2] * found


def test_in_python_the_file_is_named_and_no_gpu_is_spoken_of():
    code = 'import os\nos.system(f"ffmpeg -i {clip} {stem}.wav")\nread(f"{stem}.wav")\n'
    (hit,) = find_python(PythonFile(Text("a.py", code)))
    assert hit.failure.endswith("line 3 still works on `{stem}.wav`.")
    assert hit.cost.startswith("A run on a file that is missing, cut short or from an earlier run")


@pytest.mark.parametrize(
    ("launch", "cost"),
    [
        ("python3 evaluate.py plan.json", "A run"),
        ("mpirun solver plan.json", "A run"),
        ("CUDA_VISIBLE_DEVICES=0 python3 evaluate.py plan.json", "GPU hours"),
        ("#SBATCH --gres=gpu:8\npython3 train.py plan.json", "GPU hours"),
        ("timeout 60 torchrun train.py plan.json", "GPU hours"),
        ("python3 -m lm_eval --tasks plan.json", "GPU hours"),
        ("llama-bench -f plan.json", "GPU hours"),
        ("apptainer exec app.sif solver plan.json", "A run"),
        ("docker run solver plan.json\n# GPU", "A run"),
    ],
)
def test_gpu_hours_were_the_cost_of_a_launch_without_a_gpu(launch, cost):
    (hit,) = hits(f"./inject.sh plan.json\n{launch}\n")
    assert hit.cost.startswith(f"{cost} on an input that was not prepared")


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("true\n. utils/options.sh", "errexit is on only if `utils/options.sh` at line 2 sets it."),
        (
            "source one.sh\nsource two.sh",
            "errexit is on only if `two.sh` at line 2, or a line before it, sets it.",
        ),
        (
            'source one.sh\nif [ -n "$CI" ]; then set -e; fi',
            "nothing in this file makes sure that errexit is on.",
        ),
    ],
)
def test_that_nothing_makes_sure_of_errexit_stood_beside_the_line_that_may(before, said):
    (hit,) = hits(f"{before}\n{STEP}\n{LAUNCH}")
    assert f"goes on: nothing reads its status, and {said}" in hit.failure
