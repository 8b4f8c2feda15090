"""What a gate of a stranger can try, one after the other, in the real sandbox of this machine.

Without bubblewrap these tests fail: a suite that is skipped proves nothing.
"""

from __future__ import annotations

import os
import socket
import tempfile
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewbot.gates.output import KEPT
from reviewbot.gates.sandbox import End, Ended, Entry, Job, Limits, Sandbox, lay_out
from tests.gates.sandbox.jobs import PYTHON, files, python, ran, shell, survivors

MIB = 1024 * 1024
SECRET = "a-secret-of-the-host"


@pytest.fixture
def mark() -> str:
    """A word that stands in the command line of a test's processes and of no other."""
    return f"mark-{uuid.uuid4().hex}"


@pytest.fixture
def secret(scratch: Path) -> Iterator[Path]:
    """A file of the host that everybody may read."""
    with tempfile.NamedTemporaryFile(dir=scratch, suffix=".txt", delete=False) as file:
        file.write(SECRET.encode())
    path = Path(file.name)
    path.chmod(0o644)
    yield path
    path.unlink()


class TestProcesses:
    def test_forks_without_end(self, mark: str) -> None:
        bomb = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass"
        ended = python(bomb, mark, timeout=1, limits=Limits(processes=40))
        assert (ended.how, ended.why, ended.exit) == (End.TIMEOUT, "ended after 1 s", None)
        assert survivors(mark) == set()

    def test_only_so_many_processes_at_one_time(self) -> None:
        count = (
            "import os, signal\nn = 1\n"
            "try:\n  while n < 500:\n    if not os.fork(): signal.pause()\n    n += 1\n"
            "except OSError as error: print(n, error.strerror)"
        )
        # Two of bubblewrap's count as well, or one: it depends on how its version waits.
        number, why = python(count, limits=Limits(processes=40)).stdout.strip().split(" ", 1)
        assert why == "Resource temporarily unavailable"
        assert 37 <= int(number) <= 40

    def test_processes_of_other_jobs_do_not_count(self) -> None:
        full = "for i in 1 2 3 4 5 6 7; do sleep 60 & done; echo all; exec sleep 60"
        with lay_out([]) as tree:
            sandbox = Sandbox()
            job = Job(("bash", "-c", full), tree, 1, Limits(processes=10))
            jobs = [threading.Thread(target=lambda: ends.append(sandbox.run(job))) for _ in range(3)]
            ends: list[Ended] = []
            for thread in jobs:
                thread.start()
            for thread in jobs:
                thread.join()
        assert [(*ended[:2], ended.stdout, ended.stderr) for ended in ends] == [
            (End.TIMEOUT, "ended after 1 s", "all\n", "")
        ] * 3

    def test_sleeps(self) -> None:
        ended = shell("echo begun; sleep 1000", timeout=0.5)
        assert (ended.how, ended.stdout) == (End.TIMEOUT, "begun\n")

    def test_ignores_every_signal(self, mark: str) -> None:
        deaf = "trap '' TERM HUP INT QUIT PIPE; while :; do sleep 1; done"
        ended = ran("bash", "-c", deaf, mark, timeout=0.5)
        assert ended.how is End.TIMEOUT
        assert survivors(mark) == set()

    def test_leaves_daemons(self, mark: str) -> None:
        daemons = (
            "import os, sys, time\n"
            "for _ in range(3):\n"
            "  if os.fork(): continue\n"
            "  os.setsid()\n"
            "  if os.fork(): os._exit(0)\n"
            "  os.closerange(0, 99)\n"
            "  time.sleep(1000)\n"
            "print('left')"
        )
        ended = python(daemons, mark)
        assert (ended.how, ended.exit, ended.stdout) == (End.EXITED, 0, "left\n")
        assert survivors(mark) == set()

    def test_a_daemon_that_keeps_the_output_does_not_hold_the_review(self) -> None:
        ended = shell("sleep 1000 & echo done; exit 3")
        assert (ended.how, ended.exit, ended.stdout) == (End.EXITED, 3, "done\n")
        assert ended.seconds < 900

    def test_kills_its_parent_and_everybody(self) -> None:
        ended = shell("kill -9 $PPID; kill -9 1; kill -TERM 1; kill -9 -1; echo still here")
        assert (ended.how, ended.exit, ended.stdout) == (End.EXITED, 0, "still here\n")

    def test_ends_by_a_signal_of_its_own(self) -> None:
        assert shell("kill -9 $$")[:3] == (End.EXITED, "", 128 + 9)

    def test_spins(self, mark: str) -> None:
        ended = ran("bash", "-c", "while :; do :; done", mark, limits=Limits(cpu=1))
        assert (ended.how, ended.why) == (
            End.CPU,
            "exit 152, as of a process that used up 1 s of processor time",
        )

    @pytest.mark.parametrize("code", [126, 127, 128 + 9, 152, 255])
    def test_an_exit_code_of_its_own_is_not_told_as_the_end_by_a_limit(self, code: int) -> None:
        assert shell(f"exit {code}")[:3] == (End.EXITED, "", code)


