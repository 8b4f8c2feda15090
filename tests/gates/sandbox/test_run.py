"""What the caller of the sandbox can count on."""

from __future__ import annotations

import os
import resource
import shutil
import threading
import uuid
from pathlib import Path

import pytest

from reviewbot.gates.programs import find
from reviewbot.gates.sandbox import End, Ended, Entry, Job, Limits, Sandbox, lay_out
from tests.gates.sandbox.jobs import PYTHON, files, ran, shell, survivors

MIB = 1024 * 1024


def test_the_exit_code_and_both_streams_come_back() -> None:
    ended = shell("echo out; echo err >&2; exit 3")
    assert ended._replace(seconds=0.0) == Ended(End.EXITED, "", 3, 0.0, "out\n", "err\n", 0)
    assert 0 < ended.seconds < 30


def test_a_program_of_the_tree_runs_where_it_stands() -> None:
    ended = ran(
        "./run.sh", "a b", entries=files(**{"run.sh": '#!/bin/bash\npwd; echo "$1"; echo x >new && cat new'})
    )
    assert (ended.exit, ended.stdout) == (0, "/tree\na b\nx\n")


def test_a_script_without_a_first_line_is_one_of_the_shell() -> None:
    assert ran("./run", entries=files(run="echo run")).stdout == "run\n"


@pytest.mark.parametrize("argv", [("no-such-program",), ("./none",), ("/usr/bin/none", "x")])
def test_a_missing_program_is_said(argv: tuple[str, ...]) -> None:
    ended = ran(*argv)
    assert ended[:3] == (End.MISSING, f"{argv[0]} is not in the sandbox", None)


@pytest.mark.parametrize(
    ("argv", "why"),
    [
        ((), "the command names no program"),
        (("",), "the command names no program"),
        (("-c", "id"), "the command names no program"),
        (("bash", "a\0b"), "the sandbox failed: embedded null byte"),
        (("true", "x" * 200_000), "the sandbox failed: [Errno 7] Argument list too long"),
    ],
)
def test_a_command_that_cannot_be_one_is_no_error(argv: tuple[str, ...], why: str) -> None:
    ended = ran(*argv)
    assert ended.how is End.FAILED
    assert ended.why.startswith(why)


def test_what_is_not_there_cannot_be_bound(scratch: Path) -> None:
    with lay_out([]) as tree:
        ended = Sandbox().run(Job(("true",), tree, 30, binds=(f"{scratch}/none",)))
    assert ended.how is End.FAILED
    assert (
        ended.why
        == f"the sandbox failed: bwrap: Can't find source path {scratch}/none: No such file or directory"
    )


def test_a_tree_that_is_gone_is_no_error() -> None:
    with lay_out([]) as tree:
        pass
    assert Sandbox().run(Job(("true",), tree, 30)).how is End.FAILED


def test_without_bubblewrap_nothing_is_run() -> None:
    with lay_out([]) as tree:
        ended = Sandbox(lambda name: None).run(Job(("true",), tree, 30))
    assert ended == Ended(End.FAILED, "bubblewrap is not installed")


def test_bubblewrap_is_not_taken_from_the_folder_that_is_reviewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")
    found = find("bwrap")
    assert found is not None
    assert os.path.isabs(found)
    assert not os.path.samefile(found, tmp_path / "bwrap")


def test_binds_and_tools_are_readable_at_their_place_and_cannot_be_written(scratch: Path) -> None:
    (scratch / "bound").mkdir(mode=0o755)
    (scratch / "bound" / "file").write_text("bound")
    (scratch / "checker").write_text("#!/bin/sh\necho checks\n")
    (scratch / "checker").chmod(0o755)
    try:
        with lay_out(files(checker="#!/bin/sh\necho planted")) as tree:
            place = f"{scratch}/bound"
            script = f"checker; cat {place}/file; echo x >{place}/file; echo x >/tools/checker; ls /tools"
            job = Job(
                ("bash", "-c", script), tree, 30, binds=(place,), tools=(("checker", f"{scratch}/checker"),)
            )
            ended = Sandbox().run(job)
        assert ended.stdout == "checks\nboundchecker\n"
        assert ended.stderr.count("Read-only file system") == 2
    finally:
        shutil.rmtree(scratch / "bound")
        (scratch / "checker").unlink()


@pytest.mark.parametrize("tool", ["ruff", "shellcheck"])
def test_the_tools_of_this_installation_run(tool: str) -> None:
    program = find(tool)
    assert program is not None
    with lay_out([Entry(b"a.sh", 0o100644, b"#!/bin/sh\n")]) as tree:
        ended = Sandbox().run(Job((tool, "--version"), tree, 60, tools=((tool, program),)))
    assert (ended.how, ended.exit) == (End.EXITED, 0)
    assert ended.stdout


def test_a_lower_limit_of_ours_is_kept() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(200, soft), hard))
    try:
        assert shell("ulimit -Hn").stdout == f"{min(1024, hard)}\n"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_limits_are_those_that_were_asked_for() -> None:
    limits = Limits(cpu=7, memory=512 * MIB, processes=50, file=3 * MIB, scratch=32 * MIB)
    ended = shell(
        "ulimit -St; ulimit -Ht; ulimit -d; ulimit -u; ulimit -f; df -m --output=size /tmp", limits=limits
    )
    assert ended.stdout.split() == ["7", "8", str(512 * 1024), "50", str(3 * 1024), "1M-blocks", "32"]


def test_a_file_of_the_tree_may_be_larger_than_what_a_job_may_write() -> None:
    ended = shell("wc -c <large", entries=[Entry(b"large", 0o100644, bytes(MIB))], limits=Limits(file=4096))
    assert ended.stdout == f"{MIB}\n"


def test_an_interrupted_review_ends_its_jobs() -> None:
    mark = uuid.uuid4().hex
    sandbox, ends = Sandbox(), []
    with lay_out([]) as tree:
        job = Job(("bash", "-c", "sleep 1000; sleep 1000", mark), tree, 100)
        thread = threading.Thread(target=lambda: ends.append(sandbox.run(job)))
        thread.start()
        while not survivors(mark, 0):
            continue
        sandbox.kill()
        thread.join()
        assert survivors(mark) == set()
        with pytest.raises(InterruptedError):
            sandbox.run(job)
    assert ends[0].how is End.FAILED


def test_no_descriptor_is_left_open() -> None:
    before = os.listdir("/proc/self/fd")
    ran(PYTHON, "-c", "pass")
    ran("none")
    assert len(os.listdir("/proc/self/fd")) == len(before)
