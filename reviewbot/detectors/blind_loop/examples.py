"""What blind-loop reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        """\
#!/bin/bash
set -euo pipefail
vllm serve "$MODEL" --port 8000 > server.log 2>&1 &
VLLM_PID=$!
nvidia-smi -l 5 > gpu.log &
MON_PID=$!
until curl -sf http://localhost:8000/health > /dev/null; do
  echo "waiting for the server"
  sleep 5
done
python bench.py
kill "$VLLM_PID" "$MON_PID"
""",
        "the server's process id is stored and never looked at",
        lines=(7,),
    ),
    Example(
        """\
#!/bin/bash
wait_for_server() {
  while ! nc -z localhost "$1"; do sleep 1; done
}
python -m server --port 9000 &
SERVER_PID=$!
wait_for_server 9000
while [ ! -f "$OUT/ready" ]; do
  sleep 10
done
until [ "$(cat "$OUT/state")" = ok ]; do sleep 1; done
""",
        "in a function before the job is known; for a file; for what a file says",
        lines=(3, 8, 11),
    ),
    Example(
        """\
#!/bin/sh
serve() {
  start_server & PID=$!
  until test -S /run/server.sock; do sleep 1; done
}
serve || exit 1
while true; do
  if curl -s "$URL" | grep -q ready; then break; fi
  sleep 2
done
""",
        "a function whose caller reads its status; a loop for ever that only success breaks",
        lines=(4, 7),
    ),
    Example(
        """\
#!/bin/bash
for i in $(seq 1 60); do
  kubectl get nodes | grep -q gpu && break
  sleep 30
done
helm install stack ./chart
while [ "$(ls out/*.done | wc -l)" -lt 8 ]; do
  sleep 5
done
""",
        "a poll that runs out and goes on as if it had succeeded; a count that may never be reached",
        lines=(2, 7),
    ),
    Example(
        """\
#!/bin/bash
for round in $(seq 1 "$MAX_ROUNDS"); do
  python push.py --corpus "$CORPUS"
done
""",
        "rounds that nobody measures",
        lines=(2,),
    ),
    Example(
        """\
import time

import requests


def wait(url, port, args, client):
    while not is_ready(url):
        print("waiting")
        time.sleep(2)
    while requests.get(url).status_code != 200:
        time.sleep(1)
    for _ in range(args.max_rounds):
        client.push(port)
""",
        "Python: two polls with no deadline, and rounds that nobody measures",
        lines=(7, 10, 12),
        path="wait.py",
    ),
)

GOOD = (
    Example(
        """\
#!/bin/bash
serve & PID=$!
until curl -sf localhost:8000/health; do
  kill -0 "$PID" || exit 1
  sleep 5
done
while kill -0 "$PID"; do sleep 60; done
while curl -sf localhost:8000/health; do sleep 60; done
""",
        "it looks at the process; it runs while the process, or the server, is well",
    ),
    Example(
        """\
#!/bin/bash
end=$((SECONDS + 600))
until curl -sf localhost:8000/health || [ $SECONDS -gt $end ]; do sleep 5; done
until curl -sf localhost:8000/health || [ $((i++)) -ge 100 ]; do sleep 5; done
curl -sf localhost:8000/health || exit 1
tries=0
while ! nc -z localhost 80 && [ "$tries" -lt 30 ]; do
  sleep 1
  tries=$((tries + 1))
done
[ "$tries" -lt 30 ] || exit 1
timeout 600 bash -c 'until curl -sf localhost:8000; do sleep 1; done'
""",
        "a deadline, a counter that is compared, a time limit around the loop",
    ),
    Example(
        """\
#!/bin/bash
( until [ -f ready ]; do sleep 1; done; echo ready ) &
watch_log() { while [ ! -s run.log ]; do sleep 1; done; tail -f run.log; }
watch_log &
until grep -q done run.log; do sleep 1; done &
until squeue -j "$JOB" | grep -q R; do sleep 30; done
until job_is_active "$JOB"; do sleep 30; done
""",
        "watchers in the background, and the life of a job of one's own",
    ),
    Example(
        """\
#!/bin/bash
( sleep 600; kill -TERM $$ ) &
docker run -d "$IMAGE" & PID=$!
until curl -sf localhost:8000/health; do sleep 5; done
""",
        "a watchdog ends the whole script",
    ),
    Example(
        """\
#!/bin/bash
while true; do
  collect_metrics
  sleep 60
done
""",
        "a daemon: it is meant to run for ever",
    ),
    Example(
        """\
#!/bin/bash
stop=
trap 'stop=1' TERM
while [ -z "$stop" ]; do sleep 1; done
while [ ! -f "$STOP_FILE" ]; do
  python sync.py
  sleep 60
done
while ! read -r -t 1 line; do sleep 1; done
""",
        "a signal ends it; it works until it is told to stop; it reads",
    ),
    Example(
        """\
#!/bin/bash
wait_ready() {
  until curl -sf localhost:8000/health; do
    grep -q Traceback server.log && return 1
    sleep 5
  done
}
until curl -sf localhost:8000/health; do
  sleep 5
  check_server
done
check_server() { [ -d "/proc/$PID" ] || exit 1; }
""",
        "another way out: a failure in the log, a function that leaves",
    ),
    Example(
        """\
#!/bin/bash
for i in {1..60}; do
  if curl -sf localhost:8000/health; then ready=1; break; fi
  sleep 5
done
[ "${ready:-}" = 1 ] || exit 1
for i in {1..60}; do
  curl -sf localhost:8000/health && break
  [ "$i" -lt 60 ] || exit 1
  sleep 5
done
stop_server() {
  kill "$PID"
  for i in 1 2 3; do
    kill -0 "$PID" || break
    sleep 1
  done
  kill -KILL "$PID"
}
for round in $(seq 1 "$MAX_ROUNDS"); do
  before=$(du -sb out | cut -f1)
  python push.py
done
""",
        "the poll's end is looked at; an escalation; rounds that are measured",
    ),
    Example(
        """\
import time


def wait(ready, proc, stop, queue, deadline):
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError("not ready")
        time.sleep(1)
    while not stop.is_set():
        time.sleep(1)
    while proc.poll() is None:
        time.sleep(1)
    while not queue.full():
        queue.put(make())
        time.sleep(0.1)
    for attempt in range(max_attempts):
        if send(attempt):
            break
""",
        "Python: a deadline, the program's own state, a producer, an attempt that can succeed",
        path="wait.py",
    ),
    Example(
        """\
import time


def bench(link, payload, args):
    seconds = []
    for _ in range(args.num_rounds):
        start = time.perf_counter()
        link.send(payload)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def launched(table, job):
    while table.schedule_state(job) != LAUNCHING:
        time.sleep(GAP)
    while not my_turn(job):
        time.sleep(GAP)
""",
        "Python: every round is timed; a queue is waited in for as long as it takes",
        path="bench.py",
    ),
    Example(
        """\
#!/bin/bash
for i in {1..30}; do
  if docker info > /dev/null 2>&1; then break; fi
  if [ "$i" -eq 30 ]; then echo "WARNING: no Docker after 30 s, going on without" >&2; fi
  sleep 1
done
docker network create kind || echo "no network"
for round in $(seq 1 "$ROUNDS"); do
  before=$(date +%s)
  python push.py
  echo "$round $(( $(date +%s) - before ))"
done
""",
        "the limit is reported where it is reached; rounds that are timed",
    ),
)
