"""What unchecked-artifact reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        why="Without the file `stat` says nothing, and the arithmetic goes on without it.",
        lines=(3,),
        code="""\
set -e
python3 convert_arm.py --plan "$PLAN" --out "$OUT"
echo "size: $(( $(stat -c %s "$OUT") / 1048576 )) MiB"
""",
    ),
    Example(
        why="A status of 0 is taken for a file.",
        lines=(4,),
        code="""\
python3 quantize_model.py --model "$MODEL" --output "$OUT"
rc=$?
if [ "$rc" -eq 0 ]; then
    SIZE=$(du -sm "$OUT" | cut -f1)
    sha256sum "$INDEX" >> sums.txt
fi
""",
    ),
    Example(
        why="The last line says that it worked, whatever happened.",
        lines=(3,),
        code="""\
#!/bin/bash
python3 convert_checkpoint.py --in "$SRC" --out "$DST"
echo "Conversion complete: $DST"
""",
    ),
    Example(
        why="`exit 0` says the same without words.",
        lines=(2,),
        code="""\
torchrun train.py --config "$CONFIG" --output-dir "$RUN_DIR"
exit 0
""",
    ),
    Example(
        why="The run may leave no result, and nobody is told.",
        lines=(3,),
        code="""\
set -e
srun ./bench.sh --results results
cp results/*.json "$ARCHIVE/" 2>/dev/null || true
""",
    ),
    Example(
        why="A backup is looked at on the day on which it is needed.",
        lines=(2, 4, 6),
        code="""\
pg_dump --dbname="$DATABASE" --file="$OUT"
echo "backup complete: $OUT"
mysqldump shop > "$SHOP_DUMP"
echo "Backup finished"
tar -czf "$ARCHIVE" /srv/data
log "backup of the data done"
""",
    ),
    Example(
        why="In Python: the size of a file that an earlier run may have left.",
        lines=(8,),
        path="convert.py",
        code="""\
import os
import subprocess


def arm(plan, out):
    done = subprocess.run(["convert", plan, out])
    if done.returncode == 0:
        return os.path.getsize(out)
    return None
""",
    ),
    Example(
        why="The same with pathlib, and a status of its own name.",
        lines=(7,),
        path="convert.py",
        code="""\
import subprocess


def size(plan, out):
    rc = subprocess.call(["convert", plan, str(out)])
    if not rc:
        return out.stat().st_size
    return 0
""",
    ),
)

GOOD = (
    Example(
        why="The artifact is tested before it is measured.",
        code="""\
python3 convert_arm.py --out "$OUT" || exit 1
[ -s "$OUT" ] || exit 1
echo "$(( $(stat -c %s "$OUT") / 1024 )) KiB"
""",
    ),
    Example(
        why="The size of an input.",
        code="""\
lines=$(( $(wc -l < "$CORPUS") - 100 ))
python3 convert_arm.py --lines "$lines" --out "$OUT"
[ -s "$OUT" ] || exit 1
""",
    ),
    Example(
        why="Shown to a reader, and nothing is computed with it.",
        code="""\
python3 convert_arm.py --out "$OUT" || exit 1
du -sh "$OUT"
""",
    ),
    Example(
        why="errexit is on: the last line is reached only when the command has ended well.",
        code="""\
set -e
python3 convert_checkpoint.py --out "$DST"
echo "done: $DST"
""",
    ),
    Example(
        why="Somebody reads the status.",
        code="""\
if python3 convert_checkpoint.py --out "$DST"; then
    echo "done"
fi
python3 convert_checkpoint.py --out "$DST" && echo "done"
python3 convert_checkpoint.py --out "$DST" || exit 1
echo "done"
""",
    ),
    Example(
        why="The echo claims no success, and the listing shows what is there.",
        code="""\
python3 convert_checkpoint.py --out "$DST"
echo "Converting $SRC"
python3 convert_shards.py --out "$SHARDS"
echo "done"
ls -l "$SHARDS"
""",
    ),
    Example(
        why="Logs may be missing, a cache is no result, and a trap saves what there is.",
        code="""\
set -e
trap 'cp results/*.json "$ARCHIVE/" || true' EXIT
srun ./bench.sh --results results
cp logs/*.log "$ARCHIVE/" || true
cp -r "$CACHE" results || :
""",
    ),
    Example(
        why="The result was seen; its copy is a second one.",
        code="""\
set -e
srun ./bench.sh --results results
test -s results/bench.json
cp results/bench.json "$ARCHIVE/" || true
""",
    ),
    Example(
        why="Whether there is a backup is asked; and what is unpacked is none.",
        code="""\
pg_dump --dbname="$DATABASE" --file="$OUT"
[ -s "$OUT" ] && echo "backup complete: $OUT"
mysqldump shop > "$SHOP_DUMP" || exit 1
echo "Backup finished"
tar -xzf "$ARCHIVE" -C /srv
echo "done"
tar -czf - /srv/data | ssh vault 'cat > data.tgz'
echo "done"
""",
    ),
    Example(
        why="In Python: the file is asked for first.",
        path="convert.py",
        code="""\
import os
import subprocess


def arm(plan, out):
    rc = subprocess.call(["convert", plan, out])
    if rc == 0 and os.path.exists(out):
        return os.path.getsize(out)
    if rc == 0:
        if os.path.isfile(out):
            return os.path.getsize(out)
    return None
""",
    ),
    Example(
        why="Another count is 0, and the size is that of an input.",
        path="convert.py",
        code="""\
def total(paths, errors):
    if errors == 0:
        return sum(path.stat().st_size for path in paths)
    return 0
""",
    ),
)
