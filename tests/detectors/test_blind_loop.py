"""blind-loop: which loops are waits without an end, and what the edit does when the process dies."""

from __future__ import annotations

import subprocess

import pytest

from reviewbot.core.rehearse import splice
from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.blind_loop import DETECTOR, find_shell
from reviewbot.detectors.blind_loop.endless_poll import find_python
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.embedded import blocks
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.shell.script import ShellFile


def hits(code: str) -> list[Hit]:
    return list(find_shell(ShellFile(Text("run.sh", code))))


def python_hits(code: str) -> list[Hit]:
    return list(find_python(PythonFile(Text("run.py", code))))


def mended(code: str) -> str:
    (hit,) = hits(code)
    assert hit.edit
    return splice(Text("run.sh", code), hit.edit).content


def run(code: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    argv = ["bash", "/dev/stdin"]
    return subprocess.run(argv, input=code, capture_output=True, text=True, timeout=2, env=env)


DEAD = """\
#!/bin/bash
false &
SERVER_PID=$!
until [ -e /nonexistent/ready ]; do
  sleep 0.05
done
echo ready
"""


def test_a_dead_process_holds_the_script_until_the_edit_looks_at_it():
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run(["bash", "-c", DEAD], timeout=0.5, check=False)
    done = run(mended(DEAD))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("the process in SERVER_PID has died\n")


def test_the_edit_lets_a_live_process_be_waited_for():
    code = DEAD.replace("false &", "sleep 5 > /dev/null 2>&1 &").replace(
        "[ -e /nonexistent/ready ]", "[ -e / ]"
    )
    done = run(mended(code) + 'kill "$SERVER_PID"\n')
    assert (done.returncode, done.stdout) == (0, "ready\n")


def test_the_process_is_named_with_its_line_and_the_claims_are_the_two_halves():
    (hit,) = hits(DEAD)
    assert (hit.start_line, hit.line, hit.grade) == (4, 4, Grade.STRONG)
    assert "`SERVER_PID` (line 3)" in hit.failure
    assert 'kill -0 "$SERVER_PID" || exit 1' in hit.fix
    assert [(c.kind, c.line, c.text) for c in hit.claims] == [
        ("quote", 3, "Line 3 stores the process id."),
        ("absent", None, "No line of this script runs `kill -0`."),
        ("absent", None, "No line of this script sets errexit."),
    ]


WAIT = "until curl -sf localhost; do sleep 1; done\n"


@pytest.mark.parametrize(
    ("before", "named"),
    [
        ("a & A=$!\nb & B=$!\n", None),
        ("a & A=$!\nnvidia-smi & GPU_MONITOR=$!\n", "A"),
        ('a & A=$!\nkill "$A"\n', None),
        ('a & A=$!\nwait "$A"\n', None),
        ('a & A=$!\nkill -0 "$A" || exit 1\n', "A"),
        ("f() { local A; a & A=$!; }\n", None),
        ("a &\nPIDS+=($!)\n", None),
        ('a & A="${!}"\n', "A"),
    ],
)
def test_the_process_of_the_edit_is_the_only_one_that_is_still_running(before, named):
    (hit,) = hits(before + WAIT)
    if named is None:
        assert hit.edit is None
        assert "tries=0" in hit.fix
    else:
        assert f'kill -0 "${named}"' in mended(before + WAIT)


PROBE = "until curl -sf http://localhost:8000/health; do sleep 1; done\n"
ELSEWHERE = PROBE.replace("localhost", "other.example")


@pytest.mark.parametrize(
    "job",
    [
        "docker run -d --name s image",
        "docker run --gpus all -dit image",
        "nohup podman run --detach image",
        "docker compose up -d",
        "sbatch server.slurm",
        "start() { docker run -d image; }\nstart",
        'CMD="docker run -d image"\n$CMD',
        "wget -q http://localhost:8000/x",
        "python3 download.py --port 8000",
        "kubectl apply -f server.yaml",
    ],
)
def test_a_client_that_is_gone_at_once_is_no_sign_of_what_it_started(job):
    (hit,) = hits(f"{job} & SERVER_PID=$!\nuntil curl -sf localhost:8000/health; do sleep 1; done\n")
    assert hit.edit is None
    assert "SERVER_PID" not in hit.failure + hit.fix
    assert "no limit, and no look at a process" in hit.failure


def test_the_edit_would_have_broken_a_script_whose_client_ends_at_once():
    code = DEAD.replace("false &", "docker run -d image &").replace("[ -e /nonexistent/ready ]", "probe")
    code = "#!/bin/bash\nn=0\ndocker() { :; }\nprobe() { [ $((n += 1)) -gt 4 ]; }\n" + code
    (hit,) = hits(code)
    assert hit.edit is None
    assert run(code).stdout == "ready\n"


@pytest.mark.parametrize(
    ("job", "named"),
    [
        ('python3 download.py & DL=$!\n{}wait "$DL"\n', None),
        ("python3 work.py & VLLM_PID=$!\n{}", "VLLM_PID"),
        ("vllm serve m & P=$!\n{}", "P"),
        ("python3 -m api_server & P=$!\n{}", "P"),
        ("./serve.sh & P=$!\n{}", "P"),
        ("vllm serve m & S=$!\npython3 work.py & W=$!\n{}", None),
        ("vllm serve m --port 8000 & S=$!\npython3 work.py & W=$!\n{}", "S"),
        ("PORT=8000\nvllm serve m --port $PORT & S=$!\nvllm serve n & W=$!\n{}", "S"),
        ("vllm serve m --port 8001 & S=$!\n{}", None),
        ("redis-server --daemonize yes & P=$!\n{}", None),
        ("vllm serve m & P=$!\n" + ELSEWHERE, None),
        ("vllm serve m --port 8000 & P=$!\n" + PROBE.replace("localhost", "$OTHER_NODE"), None),
        ("H=127.0.0.1\nvllm serve m & P=$!\n" + PROBE.replace("localhost", "$H"), "P"),
        ("vllm serve m & P=$!\n" + PROBE.replace("localhost", "${H:-localhost}"), "P"),
        ("vllm serve m & P=$!\n" + PROBE.replace("curl", "ssh node curl"), None),
        ("python3 preserve.py & P=$!\nuntil ./check_it; do sleep 1; done\n", None),
        ("python3 server.py & P=$!\nuntil ./check_it; do sleep 1; done\n", "P"),
        ("run() { exec vllm serve m; }\nrun & P=$!\n{}", "P"),
        ('work --host "$NODE" & P=$!\nuntil curl -sf "$NODE"; do sleep 1; done\n', "P"),
        ("work --port 8123 & P=$!\nuntil nc -z node 8123; do sleep 1; done\n", None),
        ("work --port 8123 & P=$!\nuntil nc -z localhost 8123; do sleep 1; done\n", "P"),
        ("work --out run/ready & P=$!\nuntil [ -f run/ready ]; do sleep 1; done\n", "P"),
        ("work & P=$!\nuntil [ -f run/ready ]; do sleep 1; done\n", None),
        ("work & P=$!\nuntil nc -z 127.0.0.1 8123; do sleep 1; done\n", "P"),
    ],
)
def test_the_process_is_named_only_where_a_sign_says_that_it_is_waited_for(job, named):
    code = job.replace("{}", PROBE)
    (hit,) = hits(code)
    if named:
        assert f"If the process in `{named}`" in hit.failure
        assert f'kill -0 "${named}"' in mended(code)
    else:
        assert hit.edit is None
        assert "$DL" not in hit.fix
        assert "process in" not in hit.failure


TWO = """\
vllm serve a --port 8000 & A_PID=$!
vllm serve b --port 8001 & B_PID=$!
"""


@pytest.mark.parametrize(("port", "pid"), [(8000, "A_PID"), (8001, "B_PID"), (8002, None)])
def test_of_two_servers_the_one_with_the_port_that_is_asked_is_looked_at(port, pid):
    (hit,) = hits(TWO + PROBE.replace("8000", str(port)))
    assert ("process in" in hit.failure) is (pid is not None)
    assert (f'kill -0 "${pid}"' in hit.edit.replacement) if pid else hit.edit is None


STEP = """\
jobs:
  a:{}
    steps:
      - run: |
          until curl -sf localhost; do sleep 1; done
{}"""
MINUTES = "timeout-minutes: 10\n"


@pytest.mark.parametrize(
    ("job", "step", "grade"),
    [
        ("", "", Grade.STRONG),
        ("\n    " + MINUTES.strip(), "", Grade.HINT),
        ("", "        " + MINUTES, Grade.HINT),
    ],
)
def test_a_wait_in_a_workflow_lasts_until_a_limit_and_is_a_hint_where_the_limit_is_set(job, step, grade):
    (block,) = blocks(Text(".github/workflows/a.yml", STEP.format(job, step))).read
    (hit,) = find_shell(ShellFile(block.text))
    assert hit.grade is grade
    assert "until the time limit of the job" in hit.failure
    assert "for ever" not in hit.failure


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("( sleep 600; kill $$ ) &\n", False),
        ("( sleep 600; kill -TERM $$ ) &\nWD=$!\n", False),
        ("{ sleep 600; kill 0; } &\n", False),
        ("sleep 600 && kill -9 ${$} &\n", False),
        ("( sleep 600; kill -- -$$ ) > /dev/null 2>&1 &\n", False),
        ("ME=$$\n( sleep 600; kill $ME ) &\n", False),
        ("stop() { sleep 600; kill $$; }\nstop &\n", False),
        ('( while kill -0 "$P"; do sleep 5; done; kill $$ ) &\n', False),
        ('[ "$IN" ] || IN=1 exec timeout 600 "$0" "$@"\n', False),
        ('( sleep 600; kill "$OTHER" ) &\n', True),
        ("( while kill -0 $$; do sleep 5; done ) &\n", True),
        ("trap 'kill 0' EXIT\n", True),
        ("timeout 60 prepare\n", True),
        ("TMOUT=600\n", True),
    ],
)
def test_a_watchdog_bounds_every_wait_behind_it(before, found):
    assert bool(hits(before + WAIT)) is found
    assert hits(WAIT + before)
    assert bool(hits("f() { " + WAIT + "}\n" + before + "f\n")) is found


