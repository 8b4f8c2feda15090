"""The model of errexit says of each place what bash does there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.types import Text
from reviewbot.detectors.shell.errexit import Setting
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.shell.tree import Node

ON, OFF, UNKNOWN, IGNORED = Setting.ON, Setting.OFF, Setting.UNKNOWN, Setting.IGNORED


def file(code: str) -> ShellFile:
    return ShellFile(Text("run.sh", code))


def probe(script: ShellFile) -> Node:
    (node,) = [c for c in script.commands if c.name == "probe"]
    return node


def survives(code: str, folder: Path) -> bool:
    """Whether bash goes on behind a failing command in the place of `probe`."""
    script = folder / "run.sh"
    script.write_text(code.replace("probe", "false"))
    script.chmod(0o755)
    argv = [str(script)] if code.startswith("#!") else ["bash", str(script)]
    env = {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(argv, capture_output=True, text=True, cwd=folder, env=env, timeout=30)
    return "AFTER" in done.stdout


CASES = [
    ("probe", OFF),
    ("set -e\nprobe", ON),
    ("set -eu\nprobe", ON),
    ("set -euo pipefail\nprobe", ON),
    ("set -x -e\nprobe", ON),
    ("set -o pipefail -o errexit\nprobe", ON),
    ("shopt -so errexit\nprobe", ON),
    ("shopt -so errexit\nshopt -uo errexit\nprobe", OFF),
    ("builtin set -e\nprobe", ON),
    ("set -uo pipefail\nprobe", OFF),
    ("set -- -e\nprobe", OFF),
    ("set -e; set +e\nprobe", OFF),
    ("set -e; set +o errexit\nprobe", OFF),
    ("probe\nset -e", OFF),
    ("#!/bin/bash -e\nprobe", ON),
    ("#!/bin/bash -eu\nset +e\nprobe", OFF),
    # forms that bash reads as the plain ones
    ('set "-e"\nprobe', ON),
    ("set '-eu'\nprobe", ON),
    ("set -o 'errexit'\nprobe", ON),
    ('shopt -so "errexit"\nprobe', ON),
    ('eval "set -e"\nprobe', ON),
    ("eval 'set -euo pipefail'\nprobe", ON),
    ("eval set -- -e\nprobe", OFF),
    ("\\set -e\nprobe", ON),
    ("#!/usr/bin/env -S bash -e\nprobe", ON),
    ("#!/usr/bin/env -S bash -eu\nprobe", ON),
    ("#!/usr/bin/env -S bash -euo pipefail\nprobe", ON),
    ("#!/usr/bin/env -S A=1 bash -x\nprobe", OFF),
    ("#!/usr/bin/env -S sh -e\nx=$(probe; echo AFTER)\necho $x", ON),
    ("#!/bin/bash --login -e\nprobe", ON),
    ("#!/bin/bash --login\nprobe", OFF),
    # every branch sets it
    ("if true; then set -e; else set -e; fi\nprobe", ON),
    ("if false; then set -e; elif true; then set -e; else set -e; fi\nprobe", ON),
    ("set -e\nif true; then set +e; else set +e; fi\nprobe", OFF),
    ("set -e\nif set +e; then :; else :; fi\nprobe", OFF),
    # what gives its changes back
    ("(set -e)\nprobe", OFF),
    ("x=$(set -e)\nprobe", OFF),
    ("set -e | cat\nprobe", OFF),
    ("{ set -e; }\nprobe", ON),
    ("(set -e; probe; echo AFTER)\ntrue", ON),
    ("set -e\n(set +e; probe; echo AFTER)", OFF),
    ("set -e\nx=$(probe; echo AFTER)\necho $x", OFF),
    ("shopt -s inherit_errexit\nset -e\nx=$(probe; echo AFTER)\necho $x", ON),
    ("#!/bin/sh\nset -e\nx=$(probe; echo AFTER)\necho $x", ON),
    # functions
    ("f() { set -e; }\nf\nprobe", ON),
    ("f() { set -e; }\nprobe\necho AFTER\nf", OFF),
    ("f() ( set -e )\nf\nprobe", OFF),
    ("set -e\nf() { probe; echo AFTER; }\nf", ON),
    ("f() { probe; echo AFTER; }\nset -e\nf", ON),
    ("f() { probe; echo AFTER; }\nf\nset -e", OFF),
    ("main() { on; probe; echo AFTER; }\non() { set -e; }\nmain", ON),
    ("g() { f; }\nf() { probe; echo AFTER; }\nset -e\ng", ON),
    ("f() { set +e; probe; echo AFTER; }\nset -e\nf", OFF),
    ("f() { f; }\nset -e\nprobe", ON),
    # where bash disregards it
    ("set -e\nif probe; then :; fi", IGNORED),
    ("set -e\nif true && probe; then :; fi", IGNORED),
    ("set -e\nif false; then :; elif probe; then :; fi", IGNORED),
    ("set -e\nwhile probe; do :; done", IGNORED),
    ("set -e\nuntil probe; do echo AFTER; break; done", IGNORED),
    ("set -e\n! probe", IGNORED),
    ("set -e\nprobe || true", IGNORED),
    ("set -e\nprobe && true", IGNORED),
    ("set -e\ntrue && probe", ON),
    ("set -e\nfalse || probe", ON),
    ("set -e\n{ probe; echo AFTER; } || true", IGNORED),
    ("set -e\n(probe; echo AFTER) || true", IGNORED),
    ("set -e\n(set -e; probe; echo AFTER) && true", IGNORED),
    ("set -e\nf() { probe; echo AFTER; }\nif f; then :; fi", IGNORED),
    ("set -e\nf() { probe; echo AFTER; }\nf || true", IGNORED),
    ("set -e\nf() { probe; echo AFTER; }\ng() { f; }\nif g; then :; fi", IGNORED),
    ("set -e\nf() { set -e; probe; echo AFTER; }\n! f", IGNORED),
    ("set -e\nif true; then probe; fi", ON),
    ("set -e\nfor i in 1; do probe; done", ON),
    ("if probe; then :; fi", OFF),
    ("if false; then set -e; else probe; fi", OFF),
    ("case x in y) set -e ;; x) probe ;; esac", OFF),
    # ERR traps
    ("trap 'exit 1' ERR\nprobe", ON),
    ("trap -- 'echo bad; exit 1' ERR EXIT\nprobe", ON),
    ("trap 'echo bad' ERR\nprobe", OFF),
    ("trap 'exit 1' ERR\ntrap - ERR\nprobe", OFF),
    ("trap 'exit 1' EXIT\nprobe", OFF),
    ("stop() { echo bad; exit 1; }\ntrap stop ERR\nprobe", ON),
    ("tell() { echo bad; }\ntrap 'tell $LINENO' ERR\nprobe", OFF),
    ("trap 'exit 1' ERR\nprobe || true", IGNORED),
    ("trap 'exit 1' ERR\nf() { probe; echo AFTER; }\nf", OFF),
    ("set -E\ntrap 'exit 1' ERR\nf() { probe; echo AFTER; }\nf", ON),
    ("trap 'exit 1' ERR\n(probe; echo AFTER)", OFF),
]


@pytest.mark.parametrize(("code", "setting"), CASES)
def test_the_model_knows_what_bash_does(code, setting, tmp_path):
    script = file(code)
    assert script.options.errexit_at(probe(script)) is setting
    whole = code if "AFTER" in code else code + "\necho AFTER"
    assert survives(whole, tmp_path) is (setting is not ON)


@pytest.mark.parametrize(
    "code",
    [
        "source lib.sh\nprobe",
        '. "$(dirname "$0")/common.sh"\nprobe',
        'if [ -n "$CI" ]; then set -e; fi\nprobe',
        '[ -n "$CI" ] && set -e\nprobe',
        "for x in $LIST; do set -e; done\nprobe",
        "trap handler ERR\nprobe",
        "set $FLAGS\nprobe",
        'set "-${X}e"\nprobe',
        "set -o $OPTION\nprobe",
        'eval "[ -n x ] && set -e"\nprobe',
        "S='set -e'\neval \"$S\"\nprobe",
        "source <(echo 'set -e')\nprobe",
        'source <(curl -fsSL "$URL")\nprobe',
        '[ -n "$AGAIN" ] || AGAIN=1 exec bash -e "$0" "$@"\nprobe',
        'if [ -z "$AGAIN" ]; then exec /bin/bash -euo pipefail "$0"; fi\nprobe',
        'if [ -n "$CI" ]; then set -e; elif true; then set -e; fi\nprobe',
        'if [ -n "$CI" ]; then set -e; else :; fi\nprobe',
        "f() { probe; }",
        "f() { probe; }\nf\nset -e\nf",
    ],
)
def test_what_cannot_be_known_is_said_to_be_unknown(code):
    script = file(code)
    assert script.options.errexit_at(probe(script)) is UNKNOWN


@pytest.mark.parametrize(
    ("code", "setting"),
    [
        ("source .venv/bin/activate\nprobe", OFF),
        ('source "$HOME/.local/bin/env"\nprobe', OFF),
        (". /etc/profile.d/modules.sh\nprobe", OFF),
        ("source <(kubectl completion bash)\nprobe", OFF),
        ("set -e\nsource lib.sh\nprobe", ON),
        ("source lib.sh\nset +e\nprobe", OFF),
        ("set -e\nset $FLAGS\nprobe", ON),
        ('eval "$(conda shell.bash hook)"\nprobe', OFF),
        ('eval set -- "$ARGS"\nprobe', OFF),
        ("source lib.sh\nset -e\nprobe", ON),
        ("source lib.sh\nset -e\nif probe; then :; fi", IGNORED),
        ('[ "$(id -u)" = 0 ] || exec sudo -E "$0" "$@"\nprobe', OFF),
        ('[ -n "$AGAIN" ] || AGAIN=1 exec bash "$0" -e\nprobe', OFF),
    ],
)
def test_a_sourced_file_makes_only_what_it_may_change_unknown(code, setting):
    script = file(code)
    assert script.options.errexit_at(probe(script)) is setting


def test_the_condition_that_disables_errexit_is_named():
    script = file("set -e\nf() {\n    probe\n}\ng() { f; }\nif g; then :; fi\n")
    condition = script.options.ignored_by(probe(script))
    assert condition
    assert (condition.line, condition.name) == (6, "g")


@pytest.mark.parametrize(
    ("code", "nounset", "pipefail"),
    [
        ("probe", OFF, OFF),
        ("set -u\nprobe", ON, OFF),
        ("set -eo pipefail\nprobe", OFF, ON),
        ("#!/bin/bash -u\nset -o pipefail\nprobe", ON, ON),
        ("set -o nounset\nset +u\nprobe", OFF, OFF),
        ("(set -u)\nprobe", OFF, OFF),
        ("source lib.sh\nprobe", UNKNOWN, UNKNOWN),
        ("set -uo pipefail\nf() { probe; }\nf", ON, ON),
        ("set -u\nif ! probe; then :; fi", ON, OFF),
    ],
)
def test_nounset_and_pipefail_come_from_the_same_walk(code, nounset, pipefail):
    script = file(code)
    options = script.options
    assert (options.nounset_at(probe(script)), options.pipefail_at(probe(script))) == (nounset, pipefail)


BEFORE = st.sampled_from(
    [
        ":",
        "set -e",
        "set +e",
        "(set -e)",
        "{ set -e; }",
        "o() { set -e; }; o",
        "o() { set +e; }; o",
        "x=$(set +e)",
    ]
)
AROUND = st.sampled_from(
    [
        "( {b} )",
        "{{ {b}\n}}",
        "if true; then {b}\nfi",
        "if false; then :; else {b}\nfi",
        "if {b}\nthen :; fi",
        "{{ {b}\n}} || true",
        "true && {{ {b}\n}}",
        "( {b} ) || :",
        "for i in 1; do {b}\ndone",
        "case x in x) {b} ;; esac",
        "x=$( {b} )\nprintf '%s' \"$x\"",
        "{{ {b}\n}} | cat",
        "f{n}() {{ {b}\n}}; f{n}",
        "f{n}() {{ {b}\n}}; if f{n}; then :; fi",
        "f{n}() {{ {b}\n}}; f{n} || :",
        "f{n}() ( {b} ); f{n}",
    ]
)


@settings(max_examples=100)
@given(st.lists(BEFORE, max_size=3), st.lists(st.tuples(AROUND, st.lists(BEFORE, max_size=2)), max_size=4))
def test_whatever_is_nested_the_model_agrees_with_bash_or_says_unknown(tmp_path_factory, first, around):
    code = "\n".join([*first, "probe", "echo AFTER"])
    for number, (template, before) in enumerate(around):
        code = "\n".join([*before, template.format(b=code, n=number)])
    script = file(code)
    setting = script.options.errexit_at(probe(script))
    if setting is not UNKNOWN:
        assert survives(code, tmp_path_factory.mktemp("run")) is (setting is not ON), code
