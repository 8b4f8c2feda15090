"""The self-test: each weakness that it is for, in a bubblewrap that was told to leave one thing out."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewbot.gates.sandbox import Level, level, run, selftest
from tests.gates.sandbox.jobs import PYTHON

BUBBLEWRAP = shutil.which("bwrap")
# Stands for bubblewrap and starts it with other words: those behind `--args`, and those on the command line.
WEAK = """#!{python} -IS
import os, sys
_, descriptor, *command = sys.argv[1:]
told = open(int(descriptor), "rb").read().decode().split("\\0")[:-1]
environment = {{}}
{edit}
copy = os.memfd_create("told", 0)
os.write(copy, "".join(word + "\\0" for word in told).encode())
os.lseek(copy, 0, 0)
os.execve({real!r}, [{real!r}, "--args", str(copy), *command], environment)
"""

Which = Callable[[str], str | None]


@pytest.fixture
def program(scratch: Path) -> Callable[[str], Which]:
    """Makes a program that stands for bubblewrap, and what finds it; both are gone behind the test."""

    def make(text: str) -> Which:
        place = scratch / "bwrap"
        place.write_text(text)
        place.chmod(0o755)
        return lambda name: str(place) if name == "bwrap" else None

    yield make
    (scratch / "bwrap").unlink(missing_ok=True)


def weak(edit: str) -> str:
    return WEAK.format(python=PYTHON, edit=edit, real=BUBBLEWRAP)


def test_this_machine_has_a_full_sandbox() -> None:
    assert level() == Level(True)


def test_a_program_that_only_passes_on_is_as_good(program: Callable[[str], Which]) -> None:
    assert level(program(weak(""))) == Level(True)


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        ('told.insert(told.index("--unshare-all") + 1, "--share-net")', "a port of the host answers"),
        (
            'at = told.index("--chdir") - 2; told[at:at] = ["--ro-bind", "{scratch}", "{scratch}"]',
            "a file of the host can be read",
        ),
        ('environment = {"SECRET": "x"}', "the host's environment can be read"),
        (
            'at = told.index("--proc"); told[at : at + 2] = ["--bind", "/proc", "/proc"]',
            "processes of the host are visible",
        ),
        ('told.remove("--disable-userns")', "it can make user namespaces, with all capabilities inside"),
        ('at = told.index("--cap-drop"); told[at] = "--cap-add"', "it has capabilities"),
        ('told[told.index("--uid") + 1] = "0"', "it is root"),
        (
            'command = [word.replace("number=16", "number=99") for word in command]',
            "the limit of processes does not hold",
        ),
        (
            'command = [word.replace("number=16", "number=3") for word in command]',
            "other processes count for the limit of processes",
        ),
    ],
    ids=["net", "files", "environment", "proc", "userns", "capabilities", "root", "forks", "no forks"],
)
def test_a_weak_sandbox_is_not_full(
    program: Callable[[str], Which], scratch: Path, edit: str, why: str, own_state: Path
) -> None:
    found = level(program(weak(edit.replace("{scratch}", str(scratch)))))
    assert (found.full, found.why) == (False, why)
    assert found.remedy
    assert not own_state.exists()


def test_without_bubblewrap_it_says_what_to_install() -> None:
    assert level(lambda name: None) == Level(
        False, "bubblewrap is not installed", "install it: apt-get install bubblewrap"
    )


def test_on_another_system_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert level() == Level(False, "the sandbox needs Linux", "review the change on Linux")


@pytest.mark.parametrize(
    ("text", "why", "remedy"),
    [
        (
            "#!/bin/sh\necho 'bwrap: Unknown option --disable-userns' >&2; exit 1\n",
            "the sandbox failed: bwrap: Unknown option --disable-userns",
            "install bubblewrap 0.8 or newer",
        ),
        (
            "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n",
            "the sandbox failed: bwrap: setting up uid map: Permission denied",
            "user namespaces",
        ),
        ("#!/bin/sh\nexit 0\n", "the sandbox failed: exit 0", "user namespaces"),
        ("#!/bin/sh\necho started >&0\n", "no answer about network", "user namespaces"),
        ("#!/no/such/program\n", "the sandbox failed: [Errno 2] No such file or directory", "user"),
        ("", "the sandbox failed: [Errno 8] Exec format error", "user namespaces"),
    ],
    ids=["old", "forbidden", "silent", "liar", "broken", "empty"],
)
def test_a_bubblewrap_that_does_not_work_is_not_full(
    program: Callable[[str], Which], text: str, why: str, remedy: str
) -> None:
    found = level(program(text))
    assert not found.full
    assert found.why.startswith(why)
    assert remedy in found.remedy


def test_a_program_that_is_not_there_is_no_error() -> None:
    found = level(lambda name: "/no/such/bwrap")
    assert (found.full, found.why[:28]) == (False, "the self-test could not be m")


def test_a_folder_that_the_sandbox_may_not_enter_is_named(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: run.Sandbox, job: object) -> object:
        return run.Ended(
            run.End.FAILED, "the sandbox failed: bwrap: Can't find source path x: Permission denied"
        )

    monkeypatch.setattr(run.Sandbox, "run", fails)
    assert level().remedy == "set TMPDIR to a folder that every user may enter"


@pytest.mark.parametrize(
    ("switch", "value", "remedy"),
    [
        ("apparmor_restrict_unprivileged_userns", "1\n", "AppArmor"),
        ("max_user_namespaces", "0\n", "sysctl -w user.max_user_namespaces=10000"),
        ("max_user_namespaces", "9\n", "seccomp=unconfined"),
    ],
)
def test_the_switch_that_forbids_it_is_named(
    program: Callable[[str], Which],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    switch: str,
    value: str,
    remedy: str,
) -> None:
    (tmp_path / switch).write_text(value)
    switches = {
        str(tmp_path / path.rpartition("/")[2]): advice for path, advice in selftest._SWITCHES.items()
    }
    monkeypatch.setattr(selftest, "_SWITCHES", switches)
    assert remedy in level(program("#!/bin/sh\nexit 1\n")).remedy


class TestMemory:
    """What is remembered, and what it takes to forget it."""

    @pytest.fixture
    def tests(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """Grows with every self-test."""
        made: list[str] = []

        def fault(which: Which) -> str:
            made.append("")
            return ""

        monkeypatch.setattr(selftest, "_fault", fault)
        return made

    def test_a_full_level_is_tested_once(self, tests: list[str], own_state: Path) -> None:
        assert [level().full for _ in range(3)] == [True] * 3
        assert len(tests) == 1
        assert stat.S_IMODE(own_state.stat().st_mode) == 0o700
        assert [path.name for path in own_state.iterdir()] == ["sandbox-level"]

    def test_another_bubblewrap_is_tested(self, tests: list[str], program: Callable[[str], Which]) -> None:
        level()
        level(program("#!/bin/sh\n"))
        level(program("#!/bin/sh\n# newer\n"))
        assert len(tests) == 3

    @pytest.mark.parametrize("name", ["probe.py", "profile.py"])
    def test_an_edited_sandbox_is_tested(
        self, tests: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        """In a checkout of one version a full level stood until the machine was started again."""
        room = tmp_path / "room"
        shutil.copytree(selftest._ROOM, room)
        monkeypatch.setattr(selftest, "_ROOM", str(room))
        level()
        with (room / name).open("a") as file:
            file.write("# more\n")
        assert [level().full for _ in range(2)] == [True] * 2
        assert len(tests) == 2

    @pytest.mark.parametrize(
        "content", [b"", b"{}", b"\xff", b"[" * 100_000], ids=["empty", "other", "binary", "large"]
    )
    def test_a_file_that_somebody_changed_costs_a_test(
        self, tests: list[str], own_state: Path, content: bytes
    ) -> None:
        level()
        (own_state / "sandbox-level").write_bytes(content)
        assert level().full
        assert level().full
        assert len(tests) == 2

    def test_a_file_that_cannot_be_kept_costs_a_test(
        self, tests: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "file").touch()
        monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "file" / "below"))
        assert level().full
        assert level().full
        assert len(tests) == 2

    @pytest.mark.parametrize("mode", [0o777, 0o770])
    def test_a_folder_that_others_may_write_to_is_not_believed(
        self, tests: list[str], own_state: Path, mode: int
    ) -> None:
        level()
        os.chmod(own_state, mode)
        level()
        assert len(tests) == 2