def test_a_watchdog_really_ends_the_loop():
    code = "( sleep 0.3; kill $$ ) > /dev/null 2>&1 &\nuntil [ -e /nonexistent/x ]; do sleep 0.05; done\n"
    assert hits(code) == []
    assert run(code).returncode == -15


def test_tmout_does_not_end_a_loop_of_a_script():
    code = "TMOUT=1\nn=0\nuntil [ $((n += 1)) -gt 15 ]; do sleep 0.1; done\necho on\n"
    assert run(code).stdout == "on\n"


@pytest.mark.parametrize(
    ("call", "leave"),
    [
        ("serve || exit 1", "return 1"),
        ("serve || echo no", None),
        ("serve && echo ok", None),
        ("serve", "exit 1"),
        ("set -e\nserve", "return 1"),
        ("serve | tee log", None),
    ],
)
def test_in_a_function_the_edit_leaves_so_that_the_script_notices(call, leave):
    (hit,) = hits("serve() {\n  server & PID=$!\n  " + WAIT + "}\n" + call + "\n")
    assert (hit.edit is None) == (leave is None)
    if hit.edit:
        assert f"; {leave}; }}" in hit.edit.replacement


@pytest.mark.parametrize(
    "loop",
    [
        "until curl -sf x; do sleep 1; done",
        "until curl -sf x | grep -q ok; do echo waiting; sleep 1; done",
        "while ! curl -sf x; do sleep 1; done",
        "while ! curl -sf x; do :; sleep 1; done < /dev/null",
        "while [ ! -f x ]; do sleep 1; done",
        "while [[ ! -S x ]]; do sleep 1; done",
        "while ! test -e x; do log waiting; sleep 1; done",
        'until [ "$(cat x)" = ok ]; do sleep 1; done',
        "until timeout 5 curl -sf x; do sleep 1; done",
        "until false || curl -sf x; do n=$((n + 1)); echo $n; sleep 1; done",
    ],
)
def test_an_unbounded_wait_is_strong(loop):
    assert [hit.grade for hit in hits(loop + "\n")] == [Grade.STRONG]


