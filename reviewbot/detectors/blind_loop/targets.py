"""What a wait asks, and what a job serves: hosts, ports, files and variables, each with its values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.script import variables_read

_PLACE = pattern(  # a port, a file
    r"(?<![\w.])\d{4,5}(?![\w.])|(?<![\w./-])/?(?:(?:[\w.-]+/)+[\w.-]+|[\w-]+\.[a-z]\w*)"
)
_PORT = pattern(r"(?:port\b\"?[ \t=\"']{1,4}|:)(\d{2,5})\b", re.I)
_LOCAL = pattern(r"\blocalhost\b|\b127\.0\.0\.1\b|\b0\.0\.0\.0\b|\[::1?\]|\bhostname\b|\bHOSTNAME\b")
_HOST = pattern(
    r"https?://(\$\{[^}\s]{1,80}\}|\$\w+|\[[\d:a-f]*\]|[\w.-]+|\$\(hostname[^)]{0,20}\))"
    r"|/dev/(?:tcp|udp)/([^/\s\"']{1,80})/"
    r"|(?<!\S)(?:nc|ncat|telnet)[ \t]+(?:-\S{1,20}[ \t]+(?:\d{1,3}[ \t]+(?=\S+[ \t]+\S*[\d$]))?){0,4}"
    r"\"?([^\s\"-]\S{0,80})"
    r"|(?<![\w/:$@.}-])(\$\{\w{1,80}\}|\$?[\w.-]{1,80}):(?:\d{2,5}|\$)"
)
_PLACED = pattern(r"(?:^|_)(?:UR[LI]|HOST|ADDR|ADDRESS|NODE|ENDPOINT|IP)(?:_|$)", re.I)
_ELSEWHERE = pattern(r"(?<![\w-])(?:ssh|srun|pdsh|kubectl)\s")
_COMMON = frozenset(("PWD", "HOME", "PATH", "USER", "PYTHON", "PY", "PID", "DIR", "ROOT", "TMPDIR"))
_SAYS = pattern(r"\b(?:echo|printf|log\w*)\b[^\n;|&]*")
_SOME = 200  # characters of a value that are read


class Target(NamedTuple):
    names: frozenset[str]  # ports, files and variables
    ports: frozenset[str]
    hosts: frozenset[str]  # as written; of a variable its name
    local: bool  # one of them is this machine
    elsewhere: bool  # asked by way of another machine


def target(text: str, values: Mapping[str, str]) -> Target:
    """What a piece of shell text is about. `values`: variable -> what it is set to."""
    text = _SAYS.sub("", text)
    read = variables_read(text)
    texts = [text, *(values[name][:_SOME] for name in sorted(read) if name in values)]
    hosts = {next(filter(None, m.groups())) for t in texts for m in _HOST.finditer(t)}
    hosts = {h for h in hosts if not _is_local(h, values)} | {n for n in read if _PLACED.search(n)}
    return Target(
        names=frozenset(place for t in texts for place in _PLACE.findall(t)) | (read - _COMMON),
        ports=frozenset(port for t in texts for port in _PORT.findall(t)),
        hosts=frozenset(_bare(h) for h in hosts if not _is_local(h, values)),
        local=any(map(_LOCAL.search, texts)),
        elsewhere=bool(_ELSEWHERE.search(text)),
    )


def is_of(asked: Target, job: Target, written: str) -> bool:
    """Whether a wait may be for a job: no other machine, no other port. `written`: the job's text."""
    if asked.elsewhere or any(
        not re.search(rf"(?<![\w.]){re.escape(h)}(?![\w.])", written) for h in asked.hosts
    ):
        return False
    return not (asked.ports and job.ports and asked.ports.isdisjoint(job.ports | job.names))


def _bare(host: str) -> str:
    return next(iter(variables_read(host)), host.strip("\"'"))


def _is_local(host: str, values: Mapping[str, str]) -> bool:
    value = values.get(_bare(host) if "$" in host else host, "") if host else ""
    return bool(_LOCAL.search(host) or _LOCAL.search(value[:_SOME]))