class TestSpace:
    def test_writes_a_file_of_10_gb(self) -> None:
        ended = ran("dd", "if=/dev/zero", "of=big", "bs=1M", "count=10240", limits=Limits(file=8 * MIB))
        assert ended[:3] == (
            End.EXITED,
            "exit 153: its own, or that of a process that wrote more than 8388608 bytes into a file",
            153,
        )

    @pytest.mark.parametrize("place", ["/tree", "/tmp", "/tmp/home", "/dev/shm"])
    def test_writes_10_gb_of_files(self, place: str) -> None:
        many = "for i in {1..2560}; do dd if=/dev/zero of=$0/$i bs=4M count=1 status=none || exit 9; done"
        ended = ran("bash", "-c", many, place, limits=Limits(scratch=16 * MIB))
        assert (ended.how, ended.exit) == (End.EXITED, 9)
        assert ended.stderr.endswith("No space left on device\n")

    @pytest.mark.parametrize(
        "place", ["/", "/dev", "/usr", "/etc", "/tools", "/pristine", "/proc", "/proc/sys"]
    )
    def test_writes_elsewhere(self, place: str) -> None:
        ended = shell(f"mkdir -p {place}/new || echo x >{place}/new; test -e {place}/new; echo $?")
        assert ended.stdout == "1\n"

    def test_takes_all_memory(self) -> None:
        hungry = "kept = []\nwhile True: kept.append(bytearray(1 << 20))"
        ended = python(hungry, limits=Limits(memory=64 * MIB))
        assert (ended.how, ended.exit) == (End.EXITED, 1)
        assert ended.stderr.endswith("MemoryError\n")

    def test_takes_what_the_machine_needs(self, monkeypatch: pytest.MonkeyPatch, mark: str) -> None:
        monkeypatch.setattr("reviewbot.gates.sandbox.follow.SPARE", 1 << 60)
        ended = ran("bash", "-c", "sleep 1000", mark)
        assert (ended.how, ended.why) == (End.MEMORY, "this machine had hardly any memory left")
        assert survivors(mark) == set()

    def test_is_the_first_that_the_kernel_ends_for_memory(self) -> None:
        assert shell("cat /proc/self/oom_score_adj").stdout == "1000\n"

    def test_dumps_no_core(self) -> None:
        assert shell("ulimit -Hc; kill -SEGV $$; ls").stdout == "0\n"


class TestOutput:
    def test_prints_1_gb_of_text(self) -> None:
        ended = shell("echo first; yes | head -c 1000000000", limits=Limits(output=4 * MIB))
        assert (ended.how, ended.why) == (End.OUTPUT, "it printed more than 4194304 bytes")
        assert ended.stdout.startswith("first\ny\n")
        assert len(ended.stdout) < KEPT + 100
        assert f"… {ended.cut} bytes left out …" in ended.stdout

    def test_prints_much_on_both_streams_and_both_ends_are_kept(self) -> None:
        lines = "echo first >&$i; for n in {1..99999}; do echo $n; done >&$i; echo last >&$i"
        ended = shell(f"for i in 1 2; do {lines}; done")
        assert ended.how is End.EXITED
        for stream in (ended.stdout, ended.stderr):
            assert (stream[:8], stream[-5:]) == ("first\n1\n", "last\n")
        size = 2 * (len("first\nlast\n") + sum(len(f"{n}\n") for n in range(1, 100000)))
        kept = [line for line in (ended.stdout + ended.stderr).split("\n") if line and line[0] != "…"]
        assert ended.cut == size - sum(len(line) + 1 for line in kept)

    def test_prints_binary(self) -> None:
        ended = shell(r"printf 'a\x00\xff\xfe\x1b[31mred\x1b[0m\x1b]0;title\x07b\n'")
        assert ended.stdout == "a\0\ufffd\ufffdredb\n"

    def test_reads_nothing(self) -> None:
        assert shell("read -r line; echo $? ; readlink /proc/self/fd/0").stdout == "1\n/dev/null\n"

    def test_says_on_the_pipe_of_the_starter_that_it_is_missing(self) -> None:
        ended = shell("echo missing >/proc/1/fd/0; echo $?")
        assert (ended.how, ended.exit) == (End.EXITED, 0)


