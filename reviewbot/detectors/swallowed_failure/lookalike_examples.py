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
)

GOOD = (
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
