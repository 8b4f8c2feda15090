"""scripts/bootstrap on machines that this one is not: every program it calls is a stand-in.

The stand-ins write what they were asked into a log; `id` says who runs the script, each
python what version it is and what its standard library lacks. No network, no root needed.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("basename", "cat", "cksum", "cp", "dirname", "head", "mkdir", "rm", "sed", "sh", "sort", "tail")

# A python that answers what the script asks: `-I -c PROGRAM`, `-c "import ensurepip"`, `-m venv`, `-m pip`.
PYTHON = """#!/bin/sh
echo "$(basename "$0") $*" | head -n 1 >>"$LOG"
case "$*" in
*find_spec*whole*) {rank} ;;
*version_info*) echo {version} ;;
*ensurepip*) {ensurepip} ;;
*"-m venv"*) mkdir -p .venv/bin && cp "$STANDINS/venv-python" .venv/bin/python ;;
*"-m pip"*) {pip} ;;
esac
"""
# The python inside .venv.
INNER = """#!/bin/sh
echo "venv $*" | head -n 1 >>"$LOG"
case "$*" in
*find_spec*) [ ! -e "$STANDINS/broken" ] && echo True "3.11" ;;
*hatchling*) [ ! -e "$STANDINS/offline" ] ;;
esac
"""


class Machine:
    """A checkout, and a PATH that holds the stand-ins and a few plain tools only."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "a check out"
        self.bin = folder / "bin"
        self.log = folder / "log"
        self.log.touch()
        (self.checkout / "scripts").mkdir(parents=True)
        self.bin.mkdir()
        for name in ("scripts/bootstrap", "scripts/system-packages", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, self.checkout / name)
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool) or tool)
        self.program("venv-python", INNER)
        self.program("id", "#!/bin/sh\necho 1000\n")
        for tool in ("bash", "git", "bwrap", "chromium", "find"):
            self.program(tool, "#!/bin/sh\n")

    def program(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def python(self, name: str, minor: int, *, whole: bool = True, pip: bool = False) -> None:
        rank = "exit 1" if minor < 11 else f"echo {minor + 100 * whole}"
        text = PYTHON.format(
            rank=rank,
            version=f"3.{minor}",
            ensurepip=f"exit {0 if whole else 1}",
            pip=f"exit {0 if pip else 1}",
        )
        self.program(name, text)

    def root(self, *, apt: str = "exit 0") -> None:
        self.program("id", "#!/bin/sh\necho 0\n")
        self.program("apt-get", f'#!/bin/sh\necho "apt-get $*" >>"$LOG"\n{apt}\n')

    def bootstrap(self, *args: str, **environment: str) -> tuple[int, str, str]:
        """Status, what it told the user, and what it asked of the programs, all since the last call."""
        self.log.write_text("")
        env = {"PATH": str(self.bin), "LOG": str(self.log), "STANDINS": str(self.bin), **environment}
        done = subprocess.run(
            [self.checkout / "scripts" / "bootstrap", *args], env=env, capture_output=True, text=True
        )
        assert done.stdout == ""
        assert [line for line in done.stderr.splitlines() if not line.startswith("bootstrap: ")] == []
        return done.returncode, done.stderr, self.log.read_text()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_takes_python311_beside_a_python3_that_is_too_old(machine: Machine) -> None:
    machine.python("python3", 9)
    machine.python("python3.11", 11)
    status, said, asked = machine.bootstrap()
    assert status == 0, said
    assert "making .venv with python3.11 (3.11)" in said
    assert "python3.11 -m venv .venv" in asked


def test_takes_the_newest_that_can_make_a_whole_environment(machine: Machine) -> None:
    machine.python("python3", 11)
    machine.python("python3.11", 11)
    machine.python("python3.12", 12)
    machine.python("python3.13", 13, whole=False)
    machine.program("python3.14", "#!/bin/sh\necho 'shim: no such version' >&2\nexit 127\n")
    status, said, _ = machine.bootstrap()
    assert status == 0, said
    assert "making .venv with python3.12 (3.12)" in said


def test_a_named_python_is_taken(machine: Machine) -> None:
    machine.python("python3", 13)
    machine.python("my python", 11)
    status, said, asked = machine.bootstrap(PYTHON=str(machine.bin / "my python"))
    assert status == 0, said
    assert "my python -m venv .venv" in asked


@pytest.mark.parametrize("name", ["", "python3"])
def test_without_a_suitable_python_it_says_what_to_do(machine: Machine, name: str) -> None:
    machine.python("python3", 10)
    status, said, asked = machine.bootstrap(PYTHON=name)
    assert status == 1
    assert "no Python >= 3.11 among: python3" in said
    assert "venv" not in asked


def test_the_second_time_nothing_is_done(machine: Machine) -> None:
    machine.python("python3", 11)
    machine.bootstrap()
    status, said, asked = machine.bootstrap()
    assert (status, said) == (0, "")
    assert "pip" not in asked.replace('find_spec("pip")', "")


def test_new_pins_are_installed_into_the_same_environment(machine: Machine) -> None:
    machine.python("python3", 11)
    machine.bootstrap()
    with (machine.checkout / "constraints.txt").open("a") as file:
        file.write("another==1.0\n")
    status, said, asked = machine.bootstrap()
    assert status == 0, said
    assert "making" not in said
    assert "--no-build-isolation -e .[dev]" in asked


def test_a_folder_that_moved_gets_a_new_environment(machine: Machine) -> None:
    machine.python("python3", 11)
    machine.bootstrap()
    machine.checkout = machine.checkout.rename(machine.checkout.with_name("elsewhere"))
    status, said, asked = machine.bootstrap()
    assert status == 0, said
    assert "python3 -m venv .venv" in asked


@pytest.mark.parametrize("half", ["empty", "broken", "unfinished"])
def test_a_half_made_environment_is_made_anew(machine: Machine, half: str) -> None:
    machine.python("python3", 11)
    if half == "empty":
        (machine.checkout / ".venv").mkdir()
    else:
        machine.bootstrap()
    if half == "unfinished":
        (machine.checkout / ".venv" / ".bootstrap").write_text("unfinished\n")
    if half == "broken":
        (machine.bin / "broken").touch()
    status, said, asked = machine.bootstrap()
    assert status == 0, said
    assert "making it anew" in said
    assert "python3 -m venv .venv" in asked


def test_root_installs_the_missing_venv_package_and_says_so(machine: Machine) -> None:
    machine.python("python3", 11, whole=False)
    machine.root()
    _, said, asked = machine.bootstrap()
    assert "installing with apt-get: python3.11-venv" in said
    assert "install -y --no-install-recommends python3.11-venv" in asked


def test_without_root_the_systems_pip_fills_the_environment(machine: Machine) -> None:
    machine.python("python3", 11, whole=False, pip=True)
    status, said, asked = machine.bootstrap()
    assert status == 0, said
    assert "python3 -m venv --without-pip .venv" in asked
    # The system's own environment may be locked, and is nobody's business: only .venv is filled.
    assert [line for line in asked.splitlines() if line.startswith("python3 ") and "install" in line] == [
        "python3 -m pip -q --python .venv/bin/python install -c constraints.txt pip"
    ]


def test_without_root_a_wheel_of_pip_fills_the_environment(machine: Machine) -> None:
    machine.python("python3", 11, whole=False)
    machine.program("find", "#!/bin/sh\necho /usr/share/python-wheels/pip-23.0.1-py3-none-any.whl\n")
    status, said, asked = machine.bootstrap()
    assert status == 0, said
    assert "venv -m pip -q install --no-index /usr/share/python-wheels/pip-23.0.1-py3-none-any.whl\n" in asked


def test_without_root_uv_fills_the_environment(machine: Machine) -> None:
    machine.python("python3", 11, whole=False)
    machine.program("uv", '#!/bin/sh\necho "uv $*" >>"$LOG"\n')
    status, said, asked = machine.bootstrap()
    assert status == 0, said
    assert "uv -q pip install --python .venv/bin/python -c constraints.txt pip\n" in asked


def test_without_any_way_it_names_the_command(machine: Machine) -> None:
    machine.python("python3", 11, whole=False)
    machine.root()
    machine.program("id", "#!/bin/sh\necho 1000\n")  # apt-get is here, and not ours to run
    status, said, asked = machine.bootstrap()
    assert status == 1
    assert "apt-get install python3.11-venv; then the same command again" in said
    assert "apt-get" not in asked


def test_a_failed_installation_is_no_success(machine: Machine) -> None:
    machine.python("python3", 11)
    (machine.bin / "offline").touch()
    status, said, _ = machine.bootstrap()
    assert status == 1
    assert "pip could not install" in said
    (machine.bin / "offline").unlink()
    assert machine.bootstrap()[0] == 0


def test_an_interrupted_update_is_not_trusted(machine: Machine) -> None:
    machine.python("python3", 11)
    machine.bootstrap()
    pins = machine.checkout / "constraints.txt"
    before = pins.read_text()
    pins.write_text(before + "another==1.0\n")
    (machine.bin / "offline").touch()
    assert machine.bootstrap()[0] == 1
    (machine.bin / "offline").unlink()
    pins.write_text(before)
    status, said, _ = machine.bootstrap()
    assert status == 0, said
    assert "making it anew" in said


def test_missing_system_packages_are_printed_and_nothing_is_done(machine: Machine) -> None:
    """For CI, whose user is not root: it installs by sudo what is printed."""
    machine.python("python3", 11)
    for name in ("git", "bwrap"):
        (machine.bin / name).unlink()
    done = subprocess.run(
        ["sh", machine.checkout / "scripts" / "bootstrap", "--missing"],
        env={"PATH": str(machine.bin), "LOG": str(machine.log), "STANDINS": str(machine.bin)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "git bubblewrap\n", "")
    assert machine.log.read_text() == ""
    assert not (machine.checkout / ".venv").exists()


def test_missing_system_packages_are_named(machine: Machine) -> None:
    machine.python("python3", 11)
    (machine.bin / "git").unlink()
    status, said, asked = machine.bootstrap("--system")
    assert status == 1
    assert "apt-get install git;" in said
    assert asked == ""


def test_root_installs_missing_system_packages(machine: Machine) -> None:
    machine.python("python3", 11)
    machine.root()
    (machine.bin / "git").unlink()
    status, said, asked = machine.bootstrap("--system")
    assert status == 0, said
    assert "--no-install-recommends git\n" in asked


def test_system_packages_that_cannot_be_had_stop_the_tests(machine: Machine) -> None:
    machine.python("python3", 11)
    machine.root(apt="exit 100")
    (machine.bin / "git").unlink()
    status, said, asked = machine.bootstrap("--system")
    assert status == 1
    assert "the tests need these system packages: git" in said
    assert "apt-get -qq -o Dpkg::Use-Pty=0 update" in asked