@pytest.mark.parametrize(
    "loop",
    [
        'while [ "$(cat x)" != ok ]; do sleep 1; done',
        'while [ -z "$ip" ]; do ip=$(address); sleep 1; done',
        "while true; do curl -sf x && break; sleep 1; done",
        "while :; do if [ -f x ]; then break; fi; sleep 1; done",
        "until [ ! -f lock ]; do sleep 1; done",
        "until ./fetch_it; do sleep 1; done",
    ],
)
def test_a_wait_in_a_rarer_form_is_a_hint(loop):
    assert [hit.grade for hit in hits(loop + "\n")] == [Grade.HINT]


@pytest.mark.parametrize(
    "loop",
    [
        "while curl -sf x; do sleep 1; done",
        "while [ -f lock ]; do sleep 1; done",
        "until ! curl -sf x; do sleep 1; done",
        "until curl -sf x; do sleep 1; kill -0 $P || exit 1; done",
        "until curl -sf x; do sleep 1; ps -p $P; done",
        "until curl -sf x; do sleep 1; [ -d /proc/$P ]; done",
        "until curl -sf x; do sleep 1; docker inspect c; done",
        "until curl -sf x; do sleep 1; clean_exit; done",
        "until curl -sf x; do sleep 1; done &",
        "{ until curl -sf x; do sleep 1; done; } &",
        "(sleep 1; until curl -sf x; do sleep 1; done) &",
        "f() { until curl -sf x; do sleep 1; done; }\nf &",
        "f() { until curl -sf x; do sleep 1; done; }\nexport -f f; timeout 9 bash -c f",
        "until curl -sf x || (( SECONDS > 60 )); do sleep 1; done; curl -sf x || exit",
        "until squeue -j $J | grep R; do sleep 1; done",
        "while ! job_is_alive; do sleep 1; done",
        "until read -t 1 x; do sleep 1; done",
        'until [ -n "$done" ]; do sleep 1; done',
        "until ./myserver; do echo respawning; sleep 1; done",
        "until ./bin/agent; do sleep 1; done",
        "while ! python3 train.py; do sleep 60; done",
        'n=0\nuntil [ "$n" -ge 60 ] || curl -sf x; do n=`expr $n + 1`; sleep 1; done',
        'n=0\nuntil [ "$n" -ge 60 ] || curl -sf x; do n=$(expr $n + 1); sleep 1; done',
        'n=0\nuntil [ "$n" -ge 60 ] || curl -sf x; do n=$(echo "$n + 1" | bc); sleep 1; done',
        """until curl -sf x || [ "$(date '+%s')" -gt "$END" ]; do sleep 1; done""",
        "while true; do sleep 1; done",
        "while true; do work; sleep 1; done",
        "while true; do curl -sf x; [ $((n += 1)) -gt 5 ] && break; sleep 1; done; echo $n",
        "while true; do curl -sf x || break; sleep 1; done",
        "while ! do_the_work; do clean_up; sleep 1; done",
        "until curl -sf x; do echo; done",
        "echo 'until curl -sf x; do sleep 1; done'",
    ],
)
def test_what_can_notice_or_is_meant_to_run_is_left_alone(loop):
    assert hits(loop + "\n") == []


