"""Commands that are gone while what they started, or fetched, is well: their death says nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.launches import PREPARING, name_tokens, script_of

_CONTAINERS = ("docker", "podman", "nerdctl", "docker-compose")
_DETACHED = pattern(r"--detach(?:=true)?|-[a-z]{0,4}d[a-z]{0,4}")  # -d, -dit, -itd
_QUEUED = {
    "sbatch": ("--wait", "-W"),
    "kubectl": ("port-forward", "logs", "exec", "proxy", "--attach"),
    **dict.fromkeys(("qsub", "bsub", "helm", "systemctl", "service", "srtctl", "sky", "tmux", "screen"), ()),
}
_DAEMONIZES = frozenset(("--daemonize", "--daemon", "--fork", "--background", "--detach"))
_FETCHERS = (
    "curl", "wget", "aria2c", "aws", "gsutil", "gcloud", "azcopy", "s5cmd", "hf", "huggingface-cli", "git",
    "pip", "pip3", "conda", "tar", "unzip", "cp", "mv", "rsync", "scp", "rm", "make", "cmake", "enroot",
)  # fmt: skip


def is_short_lived(command: Sequence[str]) -> bool:
    """Whether a command hands its work over, or has done it, and ends. `command` is `bare`."""
    if not command:
        return False
    name, arguments = command[0], command[1:]
    if name in _FETCHERS:
        return True
    if name in _QUEUED:
        return not set(_QUEUED[name]) & set(arguments)
    if not _DAEMONIZES.isdisjoint(arguments) and "no" not in arguments:
        return True
    if name == "ray":
        return "--block" not in arguments
    if name == "ssh":
        return any(re.fullmatch(r"-[A-Za-z]*f[A-Za-z]*", a) for a in arguments)
    if name in _CONTAINERS:
        given = [a for a in arguments if not a.startswith("-")][:1]
        return given in (["pull"], ["build"], ["start"]) or any(map(_DETACHED.fullmatch, arguments))
    script = script_of(command)
    return bool(script) and bool(PREPARING.fullmatch(name_tokens(script or "")[0]))
