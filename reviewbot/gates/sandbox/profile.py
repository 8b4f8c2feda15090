"""What bubblewrap is told: what a job sees of this machine, and what it is allowed.

Everything is an allow-list. The traps: the root of a sandbox and its /dev are memory without a limit
until they are made read-only; without a user namespace of its own a job of root has all
capabilities; and `--clearenv` leaves bubblewrap's own environment readable in /proc/1/environ.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator

from reviewbot.gates.sandbox.job import MIB, Job
from reviewbot.gates.sandbox.tree import NOBODY

TREE, PRISTINE, OVER, TOOLS, HOME = "/tree", "/pristine", "/over", "/tools", "/tmp/home"
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
SHARED = 64 * MIB  # bytes of /dev/shm
OPEN_FILES = 1024
# What programs ask of /etc; of this machine's own nothing is shown but what the linker needs.
ETC = {
    "/etc/passwd": f"nobody:x:{NOBODY}:{NOBODY}:nobody:{HOME}:/bin/sh\n",
    "/etc/group": f"nogroup:x:{NOBODY}:\n",
    "/etc/hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
}
# What every job has; the first group is the sandbox's own whatever is given.
_OWN = {"PATH": f"{TOOLS}:{PATH}", "HOME": HOME, "TMPDIR": "/tmp"}
_PLAIN = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1", "USER": "nobody", "LOGNAME": "nobody"}
NAMES = (*_OWN, *_PLAIN, "PWD", "OLDPWD", "SHLVL", "_")  # the last four come from bubblewrap and /bin/sh
# A name is looked for as a file: `type` is a word of this shell and no program of the system. Behind `exec`
# standard input is the job's; behind the braces, and in the trap, it is ours again. bash, where it is the
# system's, goes on after an `exec` that failed if it is told to; other shells end by way of the trap.
_START = """program=$1
case $1 in
*/*) ;;
*)
    IFS=:
    for folder in $PATH; do
        program=$folder/$1
        if [ -f "$program" ] && [ -x "$program" ]; then break; fi
    done
    unset IFS
    ;;
esac
missing() { echo "missing $1" >&0; exit 127; }
[ -e "$program" ] || missing "is not in the sandbox"
[ ! -d "$program" ] || missing "is a folder"
[ -x "$program" ] || missing "is not executable"
unstarted() { code=$?; trap - EXIT; echo "unstarted $code" >&0 || :; exit $code; }
shopt -s execfail 2>/dev/null || :
trap unstarted EXIT
echo started >&0
{ exec "$@"; } </dev/null || unstarted
"""
_APART = (
    *("--unshare-user", "--unshare-all", "--disable-userns", "--cap-drop", "ALL"),
    *("--uid", str(NOBODY), "--gid", str(NOBODY), "--hostname", "sandbox"),
    *("--die-with-parent", "--new-session"),
)


def options(job: Job, etc: dict[str, int]) -> Iterator[str]:
    """The options for a job; `etc` maps the files of ETC to descriptors from which they are read."""
    scratch = job.limits.scratch
    yield from _APART
    yield from _system()
    for path, descriptor in etc.items():
        yield from ("--perms", "0444", "--file", str(descriptor), path)
    yield from ("--proc", "/proc", "--dev", "/dev", *_memory(SHARED, "/dev/shm"), "--remount-ro", "/dev")
    yield from (*_memory(scratch, "/tmp"), "--dir", HOME)
    trees = {PRISTINE: job.tree, OVER: job.over}
    yield from _memory(sum(tree.size for tree in trees.values() if tree) + scratch, TREE)
    for path, tree in trees.items():
        yield from ("--ro-bind", tree.folder, path) if tree else ()
    for path in job.binds:
        yield from ("--ro-bind", path, path)
    for name, program in job.tools:
        yield from ("--ro-bind", program, f"{TOOLS}/{name}")
    yield from ("--remount-ro", "/", "--chdir", TREE)
    own = {**_OWN, "PATH": ":".join((TOOLS, *job.path, PATH))}
    for name, value in {**_PLAIN, **dict(job.env), **own}.items():
        yield from ("--setenv", name, value)


def starter(job: Job) -> str:
    """The program that runs in front of a job, inside: it makes the copy, sets the limits, and becomes it.

    The limit of processes counts those of the namespace alone only if it is set in there. A
    job is an argument of this program and never part of its text. Standard input is how it tells
    us, in a line each, that what follows is the job's doing, and that it could not become the job after
    all: only `exec` finds out that an interpreter is missing. The job has no standard input.
    """
    limits = job.limits
    over = f"cp -dR --preserve=mode,timestamps --remove-destination {OVER}/. {TREE}" if job.over else ""
    return f"""set -ef
echo 1000 >/proc/self/oom_score_adj
cp -dR --preserve=mode,timestamps {PRISTINE}/. {TREE}
{over}
ulimit -c 0
ulimit -n {_most(resource.RLIMIT_NOFILE, OPEN_FILES)}
ulimit -f {_most(resource.RLIMIT_FSIZE, limits.file) // 512}
ulimit -d {_most(resource.RLIMIT_DATA, limits.memory) // 1024}
ulimit -S -t {_most(resource.RLIMIT_CPU, limits.cpu)}
ulimit -H -t {_most(resource.RLIMIT_CPU, limits.cpu + 1)}
number={_most(resource.RLIMIT_NPROC, limits.processes)}
ulimit -u $number 2>/dev/null || ulimit -p $number
{_START}"""


def _system() -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for path in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if os.path.islink(path):
            yield from ("--symlink", os.readlink(path), path)
        elif os.path.isdir(path):
            yield from ("--ro-bind", path, path)
    for path in ("/etc/ld.so.cache", "/etc/alternatives"):
        yield from ("--ro-bind-try", path, path)


def _memory(size: int, path: str) -> tuple[str, ...]:
    return "--size", str(size), "--tmpfs", path


def _most(what: int, wanted: int) -> int:
    """The limit that is wanted, or ours where that is lower: nobody can go above it."""
    hard = resource.getrlimit(what)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
