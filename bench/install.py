"""How large an installation is: `python bench/install.py` makes a fresh environment for each extra.

    python bench/install.py              all rows (minutes; needs a package index)
    python bench/install.py plain llm    some of them

Each row is its own virtual environment without pip, filled by pip from this checkout's wheel and the
versions of constraints.txt. Megabytes are 10^6 bytes of files, without the byte code that pip writes beside
them; a second column counts that too. A row beyond its budget is marked OVER, and the exit code is then 1.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = ("plain", "github", "llm", "server", "all")
BUDGETS = {"plain": 150}  # megabytes, DESIGN section 6
WIDTHS = (10, 12, 16, 10, 9, 8)
LARGEST = 4


def pip(*arguments: str | Path) -> None:
    quiet = ("--disable-pip-version-check", "--quiet", "--quiet")
    subprocess.run((sys.executable, "-m", "pip", *quiet, *arguments), check=True)


def build(into: Path) -> Path:
    subprocess.run(
        (sys.executable, "-m", "hatchling", "build", "-d", into, "-t", "wheel"), cwd=ROOT, check=True
    )
    (wheel,) = into.iterdir()
    return wheel


def megabytes(folder: Path, *, compiled: bool) -> float:
    """Of regular files; links to the interpreter are none of ours."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files if compiled or path.suffix != ".pyc") / 1e6


def largest(site: Path, scripts: Path) -> str:
    places = [path for path in (*site.iterdir(), *scripts.iterdir()) if not path.is_symlink()]
    sizes = {
        path.name: megabytes(path, compiled=False) if path.is_dir() else path.stat().st_size / 1e6
        for path in places
    }
    first = sorted(sizes, key=lambda name: -sizes[name])[:LARGEST]
    return ", ".join(f"{name} {sizes[name]:.0f}" for name in first)


def row(extra: str, wheel: Path, folder: Path) -> tuple[tuple[str, ...], bool]:
    venv.create(folder, symlinks=True)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    wanted = str(wheel) if extra == "plain" else f"{wheel}[{extra}]"
    start = time.perf_counter()
    pip("--python", folder / "bin" / "python", "install", "-c", ROOT / "constraints.txt", wanted)
    seconds = time.perf_counter() - start
    size = megabytes(folder, compiled=False)
    over = size > BUDGETS.get(extra, float("inf"))
    count = sum(path.suffix == ".dist-info" for path in site.iterdir())
    budget = f"{BUDGETS[extra]} MB" if extra in BUDGETS else ""
    cells = (extra, f"{size:.1f} MB", f"{megabytes(folder, compiled=True):.1f} MB", str(count), budget)
    return (*cells, "OVER" if over else "", f"{largest(site, folder / 'bin')} ({seconds:.0f} s)"), over


def print_row(cells: tuple[str, ...]) -> None:
    print(
        "".join(cell.ljust(width) for cell, width in zip(cells, (*WIDTHS, 0), strict=True)).rstrip(),
        flush=True,
    )


def main() -> int:
    extras = sys.argv[1:] or list(EXTRAS)
    if unknown := set(extras) - set(EXTRAS):
        raise SystemExit(f"no extra {', '.join(sorted(unknown))}; there are {', '.join(EXTRAS)}")
    beyond = False
    print_row(("extra", "installed", "with byte code", "packages", "budget", "", "largest"))
    with tempfile.TemporaryDirectory(prefix="reviewbot-install-") as scratch:
        wheel = build(Path(scratch) / "wheel")
        for extra in extras:
            cells, over = row(extra, wheel, Path(scratch) / extra)
            print_row(cells)
            beyond |= over
    return 1 if beyond else 0


if __name__ == "__main__":
    raise SystemExit(main())
