"""The built-in skills are found however reviewbot was installed.

Nothing is downloaded: the packages are built by the installed build tool and laid into
environments that see this one's dependencies through a .pth file.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
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
    folder = tmp_path_factory.mktemp("venv with spaces")
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
