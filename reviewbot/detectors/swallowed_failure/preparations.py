"""Which shell commands prepare what a launch runs, and how.

Measured on 790 public launchers. Left out because their exit status says nothing about the
outcome: `sed -i` (0 also for no match; 7 of 7 hits were wrong) and `perl -pi`. Left out because
they fail loudly at the launch: package installs, `hf download`, `enroot import`, image pulls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.launches import REPORTING, is_launch, name_tokens, script_of
from reviewbot.detectors.swallowed_failure.builds import products


class Preparation(Enum):
    PIN = "pin"  # the revision that is checked out
    PATCH = "patch"
    COPY = "copy"
    SCRIPT = "script"  # an interpreter at work on a file
    EDIT = "edit"  # a file edited or rendered in place
    FETCH = "fetch"
    BUILD = "build"  # of what is handed out later; nothing that is run


_NOTHING_PREPARED = ("", "-V", "--version", "-h", "--help", "venv", "virtualenv", "pip", "json.tool", "site")
_WRITES = pattern(
    r"open\([^)]{0,200}['\"][wa]|\bdump\b|write|\bsave|rename|replace\(|copy|shutil|sys\.exit|assert"
)
_UNPINNED = pattern(r"(?:origin/)?(?:main|master|develop|dev|trunk)|HEAD\S*|FETCH_HEAD|@\S*|-|\.\S*")
_FILE = pattern(
    r"\.(?:ya?ml|jsonl?|toml|cfg|conf|ini|txt|md|lock|py|sh|slurm|sbatch|patch|env)$|/$|(?:FILE|PATH|DIR)\}?$"
)
_ASIDE = pattern(r"(?:\.bak|\.orig|\.old|~|backups?/?)\}?$")


def preparation(command: Sequence[str], text: str) -> Preparation | None:
    """What a command prepares. `command` is `bare`; `text` is all of it, redirections and heredoc too."""
    if not command or is_launch(command):
        return None
    name, arguments = command[0], command[1:]
    if name == "git":
        return _git(arguments)
    if products(command):
        return Preparation.BUILD
    if name in _KINDS:
        kind, wanted = _KINDS[name]
        return kind if wanted(arguments, text) else None
    script = script_of(command)
    return Preparation.SCRIPT if script is not None and _prepares(script, arguments, text) else None


def _prepares(script: str, arguments: Sequence[str], text: str) -> bool:
    if script in _NOTHING_PREPARED or any(re.fullmatch(r"-[0an]*[pi]\S*", a) for a in arguments[:2]):
        return False
    if script == "-c":
        return bool(_WRITES.search(text))
    return not REPORTING.fullmatch(name_tokens(script)[0])


def _git(arguments: Sequence[str]) -> Preparation | None:
    rest = list(arguments)
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in ("-C", "-c", "--git-dir", "--work-tree") else 1]
    verb, rest = (rest[0], rest[1:]) if rest else ("", [])
    if verb == "clone":
        return Preparation.FETCH
    if verb in ("apply", "am", "cherry-pick"):
        return None if {"--check", "--stat", "--abort", "--continue"} & set(rest) else Preparation.PATCH
    if verb in ("checkout", "switch") or (verb == "reset" and "--hard" in rest):
        operands = [a for a in rest if not a.startswith("-")]
        if {"-b", "-B", "-c", "-C", "--orphan"} & set(rest):
            operands = operands[1:]
        # `main` is what a fresh clone is on anyway; with a path only files are restored.
        files = bool({"--", "--ours", "--theirs", "-p", "--patch"} & set(rest)) or len(operands) > 1
        files |= any(map(_FILE.search, operands))
        if operands and not files and not _UNPINNED.fullmatch(operands[0]):
            return Preparation.PIN
    return None


def _always(arguments: Sequence[str], text: str) -> bool:
    return True


def _in_place(arguments: Sequence[str], text: str) -> bool:
    return any(re.fullmatch(r"-\w*i|--in-?place", a) for a in arguments) or _to_file(arguments, text)


def _to_file(arguments: Sequence[str], text: str) -> bool:
    return bool(re.search(r"(?<![0-9&<>])>{1,2}\|?\s*(?![&\s]|/dev/)", text))


def _needed(arguments: Sequence[str], text: str) -> bool:
    """No back-up copy, and none whose messages are thrown away: that one may fail by intent."""
    last = next((a for a in reversed(arguments) if not a.startswith("-")), "")
    return not _ASIDE.search(last) and not re.search(r"[2&]>\s*/dev/null", text)


def _transfer(arguments: Sequence[str], text: str) -> bool:
    return bool({"cp", "sync", "rsync"} & set([a for a in arguments if not a.startswith("-")][:2]))


_KINDS: dict[str, tuple[Preparation, Callable[[Sequence[str], str], bool]]] = {
    "patch": (Preparation.PATCH, lambda arguments, text: "--dry-run" not in arguments),
    "yq": (Preparation.EDIT, _in_place),
    **dict.fromkeys(("cp", "mv", "rsync", "scp"), (Preparation.COPY, _needed)),
    **dict.fromkeys(("jq", "envsubst", "j2", "jinja2", "gomplate", "ytt"), (Preparation.EDIT, _to_file)),
    **dict.fromkeys(("curl", "wget", "aria2c", "tar", "unzip"), (Preparation.FETCH, _always)),
    **dict.fromkeys(("aws", "gsutil", "gcloud", "azcopy", "s5cmd"), (Preparation.FETCH, _transfer)),
}
