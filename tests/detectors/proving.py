"""What the tests of proofs share: how one ends in the real sandbox, and what its script may be made of."""

from __future__ import annotations

import re
import subprocess

from hypothesis import strategies as st

from reviewbot.core.prove import prove
from reviewbot.core.types import (
    GatePlan,
    GateResult,
    GateRun,
    GateStatus,
    GateTerms,
    Grade,
    Proof,
    Side,
    Sign,
    Texts,
)
from reviewbot.core.verify import Checked
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.gates.runners import Sandboxed
from reviewbot.gates.sandbox import End, Entry, lay_out
from tests import builders

SAID = ("set", "false", "true", ":", "printf", "cat", "exit", "return", "test", "[", "[[")
DECLARED = ("local", "declare", "export", "readonly")
NOTHING_ELSE = re.compile(r"[ -~\n]*")

# Lines of strangers, put anywhere into a script.
HOSTILE = st.sampled_from(
    [
        "PATH=.",
        "IFS=/",
        "BASH_ENV=x",
        "LD_PRELOAD=./x.so",
        "SHELLOPTS=errexit",
        "PS4='$(touch x)'",
        "CONFIG='a'$(touch x)",
        "CONFIG=`touch x`",
        'CONFIG="a\n$(touch x)"',
        "CONFIG='a;b'",
        "CONFIG=a\\\nb",
        "CONFIG=$((x[$(touch y)]))",
        "CONFIG=${X:=$(touch x)}",
        "CONFIG=${!X}",
        "CONFIG=${X@P}",
        "CONFIG=<(x)",
        'CONFIG="${X/a/$(touch x)}"',
        "CONFIG+=(a)",
        "CONFIG[$(touch x)]=1",
        "printf() { touch x; }",
        "set() { touch x; }",
        "cat() { touch x; }",
        "alias false=touch",
        "eval touch x",
        "trap 'touch x' DEBUG",
        "set -- $(touch x)",
        'set -o "$(touch x)"',
        "exec 2>x",
        "CONFIG=\u00e9\u2028",
        "CONFIG=\x00",
        "CONFIG=\r",
        "f\u00fc() { :; }",
        "coproc touch x",
        "CONFIG=~root",
        "CONFIG={a,b}",
        "CONFIG=*",
        "set -e; CONFIG=a#b",
        'if [ "$(touch x)" = a ]; then',
        "fi",
        "done",
        "}",
        "(",
        "'",
        '"',
        "<<EOF",
        "EOF",
        "$(",
        "case x in",
    ]
)


def outcome(proof: Proof) -> str:
    """ "proven", "disproved" or "neither", as a review would say it that ran the proof in the sandbox."""
    checked = Checked(builders.candidate(proof=proof, grade=Grade.STRONG), ())
    kept, rejected = prove([checked], Texts(Side.RIGHT, {}), _Sandbox())
    if rejected:
        return rejected[0].reason
    return "proven" if kept[0].candidate.grade is Grade.PROVEN else "neither"


class _Sandbox:
    def run(self, plan: GatePlan) -> tuple[GateResult, ...]:
        return tuple(map(_in_sandbox, plan.runs))


def _in_sandbox(run: GateRun) -> GateResult:
    runner = Sandboxed(GateTerms())
    assert runner.why_not() == ""
    with lay_out([Entry(t.path.encode(), 0o100755, t.content.encode()) for t in run.files]) as tree:
        ended = runner.run(run.argv, tree, run.seconds)
    assert ended.how in (End.EXITED, End.TIMEOUT)
    status = GateStatus.FAILED if ended.exit else GateStatus.PASSED
    if ended.how is End.TIMEOUT:
        status = GateStatus.TIMEOUT
    return GateResult(run, status, ended.exit, output=ended.stdout + ended.stderr)


def in_shell(proof: Proof) -> str:
    """The same without a sandbox, for scripts of the tests' own; the step is seen to have run."""
    assert proof.script is not None
    done = subprocess.run(
        [proof.argv[0], "-x", "/dev/stdin"], input=proof.script.content, capture_output=True, text=True
    )
    traced, said = [], []
    for row in done.stderr.split("\n"):
        (traced if row.startswith("+") else said).append(row)
    assert any(row.lstrip("+") == " false" for row in traced)
    output = done.stdout + "\n".join(said)

    def fits(sign: Sign) -> bool:
        exits = not sign.exits or done.returncode in sign.exits
        return exits and re.search(sign.output, output, re.MULTILINE) is not None

    return "proven" if fits(proof.shows) else "disproved" if fits(proof.denies) else "neither"


def stays_in_the_list(proof: Proof) -> None:
    """Read by the parser again, the script has no command and no word that the allow-list has not."""
    script = proof.script
    assert script is not None
    assert NOTHING_ELSE.fullmatch(script.content)
    file = ShellFile(script)
    for node in file.nodes:
        if node.kind == "command":
            assert node.name in SAID or node.name in file.functions
        elif node.kind == "declaration_command":
            assert node.words[0] in DECLARED
        assert node.kind not in ("process_substitution", "heredoc_redirect", "unset_command")
    redirections = re.findall(r"[<>]+\S*", re.sub(r"'[^']*'", "", script.content))
    assert set(redirections) <= {">&2"}
    assert "`" not in script.content
    assert "eval" not in script.content
