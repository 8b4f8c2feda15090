"""What swallowed-failure reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        why="The injector's failure is lost in the noise of `set -x`; the job is submitted as it was.",
        lines=(11,),
        code="""\
#!/usr/bin/env bash
set -x
cd "$WORKSPACE" || exit 1
CONFIG_PATH="${CONFIG_FILE%%:*}"
if [[ ! -f "$CONFIG_PATH" ]]; then
    echo "no such recipe: $CONFIG_PATH" >&2
    exit 1
fi
make setup || exit 1
if [[ "$INJECT" == true ]]; then
    python3 "$GITHUB_WORKSPACE/runners/inject.py" "$CONFIG_PATH" "$FRAMEWORK"
fi
ARGS=(-f "$CONFIG_PATH" --tags "$TAG")
OUTPUT=$(srtctl apply "${ARGS[@]}" 2>&1)
echo "$OUTPUT"
""",
    ),
    Example(
        why="The launch names the variable that the edited path was cut from.",
        lines=(2,),
        code="""\
RECIPE_PATH="${RECIPE%%:*}"
python3 set_name.py "$RECIPE_PATH" "$NAME"  # the runner's name
echo "submitting"
srtctl apply -f "$RECIPE"
""",
    ),
    Example(
        why="Without the pinned commit the job measures whatever was checked out before.",
        lines=(3, 4),
        code="""\
git clone https://example.org/harness.git
cd harness
git checkout 0a1b2c3d
cp -rT "$OVERLAY" \\
    recipes/overlay
sbatch --wait job.slurm
""",
    ),
    Example(
        why="A patch that does not apply leaves the code as it was; sh has no other rule.",
        lines=(2,),
        code="""\
#!/bin/sh
git apply fixes/kernel.patch; echo "patched"
docker run --gpus all "$IMAGE"
""",
    ),
    Example(
        why="A heredoc program is a step like any other.",
        lines=(1,),
        code="""\
python3 - "$CONFIG" <<'EOF'
import sys
raise SystemExit(f"no key in {sys.argv[1]}")
EOF
srun python train.py --config "$CONFIG"
""",
    ),
    Example(
        why="errexit comes too late for the first step.",
        lines=(1,),
        code="""\
git checkout "$COMMIT"
set -euo pipefail
torchrun train.py
""",
    ),
    Example(
        why="After `set +e` nothing stops the script any more.",
        lines=(6,),
        code="""\
#!/bin/bash
set -e
set +e
grep -q fast "$LIST"
echo "preparing"
yq -i '.precision = "fp8"' "$CONFIG"
vllm serve --config "$CONFIG"
""",
    ),
    Example(
        why="bash ignores errexit inside a function that is called in a condition.",
        lines=(3,),
        code="""\
set -e
prepare() {
    git checkout "$PIN"
    echo "prepared"
}
if prepare; then
    srun ./bench.sh
fi
""",
    ),
    Example(
        why="Left of `||` bash disregards the subshell's own errexit too.",
        lines=(3,),
        code="""\
(
    set -e
    git checkout "$COMMIT"
    make
) || exit 1
sbatch job.slurm
""",
    ),
    Example(
        why="The step is the status of its function, and nobody reads that.",
        lines=(2,),
        code="""\
stage() {
    rsync -a "$SRC/" "$DST/"
}
stage
accelerate launch train.py --data "$DST"
""",
    ),
    Example(
        why="The launch hides in a function that is called later.",
        lines=(4,),
        code="""\
submit() {
    sbatch job.slurm "$1"
}
python3 convert_weights.py --out "$CKPT_DIR"
submit "$CKPT_DIR"
""",
    ),
    Example(
        why="Guarding a part does not guard the rest: the copy before it stays unread.",
        lines=(2,),
        code="""\
(
    cp base.yaml "$RECIPE"
    chmod 644 other.yaml
) || exit 1
srtctl apply -f "$RECIPE"
""",
    ),
    Example(
        why="A hint: the sourced library may set errexit.",
        lines=(2,),
        code="""\
source "$(dirname "$0")/common.sh"
python3 inject.py configs/decode.yaml
srtctl apply -f configs/decode.yaml
""",
    ),
    Example(
        why="A hint: the weights may be cut short, and the server may notice.",
        lines=(1,),
        code="""\
curl -fL "$URL" -o "$MODEL_FILE"
llama-bench -m "$MODEL_FILE"
""",
    ),
    Example(
        why="A hint in Python: the copy may not have happened when the marker is written.",
        lines=(6,),
        path="convert.py",
        code="""\
import os
import torch


def finish(source, target):
    os.system(f"cp -r {source}/tokenizer {target}")
    weights = torch.load(source)
    torch.save(weights, f"{target}/model.pt")
""",
    ),
)

GOOD = (
    Example(
        why="errexit is on.",
        code="""\
set -euo pipefail
python3 inject.py "$CONFIG"
srtctl apply -f "$CONFIG"
""",
    ),
    Example(
        why="errexit is on from the first line.",
        code="""\
#!/bin/bash -e
git checkout "$COMMIT"
sbatch job.slurm
""",
    ),
    Example(
        why="Each step says what its failure means.",
        code="""\