POLL = "for i in {1..60}; do curl -sf x && break; sleep 1; done\n"


@pytest.mark.parametrize(
    ("behind", "found"),
    [
        ("deploy\n", True),
        ('echo "after $i tries"\ndeploy\n', False),
        ("curl -sf x || exit 1\n", False),
        ("log waited\nkill -9 $P\n", False),
        ("", False),
    ],
)
def test_a_poll_that_runs_out_is_a_hint_unless_something_looks_at_how_it_ended(behind, found):
    assert [hit.grade for hit in hits(POLL + behind)] == [Grade.HINT] * found


def test_a_poll_at_the_end_of_a_function_returns_as_if_it_had_succeeded():
    assert hits("wait_ready() {\n" + POLL + "}\nwait_ready\ndeploy\n")
    assert hits("stop_server() {\n" + POLL + "}\nstop_server\ndeploy\n") == []


def test_python_polls_and_rounds_are_hints_with_a_deadline_as_their_fix():
    (hit,) = python_hits("while not client.ready(url):\n    time.sleep(1)\n")
    assert (hit.start_line, hit.grade) == (1, Grade.HINT)
    assert "`client.ready`" in hit.failure
    assert "time.monotonic()" in hit.fix


@pytest.mark.parametrize(
    "code",
    [
        "while not ready():\n    work()\n    time.sleep(1)\n",
        "while not ready():\n    time.sleep(1)\n    if late():\n        break\n",
        "while not ready:\n    time.sleep(1)\n",
        "while not ready():\n    pass\n",
        "while not task.done():\n    time.sleep(1)\n",
        "while not ready() and tries < 9:\n    time.sleep(1)\n",
        "for _ in range(rounds):\n    push(x)\n    if size(out) == before:\n        raise SystemExit\n",
        "for _ in range(rounds):\n    total += push(x).count()\n",
        "for _ in range(9):\n    push(x)\n",
    ],
)
def test_python_that_can_notice_is_left_alone(code):
    assert python_hits(code) == []


@pytest.mark.parametrize(
    "code",
    [
        "until x; do\n" * 2000 + "sleep 1\n" + "done\n" * 2000,
        "until curl 'x; do sleep 1; done\n",
        "until x; do sleep 1; done ) fi\nuntil; done\nwhile\n",
        "while true; do\n" + "if curl x; then break; fi\n" * 2000 + "sleep 1\ndone\n",
    ],
    ids=["2000 loops", "unterminated", "broken", "2000 breaks"],
)
def test_hostile_text_is_read_to_its_end(code):
    assert len(hits(code)) <= 1


def test_carriage_returns_change_no_place():
    code = DEAD.replace("\n", "\r\n")
    (hit,) = hits(code)
    assert hit.start_line == 4
    assert hits(mended(code)) == []


@pytest.mark.parametrize(
    ("title", "body", "bound"),
    [
        ("A loop that cannot finish and cannot notice", "", True),
        ("Unbounded waits and polls", "", True),
        ("Drivers", "re-push a corpus `--max-rounds` times; a loop that never ends holds the node", True),
        ("Argument holes", "the last flag gives an endless loop", False),
        ("Re-tokenization in loops", "cache the counts", False),
    ],
)
def test_the_words_of_a_class_bind_it(title, body, bound):
    skill = Skill("s", "", "", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, body),))
    assert bool(bind(skill, [DETECTOR])) is bound