class TestSecrets:
    def test_reads_proc(self, monkeypatch: pytest.MonkeyPatch, mark: str) -> None:
        monkeypatch.setenv("PLANTED", SECRET)
        ended = ran("bash", "-c", "cat /proc/*/environ /proc/*/cmdline; ls -d /proc/[0-9]*", mark)
        assert SECRET not in ended.stdout
        assert "PLANTED" not in ended.stdout
        assert set(ended.stdout[ended.stdout.index("/proc/1\n") :].split()) <= {
            f"/proc/{number}" for number in range(1, 9)
        }

    def test_sees_the_variables_that_were_given_and_no_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PLANTED", SECRET)
        with lay_out([]) as tree:
            given = (("GIVEN", "a b\n"), ("PATH", "/tree"), ("HOME", "/tree"))
            ended = Sandbox().run(Job(("env", "-0"), tree, 30, env=given))
        found = dict(entry.split("=", 1) for entry in ended.stdout.split("\0") if entry)
        assert found.pop("GIVEN") == "a b\n"
        assert found["PATH"].split(":")[0] == "/tools"
        assert found["HOME"] == "/tmp/home"
        assert set(found) <= {
            *("PATH", "HOME", "TMPDIR", "LC_ALL", "NO_COLOR", "USER", "LOGNAME"),
            *("PWD", "OLDPWD", "SHLVL", "_"),
        }

    def test_reads_files_of_the_host(self, secret: Path) -> None:
        ended = shell(f"cat {secret} {Path.home()}/.ssh/* /etc/shadow; ls /home /root /var /run; ls /etc")
        assert set(ended.stdout.split()) <= {"alternatives", "group", "hosts", "ld.so.cache", "passwd"}

    def test_follows_a_link_out_of_the_tree(self, secret: Path) -> None:
        up = "../" * 30
        links = [
            Entry(b"absolute", 0o120000, str(secret).encode()),
            Entry(b"relative", 0o120000, f"{up}{secret}".encode()),
            Entry(b"folder", 0o120000, os.fsencode(secret.parent)),
        ]
        ended = shell(f"cat absolute relative folder/{secret.name}; echo x >absolute", entries=links)
        assert (ended.exit, ended.stdout) == (1, "")
        assert secret.read_text() == SECRET

    def test_has_no_rights(self) -> None:
        ended = shell("grep -E '^(Cap|NoNewPrivs|Uid|Gid|Groups)' /proc/self/status | tr -s '\\t ' ' '")
        none = "0" * 16
        assert ended.stdout.startswith("Uid: 65534 65534 65534 65534\nGid: 65534 65534 65534 65534\n")
        caps = [line.split()[1] for line in ended.stdout.split("\n") if line.startswith("Cap")]
        assert caps == [none] * 5
        assert "NoNewPrivs: 1\n" in ended.stdout

    def test_makes_namespaces(self) -> None:
        ended = shell("unshare --user --map-root-user id; unshare --mount true; unshare --net true")
        assert ended.stdout == ""
        assert ended.stderr.count("unshare failed") == 3


