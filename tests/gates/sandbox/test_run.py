"""What the caller of the sandbox can count on."""

from __future__ import annotations

import os
import resource
import shutil
import threading
import uuid
from collections.abc import Callable, Iterator
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


@pytest.mark.parametrize("word", ["type", "getopts", "jobs", "command", "cd", "unstarted", "missing", "if"])
def test_a_word_of_the_shell_is_no_program(word: str) -> None:
    ended = ran(word)
    assert ended[:3] == (End.MISSING, f"{word} is not in the sandbox", None)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (Entry(b"run", 0o100644, b"#!/bin/sh\n"), "is not executable"),
        (Entry(b"run/x", 0o100755, b"#!/bin/sh\n"), "is a folder"),
        (Entry(b"run", 0o120000, b"nowhere"), "is not in the sandbox"),
        (Entry(b"run", 0o100755, b"#!/no/such\n"), "cannot be started: its interpreter is not there"),
        (Entry(b"run", 0o100755, b"#! env none\n"), "cannot be started: its interpreter is not there"),
        (Entry(b"run", 0o100755, b"\0\0\0"), "cannot be started: it is no program of this machine"),
        (
            Entry(b"run", 0o100755, b"\x7fELF\2\1\1\0no"),
            "cannot be started: it is no program of this machine",
        ),
    ],
)
def test_a_program_that_cannot_be_started_has_not_failed(entry: Entry, why: str) -> None:
    ended = ran("./run", entries=[entry])
    assert ended._replace(seconds=0.0) == Ended(End.MISSING, f"./run {why}")


def test_the_first_program_of_a_name_that_can_be_run_is_taken(scratch: Path) -> None:
    (scratch / "bound").mkdir(mode=0o755)
    (scratch / "bound" / "env").mkdir(mode=0o755)
    (scratch / "bound" / "true").write_text("#!/bin/sh\nexit 1\n")
    try:
        with lay_out([]) as tree:
            place = f"{scratch}/bound"
            jobs = [Job((name,), tree, 30, binds=(place,), path=(place,)) for name in ("env", "true")]
            assert [Sandbox().run(job)[:3] for job in jobs] == [(End.EXITED, "", 0)] * 2
    finally:
        shutil.rmtree(scratch / "bound")


@pytest.fixture
def slow(scratch: Path) -> Iterator[Callable[[str], Sandbox]]:
    """A sandbox whose bubblewrap first waits for so many seconds."""

    def make(seconds: str) -> Sandbox:
        (scratch / "bwrap").write_text(f'#!/bin/sh\n/bin/sleep {seconds}\nexec {find("bwrap")} "$@"\n')
        (scratch / "bwrap").chmod(0o755)
        return Sandbox(lambda name: str(scratch / name))

    yield make
    (scratch / "bwrap").unlink()


def test_the_time_of_a_job_does_not_run_before_it_has_started(slow: Callable[[str], Sandbox]) -> None:
    with lay_out([]) as tree:
        ended = slow("0.6").run(Job(("true",), tree, 0.5))
        assert ended._replace(seconds=0.0) == Ended(End.EXITED, "", 0)
        assert ended.seconds < 0.5
        assert slow("0.6").run(Job(("sleep", "1000"), tree, 0.5)).how is End.TIMEOUT


def test_what_did_not_start_was_not_too_slow(
    slow: Callable[[str], Sandbox], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reviewbot.gates.sandbox.follow.START", 0.2)
    with lay_out([]) as tree:
        ended = slow("1000").run(Job(("true",), tree, 0.1))
    assert ended[:3] == (End.FAILED, "the sandbox did not start within 0.2 s", None)


def test_a_second_tree_is_laid_over_the_first() -> None:
    first = [
        Entry(b"both", 0o100644, b"first\n"),
        Entry(b"dir/kept", 0o100644, b"kept\n"),
        Entry(b"link", 0o120000, b"dir/kept"),
    ]
    second = [
        Entry(b"both", 0o100755, b"#!/bin/sh\necho second\n"),
        Entry(b"dir/new", 0o100644, b"new\n"),
        Entry(b"link", 0o100644, b"no link\n"),
    ]
    with lay_out(first) as tree, lay_out(second) as over:
        script = "./both; cat dir/kept dir/new link; echo x >both; echo x >/over/both; cat both"
        ended = Sandbox().run(Job(("bash", "-c", script), tree, 30, over=over))
        assert ended.stdout == "second\nkept\nnew\nno link\nx\n"
        assert ended.stderr.endswith("/over/both: Read-only file system\n")
        assert Path(tree.folder, "both").read_text() == "first\n"
        assert Sandbox().run(Job(("cat", "both"), tree, 30)).stdout == "first\n"


@pytest.mark.parametrize(("first", "second"), [(b"x", b"x/y"), (b"x/y", b"x")])
def test_trees_that_do_not_fit_on_each_other_are_not_mixed(first: bytes, second: bytes) -> None:
    with lay_out([Entry(first, 0o100644, b"")]) as tree, lay_out([Entry(second, 0o100644, b"")]) as over:
        ended = Sandbox().run(Job(("true",), tree, 30, over=over))
    assert ended.how is End.FAILED
    assert ended.why.startswith("the sandbox failed: cp: cannot overwrite")


def test_a_large_second_tree_has_its_room() -> None:
    entry = Entry(b"large", 0o100644, bytes(8 * MIB))
    with lay_out([]) as tree, lay_out([entry]) as over:
        job = Job(("wc", "-c", "large"), tree, 30, Limits(scratch=MIB), over=over)
        assert Sandbox().run(job).stdout == f"{8 * MIB} large\n"


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
