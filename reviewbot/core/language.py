"""Which language a file is written in: decided by its name, then by its first line."""

from __future__ import annotations

from reviewbot.core.patterns import pattern

SHELLS = frozenset({"sh", "bash", "dash", "ash", "ksh"})
SHELL_SUFFIXES = (".sh", ".bash", ".sbatch", ".slurm", ".ksh", ".bats")
PYTHON_SUFFIXES = (".py", ".pyi")
# Programs that a script with a shell's suffix may name although no shell would read it.
FOREIGN = frozenset({"zsh", "fish", "csh", "tcsh", "python", "perl", "ruby", "node", "expect", "awk", "make"})
# Where GitHub looks for them: workflows in no folder further down, actions in any.
_WORKFLOW = pattern(r"(?:\.github/workflows/[^/]+|(?:[^/]+/)*action)\.ya?ml")
_FOREIGN_PIPELINE = pattern(
    r"(?:.*/)?(?:\.gitlab-ci\.ya?ml|\.circleci/config\.ya?ml|azure-pipelines\.ya?ml|\.travis\.ya?ml|Jenkinsfile)"
)


def language(path: str, first_line: str) -> str:
    """ "shell", "python", "workflow" (GitHub's YAML, with shell in it), or "" for everything else."""
    if is_shell(path, first_line):
        return "shell"
    if is_python(path, first_line):
        return "python"
    return "workflow" if _WORKFLOW.fullmatch(path) else ""


def is_foreign_pipeline(path: str) -> bool:
    """Whether a CI system that is not GitHub runs the scripts in this file."""
    return bool(_FOREIGN_PIPELINE.fullmatch(path))


def is_shell(path: str, first_line: str) -> bool:
    """Whether bash, dash, ksh or sh would run this file."""
    program = interpreter(first_line)
    if path.endswith(SHELL_SUFFIXES):
        return program not in FOREIGN
    return _bare(path) and program in SHELLS


def is_python(path: str, first_line: str) -> bool:
    return path.endswith(PYTHON_SUFFIXES) or (_bare(path) and interpreter(first_line) == "python")


def interpreter(first_line: str) -> str:
    """The program that a `#!` line starts, without folder and version: "bash", "python", or ""."""
    if not first_line.startswith("#!"):
        return ""
    words = first_line[2:256].split()  # Linux reads 256 bytes of it
    if words and words[0].endswith("/env"):
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return words[0].rsplit("/", 1)[-1].rstrip("0123456789.") if words else ""


def _bare(path: str) -> bool:
    return "." not in path.rsplit("/", 1)[-1]
