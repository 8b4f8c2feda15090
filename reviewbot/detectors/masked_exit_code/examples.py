"""What masked-exit-code reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        why="`$?` is that of `tail`: a build that failed is pushed.",
        lines=(2,),
        code="""\
#!/usr/bin/env bash
docker build -t "$IMAGE" . 2>&1 | tail -n 20
if [ $? -ne 0 ]; then
    echo "build failed" >&2
    exit 1
fi
docker push "$IMAGE"
""",
    ),
    Example(
        why="`if` asks `tee`, which is content with anything.",
        lines=(1,),
        code="""\
if python3 bench.py --config "$CONFIG" 2>&1 | tee bench.log; then
    touch "$OUT/done"
fi
""",
    ),
    Example(
        why="The guard guards `tee`, and so does the marker.",
        lines=(1, 2),
        code="""\
pytest tests 2>&1 | tee pytest.log || exit 1
make bench | tee make.log && touch bench.done
""",
    ),
    Example(
        why="errexit is on, and does not see what happens left of a pipe.",
        lines=(3,),
        code="""\
#!/bin/bash
set -eu
python3 convert.py --out "$OUT" 2>&1 | tee convert.log
rsync -a "$OUT/" "$SHARE/"
""",
    ),
    Example(
        why="A compressor is content with half a dump, under a guard and under errexit.",
        lines=(1, 3, 4),
        code="""\
mysqldump shop | gzip > shop.sql.gz || exit 1
set -e
pg_dump "$DATABASE" | zstd -q -o "$OUT"
./dump.sh | xz -c > all.xz
""",
    ),
    Example(
        why="The last command of a CI script is its verdict.",
        lines=(3,),
        path="ci/run_tests.sh",
        code="""\
#!/bin/bash
cd tests || exit 1
pytest -x . | tee report.txt
""",
    ),
    Example(
        why="The function returns what `tee` returned, and its caller believes it.",
        lines=(2,),
        code="""\
logged() {
    "$@" 2>&1 | tee -a "$LOG"
}
logged make all || exit 1
""",
    ),
    Example(
        why="Behind the branches `$?` is still that of a `tee`.",
        lines=(2,),
        code="""\
if [ -n "$KEY" ]; then
    ./validate --key "$KEY" | tee result.txt
else
    ./validate | tee result.txt
fi
RESULT=$?
[ "$RESULT" -eq 0 ] || exit 1
""",
    ),
    Example(
        why="In the grammar the pipe belongs to the heredoc.",
        lines=(2,),
        code="""\
set -e
python3 - "$CONFIG" <<'EOF' 2>&1 | tee check.log
raise SystemExit(1)
EOF
sbatch job.slurm
""",
    ),
    Example(
        why="`local` succeeds.",
        lines=(2, 4),
        code="""\
pick() {
    local port=$(free_port)
    [ $? -eq 0 ] || return 1
    local host=$(free_host "$1") || return 1
    echo "$host:$port"
}
""",
    ),
    Example(
        why="The status that is tested is that of `echo`, of `set`, of `local`.",
        lines=(3, 11, 18),
        code="""\
make release
echo "make has ended"
if [ $? -ne 0 ]; then exit 1; fi

run() {
    set +e
    ./measure.sh "$1"
    set -e
    # for the log
    { set +x; } 2>/dev/null
    rc=$?
    return "$rc"
}

finish() {
    python3 report.py
    local status
    status=$?
    exit "$status"
}
""",
    ),
    Example(
        why="At the end of the script `$?` is its status until the handler runs its first command.",
        lines=(3,),
        code="""\
cleanup() {
    echo "cleaning up"
    rc=$?
    rm -rf "$WORK"
    exit "$rc"
}
trap cleanup EXIT
""",
    ),
    Example(
        why="A job that has just been started has not failed yet.",
        lines=(2,),
        code="""\
ffmpeg -i "$URL" -c copy live.wav &
if [ $? -ne 0 ]; then
    echo "no stream" >&2
    exit 1
fi
""",
    ),
    Example(
        why="A hint: a sourced file may have set pipefail.",
        lines=(2,),
        code="""\
source ./common.sh
python3 bench.py | tee log || exit 1
""",
    ),
    Example(
        why="A hint: errexit would have stopped the script, had the assignment stood by itself.",
        lines=(4,),
        code="""\