class TestNetwork:
    def test_opens_a_connection_to_the_host(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.setblocking(False)
            port = server.getsockname()[1]
            connect = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
            ended = python(connect)
            assert ended.stderr.endswith("ConnectionRefusedError: [Errno 111] Connection refused\n")
            with pytest.raises(BlockingIOError):
                server.accept()

    def test_opens_a_connection_to_the_world(self) -> None:
        ended = python("import socket; socket.create_connection(('192.0.2.1', 80), 5)")
        assert ended.stderr.endswith("OSError: [Errno 101] Network is unreachable\n")

    def test_sends_datagrams_to_the_host(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
            listening.bind(("127.0.0.1", 0))
            listening.setblocking(False)
            send = (
                "import socket; print(socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', %d)))"
            )
            assert python(send % listening.getsockname()[1]).stdout == "1\n"  # into its own loopback
            with pytest.raises(BlockingIOError):
                listening.recv(9)

    @pytest.mark.parametrize("kind", ["file", "abstract"])
    def test_opens_a_unix_socket_of_the_host(self, kind: str, scratch: Path, mark: str) -> None:
        name = str(scratch / "socket") if kind == "file" else f"\0{mark}"
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(name)
            server.listen()
            ended = python(f"import socket; socket.socket(socket.AF_UNIX).connect({name!r})")
        if kind == "file":
            os.unlink(name)
        assert ended.exit == 1
        assert "FileNotFoundError" in ended.stderr or "ConnectionRefusedError" in ended.stderr

    def test_may_talk_to_itself(self) -> None:
        talk = (
            "import socket\nserver = socket.create_server(('localhost', 0))\n"
            "socket.create_connection(server.getsockname())\nprint('connected')"
        )
        assert python(talk).stdout == "connected\n"


class TestTree:
    def test_changes_the_tree(self) -> None:
        with lay_out(files(run="rm -f other; echo changed >run; echo x >new; ls", other="")) as tree:
            sandbox = Sandbox()
            first, second = (sandbox.run(Job(("bash", "./run"), tree, 30)) for _ in range(2))
            assert sorted(os.listdir(tree.folder)) == ["other", "run"]
        assert first.stdout == second.stdout == "new\nrun\n"

    def test_takes_the_rights_of_the_tree_away(self) -> None:
        with lay_out(files(a="")) as tree:
            sandbox = Sandbox()
            job = Job(
                ("bash", "-c", "rm -rf /pristine/* /tree/*; chmod 0 /pristine /tree; ls -d ."), tree, 30
            )
            assert [sandbox.run(job).exit for _ in range(2)] == [2, 2]
            assert os.listdir(tree.folder) == ["a"]

    def test_brings_programs_of_the_systems_names(self) -> None:
        planted = files(**dict.fromkeys(("python3", "bash", "sh", "cp", "ls", "env"), "echo planted"))
        for program in ("python3", "bash", "sh", "cp"):
            ended = ran(program, "--version", entries=planted)
            assert "planted" not in ended.stdout + ended.stderr
        ended = shell("type -P ls; echo $PATH; python3 -c 'print(1)'", entries=planted)
        assert "planted" not in ended.stdout
        assert "/tree" not in ended.stdout

    def test_brings_files_named_like_options_and_commands(self) -> None:
        names = ["-rf", "--help", "$(echo x >made)", "`echo x >made`", "a b\n'\"", ";", "*"]
        entries = [Entry(name.encode(), 0o100644, b"") for name in names]
        entries.append(Entry(b"\xff\xfe", 0o100644, b""))
        print_them = "import os; print(sorted(os.listdir(b'.')))"
        ended = python(print_them, entries=entries)
        assert ended.stdout == f"{sorted([*map(str.encode, names), bytes([255, 254])])}\n"

    def test_hands_a_hostile_word_to_a_program_as_it_is(self) -> None:
        words = ["$(echo x)", "`id`", "a b", "", "*", "; exit 7", "-n", "\udcff", "é\n"]
        show = "import os, sys; print(*map(ascii, map(os.fsencode, sys.argv[1:])), sep='\\n')"
        assert python(show, *words).stdout == "".join(f"{os.fsencode(word)!r}\n" for word in words)

    def test_says_that_it_could_not_be_started(self) -> None:
        pretend = (
            "#!/bin/sh\n(echo unstarted 127 >&3; echo unstarted 127 >/proc/1/fd/0) 2>/dev/null\nexit 127\n"
        )
        assert ran("./run", entries=files(run=pretend))[:3] == (End.EXITED, "", 127)

    def test_brings_python_that_imports_what_it_brings(self) -> None:
        """Isolation is the caller's: with -I nothing of the tree is imported."""
        entries = [Entry(b"socket.py", 0o100644, b"print('planted')")]
        assert ran(PYTHON, "-I", "-c", "import socket", entries=entries).stdout == ""
