"""The background jobs of a script: which one a loop waits for, and whether one bounds the loop.

`kill -0` helps only where the job is what is waited for, and where its death is a failure. The
client of `docker run -d` is gone at once, and a download may be done before the server is up.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from reviewbot.core.patterns import pattern
from reviewbot.detectors.blind_loop.clients import is_short_lived
from reviewbot.detectors.blind_loop.targets import Target, is_of, target
from reviewbot.detectors.shell.dataflow import Dataflow
from reviewbot.detectors.shell.launches import is_launch
from reviewbot.detectors.shell.loops import Loop
from reviewbot.detectors.shell.script import ShellFile, variables_read
from reviewbot.detectors.shell.tree import Node

_STORED = pattern(r"(\w+)=\"?\$(?:!|\{!\})\"?$")
_BYSTANDER = pattern(r"mon|watch|tail|log|timer|beat|trace|prof|smi|stat|sampl|collect", re.I)
_SERVES = pattern(
    r"(?<!ob)(?<!re)(?<!con)serv(?:e[rs]?|ers|ing)?(?![a-z])|engine|vllm|sglang|trtllm|triton|ollama|uvicorn"
    r"|gunicorn|daemon|router|proxy|listen|(?<![a-z])tgi(?![a-z])",
    re.I,
)
_SELF = pattern(r"\$\$|\$\{\$\}|(?:^|\s)-?0(?=[\s;)\"']|$)")
_KILLS = pattern(r"\bkill\b([^\n;&|]{0,200})")
_OWN_SCRIPT = pattern(r"\$\{?(?:0\b|BASH_SOURCE)")
_JOBS = 50  # stored process ids, and their ends, that are looked at before a loop
_SOME = 2000  # characters of a job, or of a loop, that are read
_NEAR = 20  # levels of nesting, and commands of a job, that are looked at


class _Job(NamedTuple):
    stored: Node  # `PID=$!`
    pid: str
    start: int  # of its statement
    serves: bool
    target: Target
    text: str


class Jobs:
    def __init__(self, file: ShellFile) -> None:
        self._file = file
        self._pids = [(n, m[1]) for n in file.nodes if (m := self._pid(n)) and not _BYSTANDER.search(m[1])]
        self._pids_at = [node.start for node, _ in self._pids]
        self._background = [node for node in file.nodes if node.background]
        self._background_at = [node.start for node in self._background]
        self._rivals = [n for n in self._background if not _BYSTANDER.search(_first_name(n))]
        self._rivals_at = [node.start for node in self._rivals]
        self._endings = [c for c in file.commands if c.name in ("kill", "wait") and "-0" not in c.words]
        self._ended_at = [command.start for command in self._endings]
        self._known: dict[Node, _Job | None] = {}

    def waited_for(self, loop: Loop) -> tuple[Node, str] | None:
        """`PID=$!` and its variable, of the job that the loop waits for; None where no sign says which.

        A sign is a port, a file or a variable of both. Without one, it is the only job of the script.
        """
        visible = (None, self._file.options.function_of(loop.node))
        at = bisect_left(self._pids_at, loop.node.start)
        nearby = self._pids[max(at - _JOBS, 0) : at]
        seen = [pid for pid in reversed(nearby) if self._file.options.function_of(pid[0]) in visible]
        text = self._file.text.content[loop.node.start : min(loop.node.end, loop.node.start + _SOME)]
        asked = target(text, self._dataflow.values)
        known = [job for pid in seen if (job := self._job(*pid)) and not self._is_over(job, loop)]
        jobs = [job for job in known if is_of(asked, job.target, job.text)]
        shared = [_shared(asked, job.target) for job in jobs]
        most = max(shared, default=(0, 0))
        best = [job for job, names in zip(jobs, shared, strict=True) if names == most]
        if best[1:] and any(most):
            best = [job for job in best if job.serves]
        if len(best) != 1:
            return None
        job = best[0]
        signs = any(most) or ((job.serves or asked.local) and self._is_alone(job, loop))
        return (job.stored, job.pid) if signs else None

    def _is_alone(self, job: _Job, loop: Loop) -> bool:
        """Whether the script has started nothing else in the background before a loop."""
        at = bisect_left(self._rivals_at, loop.node.start)
        before = self._rivals[max(at - _JOBS, 0) : at]
        return all(job.start <= rival.start < job.stored.start for rival in before)

    def are_bounded_at(self, node: Node) -> bool:
        """Whether a watchdog, or a `timeout` around the whole script, ends it in spite of a loop there."""
        function = self._file.options.function_of(node)
        calls = self._file.options.calls.get(function.name, ()) if function else ()
        return self._bounded_from < min((call.start for call in calls), default=node.start)

    @cached_property
    def _bounded_from(self) -> float:
        """Where `( sleep 600; kill $$ ) &` or `exec timeout 600 "$0"` stands first."""
        own = {name for name, value in self._dataflow.values.items() if value.strip('"') == "$$"}
        watchdogs = [job.start for job in self._background if self._kills_script(job, own)]
        limited = (c for c in self._file.commands if "timeout" in (c.name, *c.words[1:2]))
        return min([*watchdogs, *(c.start for c in limited if _OWN_SCRIPT.search(c.text))], default=math.inf)

    def _kills_script(self, job: Node, own: set[str]) -> bool:
        killed = (found[1] for found in _KILLS.finditer(self._text(job)))
        return any("-0" not in k.split() and (_SELF.search(k) or variables_read(k) & own) for k in killed)

    @cached_property
    def _dataflow(self) -> Dataflow:
        return Dataflow(self._file)

    def _pid(self, node: Node) -> re.Match[str] | None:
        if node.kind != "variable_assignment":
            return None
        return _STORED.match(self._file.text.content, node.start, node.end)

    def _is_over(self, job: _Job, loop: Loop) -> bool:
        at = bisect_left(self._ended_at, job.stored.start)
        between = self._endings[at : at + _JOBS]
        return any(e.start < loop.node.start and job.pid in e.text for e in between)

    def _job(self, stored: Node, pid: str) -> _Job | None:
        """What is known of a job; None for one whose end says nothing."""
        if stored not in self._known:
            statement = self._started(stored)
            commands = list(self._commands(statement)) if statement else []
            text = self._text(statement) if statement else ""
            start = statement.start if statement else stored.start
            about = target(text, self._dataflow.values)
            serves = bool(_SERVES.search(pid) or _SERVES.search(text)) or any(map(is_launch, commands))
            short = any(map(is_short_lived, commands))
            self._known[stored] = None if short else _Job(stored, pid, start, serves, about, text)
        return self._known[stored]

    def _started(self, stored: Node) -> Node | None:
        """The statement with `&` in front of `PID=$!`."""
        at = bisect_left(self._background_at, stored.start) - 1
        if at < 0:
            return None
        job = self._background[at]
        around = [n for n in islice(job.ancestors(), _NEAR) if n.background and n.end <= stored.start]
        return around[-1] if around else job

    def _commands(self, job: Node) -> Iterator[tuple[str, ...]]:
        """The bare commands of a job, and those of the functions that it calls."""
        for node in _first_commands(job):
            yield self._dataflow.bare(node)
            if function := self._file.functions.get(node.name):
                yield from map(self._dataflow.bare, _first_commands(function))

    def _text(self, job: Node) -> str:
        """A job as written, with the functions that it calls."""
        names = (n.name for n in _first_commands(job))
        called = (self._file.functions[name] for name in names if name in self._file.functions)
        content = self._file.text.content
        return "\n".join(content[n.start : min(n.end, n.start + _SOME)] for n in (job, *called))


def _first_commands(node: Node) -> Iterator[Node]:
    return (n for n in (node, *islice(node.inside(), _NEAR)) if n.kind == "command")


def _first_name(job: Node) -> str:
    return next((command.name for command in _first_commands(job)), "")


def _shared(asked: Target, served: Target) -> tuple[int, int]:
    """What a wait and a job have in common: ports, and anything."""
    names = asked.names & served.names
    return len(asked.ports & (served.ports | served.names)), len(names)
