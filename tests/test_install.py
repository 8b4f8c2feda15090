"""The packages are the same wherever they are built, and hold what they need however they are installed.

Nothing is downloaded: the packages are built by the installed build tool and laid into
environments that see this one's dependencies through a .pth file.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from reviewbot.assets import assets
from reviewbot.core.errors import AssetError

ROOT = Path(__file__).resolve().parent.parent
SKILLS = {path.name for path in (ROOT / "skills").iterdir() if path.is_dir()}


def run(*argv: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"  # shellcheck and ruff
    done = subprocess.run(argv, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copy(into: Path) -> Path:
    """What a clone of this work tree would hold, each file with the time of this copy."""
    left = shutil.ignore_patterns(".git", ".venv", "dist", "build", "__pycache__", ".*_cache", ".hypothesis")
    return shutil.copytree(ROOT, into, ignore=left, copy_function=shutil.copyfile)


def build(source: Path, into: Path, *targets: str) -> list[Path]:
    """Builds as pip does: the sdist is made from the checkout, the wheel from either."""
    flags = [flag for target in targets for flag in ("-t", target)]
    run(sys.executable, "-m", "hatchling", "build", "-d", into, *flags, cwd=source)
    return sorted(into.iterdir())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel made from the sdist, which is what an index's users get."""
    folder = tmp_path_factory.mktemp("build")
    (sdist,) = build(ROOT, folder / "sdist", "sdist")
    run("tar", "-xzf", sdist, "-C", folder, cwd=folder)
    (unpacked,) = folder.glob("reviewbot-*")
    (built,) = build(unpacked, folder / "wheel", "wheel")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment into which the wheel was installed by pip."""
    return install(wheel, tmp_path_factory.mktemp("venv with spaces"))


def install(wheel: Path, folder: Path) -> Path:
    venv.create(folder, symlinks=True)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        folder / "bin" / "python",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        wheel,
        cwd=folder,
    )
    # Behind what pip laid there, so that the checkout cannot stand in for a part that is missing.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin"


def test_wheel_and_checkout_hold_the_same_files(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith(("/", ".pyc"))}
    carried = {
        f"reviewbot/_data/{path.relative_to(ROOT).as_posix()}"
        for kind in ("prompts", "skills")
        for path in (ROOT / kind).rglob("*")
        if path.is_file()
    }
    modules = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "reviewbot").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert carried
    assert {name for name in names if name.startswith("reviewbot/")} == carried | modules


def test_packages_are_the_same_bytes_in_another_folder_at_another_time(tmp_path: Path) -> None:
    """Files of another age and mode, a longer path, another umask, and the other target built first."""
    one, other = copy(tmp_path / "one"), copy(tmp_path / "a longer name" / "of the folder")
    for path in other.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
        if path.is_file():
            path.chmod(0o664)
    before = os.umask(0o077)
    try:
        second = build(other, tmp_path / "second", "wheel", "sdist")
    finally:
        os.umask(before)
    first = build(one, tmp_path / "first", "sdist", "wheel")
    assert [path.name for path in first] == [path.name for path in second]
    assert list(map(digest, first)) == list(map(digest, second))


def test_a_changed_byte_changes_the_packages(tmp_path: Path) -> None:
    """Without it, the test above would hold for packages that hold nothing."""
    tree = copy(tmp_path / "tree")
    first = build(tree, tmp_path / "first", "sdist", "wheel")
    with (tree / "prompts" / "task.md.j2").open("a") as file:
        file.write(" ")
    second = build(tree, tmp_path / "second", "sdist", "wheel")
    assert all(digest(a) != digest(b) for a, b in zip(first, second, strict=True))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_sdist_holds_what_its_tests_need(tmp_path: Path) -> None:
    """Everything of the checkout: the workflows, the documentation and our own skill are tested too."""
    (sdist,) = build(copy(tmp_path / "tree"), tmp_path / "sdist", "sdist")
    with tarfile.open(sdist) as archive:
        held = {member.name.partition("/")[2] for member in archive if member.isfile()}
    tree = tmp_path / "tree"
    files = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    assert files - held == set()
    assert held - files == {"PKG-INFO"}


def test_the_commands_of_a_newcomer_from_the_root(installed: Path) -> None:
    said = run(ROOT / "scripts" / "smoke", installed, cwd=installed)
    assert "A failed step does not stop the launch" in said
    assert all(name in said for name in SKILLS)


def test_the_smoke_test_fails_where_a_part_is_missing(wheel: Path, tmp_path: Path) -> None:
    """A wheel that lost its skills starts, prints its version, and has to be caught all the same."""
    bin_folder = install(wheel, tmp_path / "bare")
    (data,) = (tmp_path / "bare").rglob("_data")
    shutil.rmtree(data / "skills")
    done = subprocess.run([ROOT / "scripts" / "smoke", bin_folder], capture_output=True, text=True)
    assert done.returncode != 0
    assert "reviewbot 0.1.0" in done.stdout


def test_the_wheel_finds_its_skills_from_elsewhere(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "skills" / "a-strangers-folder").mkdir(parents=True)
    found = run(
        installed / "python",
        "-c",
        "from reviewbot.assets import assets; print(assets('skills'))",
        cwd=tmp_path,
    ).strip()
    assert Path(found).is_relative_to(installed.parent.resolve())
    assert {path.name for path in Path(found).iterdir()} == SKILLS


def test_the_wheels_command_runs(installed: Path, tmp_path: Path) -> None:
    assert "0.1.0" in run(installed / "reviewbot", "--version", cwd=tmp_path)
    assert "0.1.0" in run(installed / "python", "-m", "reviewbot", "--version", cwd=tmp_path)


def test_the_wheels_demonstration_finds_defects(installed: Path, tmp_path: Path) -> None:
    review = json.loads(run(installed / "reviewbot", "demo", "--format", "json", cwd=tmp_path))
    assert review["verdict"] == "findings"
    assert {skill["origin"] for skill in review["skills"]} == {"builtin"}
    assert {gate["status"] for gate in review["gates"]} <= {"passed", "failed", "skipped"}


def test_the_checkout_finds_its_skills() -> None:
    assert assets("skills") == str(ROOT / "skills")
    assert SKILLS


def test_a_broken_installation_says_so() -> None:
    with pytest.raises(AssetError, match="no 'recipes' folder in this installation"):
        assets("recipes")