git checkout "$COMMIT" || exit 1
if ! python3 inject.py "$CONFIG"; then exit 1; fi
cp a.yaml "$CONFIG" && python3 check.py "$CONFIG" && srtctl apply -f "$CONFIG"
""",
    ),
    Example(
        why="The guard stands behind `<<EOF`, where the grammar hides it.",
        code="""\
python3 - "$CONFIG" <<'EOF' || { echo "patch failed"; exit 1; }
print("patched")
EOF
srun ./serve.sh "$CONFIG"
""",
    ),
    Example(
        why="The status is read on the next line.",
        code="""\
python3 inject.py "$CONFIG"
rc=$?
[ "$rc" -eq 0 ] || exit "$rc"
git apply fix.patch
if [ $? -ne 0 ]; then exit 1; fi
srtctl apply -f "$CONFIG"
""",
    ),
    Example(
        why="`set +e` makes room for reading the status.",
        code="""\
set -e
set +e
python3 inject.py "$CONFIG"
rc=$?
set -e
[ "$rc" -eq 0 ] || exit 1
srtctl apply -f "$CONFIG"
""",
    ),
    Example(
        why="The artefact itself is tested before the launch.",
        code="""\
python3 render.py --out "$CONFIG"
if [ ! -s "$CONFIG" ]; then
    exit 1
fi
srtctl apply -f "$CONFIG"
""",
    ),
    Example(
        why="The script ends here, whatever the step did.",
        code="""\
if [ "$1" = --render-only ]; then
    python3 render.py --out "$CONFIG"
    exit
fi
srtctl apply -f "$CONFIG"
""",
    ),
    Example(
        why="The launch is in another branch.",
        code="""\
if [ "$MODE" = prepare ]; then
    git checkout "$COMMIT"
else
    sbatch job.slurm
fi
""",
    ),
    Example(
        why="So it is in a case.",
        code="""\
case "$MODE" in
    stage) rsync -a "$SRC" "$DST" ;;
    run) srun ./bench.sh "$DST" ;;
esac
""",
    ),
    Example(
        why="A fresh clone is on main anyway.",
        code="""\
git checkout main
git checkout -b scratch
git checkout -- recipes
sbatch job.slurm
""",
    ),
    Example(
        why="`sed -i` ends with 0 where nothing matched: its status proves nothing.",
        code="""\
sed -i "s/^name:.*/name: $NAME/" "$CONFIG"
perl -pi -e 's/a/b/' "$CONFIG"
srtctl apply -f "$CONFIG"
""",
    ),
    Example(
        why="A clone that failed leaves nothing to enter.",
        code="""\
git clone "$URL" "$WORK_TREE"
cd "$WORK_TREE" || exit 1
srun ./bench.sh "$WORK_TREE"
""",
    ),
    Example(
        why="An install that failed is noticed by the tool's absence.",
        code="""\
pip install -e .
uv pip install srtctl
if ! command -v srtctl >/dev/null; then
    exit 1
fi
srtctl apply -f "$CONFIG"
""",
    ),
    Example(
        why="These fail loudly at the launch.",
        code="""\
hf download "$MODEL" --local-dir "$MODEL_PATH"
enroot import -o "$SQUASH_FILE" "docker://$IMAGE"
srun --container-image="$SQUASH_FILE" vllm serve "$MODEL_PATH"
""",
    ),
    Example(
        why="The ERR trap ends the script.",
        code="""\
trap 'echo "failed at $LINENO" >&2; exit 1' ERR
python3 inject.py "$CONFIG"
srtctl apply -f "$CONFIG"
""",
    ),
    Example(
        why="The step is the status of its function, and the call is checked.",
        code="""\
stage() {
    rsync -a "$SRC/" "$DST/"
}
stage || exit 1
torchrun train.py --data "$DST"
""",
    ),
    Example(
        why="errexit is on inside the subshell.",
        code="""\
(
    set -e
    git checkout "$COMMIT"
    sbatch job.slurm
)
""",
    ),
    Example(
        why="The launching function was called before.",
        code="""\
submit() { sbatch job.slurm; }
submit
git checkout "$NEXT"
""",
    ),
    Example(
        why="A copy of results between two launches, and a back-up, may fail.",
        code="""\
cp "$CONFIG" "$CONFIG.bak"
srun ./bench.sh --config recipe.yaml
cp results.json "$KEEP/"
srun ./eval.sh
""",
    ),
    Example(
        why="Nothing says that the launch needs these.",
        code="""\
python3 "$SCRIPT_DIR/prepare.py" --seed 1
python3 "$HERE/report.py" "$CONFIG"
wget -q "$LIST_URL"
srun bash "$SCRIPT_DIR/bench.sh" --config "$CONFIG"
""",
    ),
    Example(
        why="In Python: a failure raises, is read, or its work is looked for.",
        path="convert.py",
        code="""\
import os
import subprocess


def finish(source, target):
    subprocess.run(["cp", source, target], check=True)
    if os.system(f"cp {source} {target}") != 0:
        raise SystemExit(1)
    os.system(f"cp {source} {target}")
    if not os.path.exists(target):
        raise SystemExit(1)
    os.system(f"rm -rf {target}/cache")
    load(target)
""",
    ),
)