set -e
arguments() { python3 args.py "$1" || return 1; }
launch() {
    local args=$(arguments "$1")
    python3 serve.py $args
}
launch a
""",
    ),
)

GOOD = (
    Example(
        why="pipefail is on.",
        code="""\
set -eo pipefail
python3 bench.py | tee log
make | tail -5 || exit 1
""",
    ),
    Example(
        why="The right status is read.",
        code="""\
python3 bench.py 2>&1 | tee log
rc=${PIPESTATUS[0]}
[ "$rc" -eq 0 ] || exit "$rc"
set -e
make | tee make.log; test "${PIPESTATUS[0]}" -eq 0
""",
    ),
    Example(
        why="Nobody tests anything here, and `tee` takes nothing away.",
        code="""\
python3 train.py 2>&1 | tee train.log
python3 plot.py
""",
    ),
    Example(
        why="What is piped only talks, or only looks.",
        code="""\
set -e
echo "starting" | tee -a "$LOG"
nvidia-smi | head -n 15
git log --oneline | head -3
docker ps -a | tail -n 2
pip list | tee versions.txt
log "ready" | tee -a "$LOG" || exit 1
""",
    ),
    Example(
        why="A failure is meant not to matter.",
        code="""\
set -e
make bench | tee bench.log || true
python3 plot.py | tail -1 || :
""",
    ),
    Example(
        why="The log is the verdict.",
        code="""\
set -e
make check 2>&1 | tee check.log
if grep -q FAILED check.log; then
    exit 1
fi
""",
    ),
    Example(
        why="The filter decides: its status is meant.",
        code="""\
if ps aux | grep -q "[v]llm"; then exit 1; fi
./probe | awk '/ready/ { found = 1 } END { exit !found }' || exit 1
""",
    ),
    Example(
        why="What is decompressed is tested by that; and these compress files.",
        code="""\
set -e
./fetch.sh archive | gzip -dc > all.sql
./list.py | xz -t
ls *.log | xargs gzip
make report; gzip report.txt
""",
    ),
    Example(
        why="The pipe makes a file of data.",
        code="""\
set -e
./shuffle.pl all.txt | head -n 100 > dev.txt
./list.py | sed 's/a/b/' | sort > names.txt
""",
    ),
    Example(
        why="The status is kept in front of the pipe.",
        code="""\
set -e
{ make all; echo $? > rc; } | tee make.log
exit "$(cat rc)"
""",
    ),
    Example(
        why="Declared first, assigned then; or nobody asks.",
        code="""\
pick() {
    local port
    port=$(free_port) || return 1
    local now=$(date +%s)
    export HOST_IP=$(hostname -I | awk '{print $1}')
    echo "$now $port"
}
""",
    ),
    Example(
        why="The status is taken at once.",
        code="""\
make release
rc=$?
echo "make ended with $rc"
if [ $rc -ne 0 ]; then exit 1; fi
out=$(./measure)
if [ $? -ne 0 ]; then exit 1; fi
sleep 1 &
wait $!
[ $? -eq 0 ] || exit 1
""",
    ),
    Example(
        why="Here errexit has stopped the script already, or `echo` itself is what may fail.",
        code="""\
#!/bin/bash
echo on > "$CONTROL_FILE"
if [ $? -ne 0 ]; then exit 1; fi
set -e
make
echo "made"
exit $?
""",
    ),
    Example(
        why="The handler takes the status first.",
        code="""\
cleanup() {
    local rc=$?
    echo "cleaning up"
    exit "$rc"
}
trap cleanup EXIT
""",
    ),
    Example(
        why="The status is kept and never asked for: a failure is expected, and the log decides.",
        code="""\
set -e
./upload-check "$PACKAGE" 2>&1 | tee check.log
CHECKED=$?
FINAL=0
if grep -q "not registered yet" check.log; then
    echo "this is the first upload"
elif grep -q ERROR check.log; then
    FINAL=1
fi
exit $FINAL
""",
    ),
    Example(
        why="A filter of one line of perl works no more than `sed` does, and nobody asks for its status.",
        code="""\
set -e
cat words.txt | perl -ne 'print unless /^#/' | gzip > words.gz
perl -pe 's/a/b/' < words.txt | tee words.log
""",
    ),
)
