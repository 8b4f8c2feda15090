"""What late-gate reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        why="The recipe has no part in the import, which takes a quarter of an hour.",
        lines=(5,),
        code="""\
#!/bin/bash
set -x
srun -N 1 bash -c "enroot import -o $SQUASH_FILE docker://$IMAGE"
make setup
if [[ -z "$RECIPE" ]]; then
    echo "RECIPE is not set" >&2
    exit 1
fi
srtctl apply -f "$RECIPE"
""",
    ),
    Example(
        why="Another stage asks for its own option, when the first has run for hours; `=~` excludes nothing.",
        lines=(5,),
        code="""\
if [[ $TASKS =~ quant ]]; then
    python hf_ptq.py --model "$MODEL" --export "$SAVE_PATH"
fi
if [[ $TASKS =~ eval ]]; then
    if [ -z "$EVAL_TASKS" ]; then
        echo "no tasks"
        exit 1
    fi
    lm_eval --tasks "$EVAL_TASKS" --model_args "$SAVE_PATH"
fi
""",
    ),
    Example(
        why="That the export exists already could be seen before three trainings; so could the tool.",
        lines=(7,),
        code="""\
die() {
    echo "$*" >&2
    exit 1
}
set -euo pipefail
torchrun train.py --output-dir "$RUN_DIR"
[[ ! -e "$EXPORT_PATH" ]] || die "$EXPORT_PATH exists already"
command -v zstd >/dev/null || die "zstd is missing"
python export.py --from "$RUN_DIR" --to "$EXPORT_PATH"
""",
    ),
    Example(
        why="A variable that must be set, and the number of arguments, are known from the start.",
        lines=(3,),
        code="""\
set -e
python3 convert_checkpoint.py --in "$SRC" --out "$DST"
: "${HF_TOKEN:?is needed for the upload}"
if [ $# -lt 2 ]; then exit 2; fi
python3 upload.py "$DST" "$2"
""",
    ),
    Example(
        why="The phase hides in a function that is called first.",
        lines=(5,),
        code="""\
quantize() {
    python quantize_model.py --model "$MODEL"
}
quantize
[ -w "$TAP_DIR" ] || exit 1
srun ./score.sh "$TAP_DIR"
""",
    ),
)

GOOD = (
    Example(
        why="All that must be there is tested first.",
        code="""\
[ -n "$RECIPE" ] || exit 1
command -v srtctl >/dev/null || exit 1
srun ./train.sh "$RECIPE"
""",
    ),
    Example(
        why="The variable comes from the launch's own answer.",
        code="""\
JOB_ID=$(sbatch --parsable job.slurm)
OUTPUT=$(srtctl apply -f "$CONFIG")
NUMBER=$(echo "$OUTPUT" | grep -o '[0-9]*')
if [ -z "$NUMBER" ]; then
    exit 1
fi
""",
    ),
    Example(
        why="The two stand in branches that exclude each other.",
        code="""\
if [ "$MODE" = run ]; then
    srun ./bench.sh
else
    [ -n "$TOKEN" ] || exit 1
fi
""",
    ),
    Example(
        why="So they do in two ifs that ask for different values of one variable.",
        code="""\
if [ "$MODE" = run ]; then
    srun ./bench.sh
fi
if [ "$MODE" = upload ]; then
    [ -n "$TOKEN" ] || exit 1
fi
""",
    ),
    Example(
        why="A probe is no expensive phase; neither is what goes on in the background.",
        code="""\
srun hostname
docker run --rm --gpus all "$IMAGE" nvidia-smi
docker run -d --name server "$IMAGE"
vllm serve "$MODEL" &
[ -n "$TOKEN" ] || exit 1
""",
    ),
    Example(
        why="The folder is what the launch has made.",
        code="""\
torchrun train.py --output-dir "$RUN_DIR"
WEIGHTS="$RUN_DIR/weights"
[ -d "$WEIGHTS" ] || exit 1
""",
    ),
    Example(
        why="The file comes from a command between the two.",
        code="""\
torchrun train.py
tar xf data.tar -C "$DATA_DIR"
if [ ! -d "$DATA_DIR" ]; then exit 1; fi
""",
    ),
    Example(
        why="The tool has just been installed.",
        code="""\
srun ./bench.sh
pip install lm-eval
command -v lm_eval || exit 1
""",
    ),
    Example(
        why="A result is asked for, and a status.",
        code="""\
python3 convert_weights.py
rc=$?
[ "$rc" -eq 0 ] || exit 1
[ -f "$RESULT_FILE" ] || exit 1
[ "$(ls out | wc -l)" -gt 0 ] || exit 1
""",
    ),
    Example(
        why="The test ends nothing, or ends well.",
        code="""\
srun ./train.sh
if [ -z "$TOKEN" ]; then echo "no upload"; fi
if [ -z "$UPLOAD" ]; then exit 0; fi
""",
    ),
    Example(
        why="A download for an option that few give is no phase of every run.",
        code="""\
if [ -n "$PRETRAINED" ]; then
    huggingface-cli download "$PRETRAINED" --local-dir .
fi
if [ "$STAGE" -le 5 ]; then
    [ -n "$HUB_NAME" ] || exit 1
    ./push.sh "$HUB_NAME"
fi
""",
    ),
)
