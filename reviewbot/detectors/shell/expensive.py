"""Which commands of a script are its expensive phase, for a test that could have come before."""

from __future__ import annotations

from collections.abc import Sequence

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.launches import PREPARING, REPORTING, is_launch, name_tokens, script_of
from reviewbot.detectors.shell.tree import Node, Role

_TRANSFORMS = pattern(r"convert\w*|quanti[sz]e\w*|ptq|calib\w*|prune|distill\w*|rechunk")
# These return at once: what they start goes on elsewhere.
_ASYNCHRONOUS = ("kubectl", "helm", "ray", "docker-compose")
_CONTAINERS = ("docker", "podman", "nerdctl")
_DETACHED = pattern(r"--detach|-[it]{0,2}d[it]{0,2}")
_PROBES = pattern(
    r"--(?:version|help|dry-run|test-only|parsable)|-h|nvidia-smi|hostname|true|echo|ls|rm|mkdir|chown|cat|id"
)


def is_expensive(node: Node, command: Sequence[str]) -> bool:
    """Whether a command takes minutes or more and is waited for. `command` is `bare`."""
    if not command or node.background or node.role in (Role.CONDITION, Role.NEGATED):
        return False
    name, arguments = command[0], command[1:]
    if name in _ASYNCHRONOUS or any(map(_PROBES.fullmatch, arguments)):
        return False
    if name in _CONTAINERS and any(map(_DETACHED.fullmatch, arguments)):
        return False
    if name in ("hf", "huggingface-cli"):
        return "download" in arguments
    if name in ("srun", "enroot") and "import" in " ".join(arguments).split():
        return True
    return is_launch(command) or _transforms(script_of(command) or "")


def _transforms(script: str) -> bool:
    """Whether a script makes weights or a corpus out of others, by its name."""
    first, *others = name_tokens(script)
    if _TRANSFORMS.fullmatch(first):
        return True
    return not (PREPARING.fullmatch(first) or REPORTING.fullmatch(first)) and any(
        map(_TRANSFORMS.fullmatch, others)
    )
