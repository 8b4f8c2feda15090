"""What only looks like a launch, or like what a launch runs on; and beside it what is one."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        why="The file itself is read, by the name under which the failed step was to write it.",
        lines=(1,),
        path="pairs.sh",
        code="""\
python3 make_pairs.py "$PAIRS_DIR/pairs.jsonl"
python3 bench_reader.py --data "$PAIRS_DIR/pairs.jsonl"
""",
    ),
    Example(
        why="So is the wave file here.",
        lines=(5,),
        path="features.py",
        code="""\
import os


def features(clip, stem):
    os.system(f"ffmpeg -y -i {clip} {stem}.wav")
    return spectrum(read_wave(f"{stem}.wav"))
""",
    ),
    Example(
        why="`tee` takes the place of the status, and no errexit minds.",
        lines=(2,),
        path="prepare.sh",
        code="""\
#!/bin/bash
python3 tools/prepare.py "$CONFIG" 2>&1 | tee prep.log
sbatch job.slurm "$CONFIG"
""",
    ),
    Example(
        why="What lies among the results is read again.",
        lines=(1,),
        path="resume.sh",
        code="""\
cp last.pt "$OUT_DIR/last.pt"
torchrun train.py --output-dir "$OUT_DIR" --resume "$OUT_DIR/last.pt"
""",
    ),
    Example(
        why="Below a folder that everything uses both name the same file, and one of them reads it.",
        lines=(3,),
        path="bench.sh",
        code="""\
#!/bin/bash
RESULTS="results/$(date +%F)"
python3 patch_config.py "$RESULTS/config.yaml"
srun vllm bench --config "$RESULTS/config.yaml" --result-dir "$RESULTS"
""",
    ),
    Example(
        why="So they do where the launch has it from a list of arguments.",
        lines=(2,),
        path="bench.sh",
        code="""\
ARGS=(--config "${WORKDIR}/config.yaml")
cp template.yaml "$WORKDIR"/config.yaml
srun vllm bench "${ARGS[@]}"
""",
    ),
)

GOOD = (
    Example(
        why="Of a folder that everything uses each has a file of its own.",
        path="bench.sh",
        code="""\
python3 summarize.py "$RESULTS/last.yaml"
cp "$RESULTS/config.yaml" "$RESULTS/config.before.yaml"
srun vllm bench --config "$RESULTS/config.yaml"
""",
    ),
    Example(
        why="Both write there: what a run says, and what it found.",
        path="bench.sh",
        code="""\
python3 make_prompts.py --out "$RESULTS/found.json" >> "$LOGS/run.log"
srun vllm bench --result-filename "$RESULTS/found.json" >> "$LOGS/run.log"
""",
    ),
    Example(
        why="A variable in the middle of two paths names no file, nor does the script that both run.",
        path="bench.sh",
        code="""\
python3 "$WORKDIR/job.py" prepare "/old/$USER/config.yaml"
srun python3 "$WORKDIR/job.py" serve --config "/new/$USER/config.yaml"
""",
    ),
    Example(
        why="What prepares the train split trains nothing.",
        path="corpus.sh",
        code="""\
tools/fetch_speech.sh "$SPEECH_FILES"
tools/train_data_prep.sh "$SPEECH_FILES" data/train
python3 tools/eval_split.py "$SPEECH_FILES" data/eval
""",
    ),
    Example(
        why="A scorer compares two files, and fails itself where one is missing.",
        path="score.sh",
        code="""\
python3 make_segments.py "$OUT/hyp.seg"
segment-eval.pl -r "$REF" -s "$OUT/hyp.seg" > "$OUT/score" || exit 1
eval_word_error.py "$OUT/hyp.seg"
""",
    ),
    Example(
        why="The original is set aside, and the launch does not read the copy.",
        path="filter.sh",
        code="""\
cp "$RECIPE_DIR/a.yaml" "$RECIPE_DIR/a.yaml.org"
cp "$CONFIG" "$CONFIG".before
srun ./bench.sh "$RECIPE_DIR/a.yaml" "$CONFIG"
""",
    ),
    Example(
        why="Two files of one folder are two files.",
        path="page.sh",
        code="""\
python3 render_page.py --out "$OUT_DIR/page.html"
srun ./bench.sh --log "$OUT_DIR/bench.json"
""",
    ),
    Example(
        why="Two that read one model prepare nothing for each other.",
        path="measure.sh",
        code="""\
MODEL_PATH="$1"
python3 accuracy.py --model "$MODEL_PATH"
python3 latency.py --model="$MODEL_PATH"
python3 benchmark_serving.py --model "$MODEL_PATH"
""",
    ),
    Example(
        why="A copy beside the results says what was run; the run does not read it.",
        path="record.sh",
        code="""\
cp "$0" "$OUT_DIR/"
cp "$CONFIG" "$OUT_DIR/config_used.yaml"
torchrun train.py --config "$CONFIG" --output-dir "$OUT_DIR"
cp "$0" "$RUN_DIR/run.sh"
ARGS=(--config "$CONFIG" --save-dir="$RUN_DIR/ckpt")
torchrun train.py "${ARGS[@]}" 2>&1 | tee "$RUN_DIR/train.log"
""",
    ),
    Example(
        why="A container without a mount sees nothing of it, nor a job of somebody's own settings.",
        path="start.sh",
        code="""\
cp -r template "$PROJECT"
docker run -d redis
cp ~/.ssh/config /tmp/sshcfg
srun ./bench.sh
""",
    ),
    Example(
        why="The function behind it reads the status before it does anything.",
        path="checked.sh",
        code="""\
check() { if [ $? -ne 0 ]; then echo "failed: $1"; exit 1; fi; }
assert_success() {
    local s=$?
    [ "$s" -eq 0 ] || exit "$s"
}
git checkout v1.2.3
check "checkout"
git apply fix.patch
assert_success
sbatch job.slurm
""",
    ),
    Example(
        why="It may fail, and that is said where it is called.",
        path="warm.sh",
        code="""\
set -e
warm_cache() {
    cp -r /nfs/cache/. "$CACHE_DIR"
    echo warmed
}
apply_patch() {
    git apply tuning.patch
    echo patched
}
warm_cache || true
apply_patch || echo "continuing with stock"
(
    git apply optional.patch
    echo patched
) || :
srun --container-mounts="$CACHE_DIR" python3 bench.py
""",
    ),
    Example(
        why="A file is restored; the revision stays.",
        path="restore.sh",
        code="""\
git checkout configs/x.yaml
git checkout "$REF" -- configs/y.yaml
git checkout "$REF" configs
sbatch job.slurm
""",
    ),
    Example(
        why="In Python too: the folder is not the header that was to be copied into it.",
        path="build.py",
        code="""\
import os


def build(out):
    os.system("cp ../include/api.h " + out + "/include/")
    write_makefile(out)
""",
    ),
    Example(
        why="What was unpacked is looked for.",
        path="unpack.py",
        code="""\
import glob
import os


def unpack(archive, folder):
    os.system(f"tar -xf {archive} -C {folder}")
    found = glob.glob(os.path.join(folder, "*.pt"))
    if len(found) != 1:
        raise SystemExit(f"{archive}: {len(found)} checkpoints")
    return found[0]
""",
    ),
)
