"""Speed and memory of reviewbot, as ratios to public tools in one run on one machine.

    python bench/run.py            all rows (a few minutes)

Wall time is the median of several runs, by hyperfine where it is on the PATH. Memory is the
peak resident set of the process and its children, by wait4. The large change is reviewed by the
default skill without its gates, and in the row below with them. Budgets in seconds are those of a
slow machine with two cores; a row beyond one is marked OVER.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from change import git, make_repository

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
REVIEWBOT = str(Path(PYTHON).with_name("reviewbot"))
PARTS = str(ROOT / "bench" / "parts.py")
HYPERFINE = shutil.which("hyperfine")
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "REVIEWBOT_"))},
    "PYTHONPATH": str(ROOT),
}
DIFF = (REVIEWBOT, "diff", "base")
GIT_DIFF = ("git", "diff", "-U3", "base...head")
SMALL, MIDDLE, LARGE = (6, 100), (30, 1_000), (2450, 105_000)  # files and lines asked of make_repository
WIDTHS = (38, 10, 8, 28, 9, 16, 4)


@dataclass(frozen=True)
class Measure:
    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Row:
    what: str
    measure: Measure
    against: str
    baseline: float  # seconds
    seconds: float | None = None  # budgets
    ratio: float | None = None
    megabytes: float | None = None

    def cells(self) -> tuple[str, ...]:
        budgets = (
            f"{self.seconds:g} s" if self.seconds else "",
            f"x {self.ratio:g}" if self.ratio else "",
            f"{self.megabytes:g} MB" if self.megabytes else "",
        )
        return (
            self.what,
            f"{self.measure.seconds:.3f} s",
            f"{self.measure.megabytes:.0f} MB" if self.measure.megabytes else "",
            f"{self.against} ({self.baseline:.3f} s)",
            f"x {self.measure.seconds / self.baseline:.1f}",
            ", ".join(filter(None, budgets)),
            "OVER" if self.over() else "",
        )

    def over(self) -> bool:
        return any(
            (
                self.seconds and self.measure.seconds > self.seconds,
                self.ratio and self.measure.seconds / self.baseline > self.ratio,
                self.megabytes and self.measure.megabytes > self.megabytes,
            )
        )


def measure(argv: Sequence[str], cwd: Path, runs: int) -> Measure:
    first = once(argv, cwd)  # also warms the caches
    if HYPERFINE:
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            command = [HYPERFINE, "-N", "-i", "--style=none", f"--runs={runs}", f"--export-json={file.name}"]
            subprocess.run(
                [*command, shlex.join(argv)],
                cwd=cwd,
                env=ENVIRONMENT,
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            (result,) = json.load(file)["results"]
        return Measure(result["median"], first.megabytes)
    return Measure(statistics.median(once(argv, cwd).seconds for _ in range(runs)), first.megabytes)


def once(argv: Sequence[str], cwd: Path) -> Measure:
    """One run. Exit codes 0 and 1 are those of a review that was done."""
    start = time.perf_counter()
    process = subprocess.Popen(
        argv, cwd=cwd, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    said = process.stderr.read().decode("utf-8", "replace") if process.stderr else ""
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{shlex.join(argv)} ended with {process.returncode}\n{said}")
    return Measure(seconds, usage.ru_maxrss / 1024)


def without_gates(folder: Path) -> str:
    """A copy of the default skill whose mechanical gates are left out."""
    text = (ROOT / "skills" / "silent-failures" / "SKILL.md").read_text()
    kept = re.sub(r"(?s)\n *```bash\n.*?\n *```\n", "\n", text)
    if kept == text:
        raise SystemExit(
            "the default skill has no gates fence any more: bench/run.py must learn the new form"
        )
    (folder / "SKILL.md").write_text(kept)
    return str(folder / "SKILL.md")


def repository_in(folder: Path, wanted: tuple[int, int]) -> Path:
    folder.mkdir()
    make_repository(folder, *wanted)
    return folder


def size(repository: Path) -> str:
    """The size of the change, as git counts it: "99,812 lines in 2,417 files"."""
    files, *lines = map(int, re.findall(r"\d+", git(repository, "diff", "--shortstat", "-M", "base...head")))
    return f"{sum(lines):,} lines in {files:,} files"


def small_rows(scratch: Path) -> Iterator[Row]:
    repository = repository_in(scratch / "small", SMALL)
    bare = measure((PYTHON, "-c", "pass"), scratch, 30).seconds
    yield Row("--help", measure((REVIEWBOT, "--help"), scratch, 30), "python -c pass", bare, seconds=0.1)
    git_diff = measure(GIT_DIFF, repository, 20).seconds
    done = measure(DIFF, repository, 10)
    yield Row(f"diff, {size(repository)}", done, "git diff -U3", git_diff, seconds=0.5)


def large_rows(scratch: Path) -> Iterator[Row]:
    repository = repository_in(scratch / "large", LARGE)
    git_diff = measure(GIT_DIFF, repository, 5).seconds
    done = measure((*DIFF, "--skill", without_gates(scratch)), repository, 3)
    yield Row(f"diff, {size(repository)}", done, "git diff -U3", git_diff, seconds=3.5, megabytes=200)
    yield Row("  with its gates, once", once(DIFF, repository), "git diff -U3", git_diff)
    done = measure((PYTHON, PARTS, "read"), repository, 5)
    yield Row("  reading it", done, "git diff -U3", git_diff, ratio=2.5, megabytes=80)
    measured = part("detectors", repository)
    python, shell = measured["py"], measured["sh"]
    done = Measure(python["detectors"], 0)
    yield Row(f"  detectors, {python['files']:,} Python files", done, "ast.parse", python["parse"], ratio=2)
    done = Measure(shell["detectors"], 0)
    yield Row(f"  detectors, {shell['files']:,} shell files", done, "ast-grep's parse", shell["parse"])
    both = Measure(python["detectors"] + shell["detectors"], 0)
    parses = 2 * python["parse"] + shell["parse"]
    yield Row("  detectors, all of these", both, "2 parses of py, 1 of sh", parses, ratio=1)
    loading = part("skills", repository)
    yield Row("100 skills", Measure(loading["load"], 0), "PyYAML", loading["yaml"], seconds=1)


def part(name: str, repository: Path) -> Any:
    command = (PYTHON, PARTS, name)
    answer = subprocess.run(command, cwd=repository, env=ENVIRONMENT, check=True, stdout=subprocess.PIPE)
    return json.loads(answer.stdout)


def sandbox_rows(scratch: Path) -> Iterator[Row]:
    answer = subprocess.run(
        (PYTHON, PARTS, "sandbox"), cwd=scratch, env=ENVIRONMENT, check=True, stdout=subprocess.PIPE
    )
    bare, least, inside = (json.loads(answer.stdout)[name] for name in ("bare", "least", "inside"))
    # The kernel makes the namespaces: on some machines that alone takes the whole budget.
    what, against = "what the sandbox adds to bash -n", "bwrap --unshare-all"
    yield Row(what, Measure(inside - bare, 0), against, least - bare, seconds=0.008)


def sent_line(scratch: Path) -> str:
    """What a model is sent about a middling change, beside the change itself; nobody is asked."""
    repository = repository_in(scratch / "middle", MIDDLE)
    diff = len(git(repository, "diff", "-U3", "-M", "base...head"))
    asked = part("sent", repository)
    return (
        f"sent to a model, {size(repository)}: {asked['characters']:,} characters in {asked['questions']} "
        f"questions, {asked['marked']:,} of them new to it; git diff: {diff:,}"
    )


def print_row(cells: Sequence[str]) -> None:
    print("".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip(), flush=True)


def main() -> None:
    subprocess.run(
        (PYTHON, "-m", "compileall", "-q", "-x", "/hosts/demo/.*/", "reviewbot"), cwd=ROOT, check=True
    )
    clock = "no hyperfine here: median of repeated runs"
    if HYPERFINE:
        clock = subprocess.run((HYPERFINE, "--version"), capture_output=True, text=True).stdout.strip()
    versions = f"Python {platform.python_version()}, {git(ROOT, '--version').strip()}"
    print(f"{versions}, {os.cpu_count()} cores, {clock}\n")
    print_row(("what", "median", "peak", "against", "ratio", "budget", ""))
    with tempfile.TemporaryDirectory(prefix="reviewbot-bench-") as scratch:
        folder = Path(scratch)
        for row in chain(small_rows(folder), sandbox_rows(folder), large_rows(folder)):
            print_row(row.cells())
        print(f"\n{sent_line(folder)}")


if __name__ == "__main__":
    main()
