"""Which gate lines are started, as which words."""

from __future__ import annotations

import re
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.gates.commands import Command, argument, laid_out, recognise, started


@pytest.mark.parametrize(
    ("line", "words", "patterns"),
    [
        ("python3 -m py_compile scripts/*.py", "python3 -m py_compile", "scripts/*.py"),
        ("python3.12 -m py_compile a.py b.py", "python3.12 -m py_compile", "a.py b.py"),
        ("bash -n scripts/<each>.sh", "bash -n", "scripts/<each>.sh"),
        ("sh -n -- -x.sh", "sh -n", "-x.sh"),
        ("shellcheck -S warning <each>", "shellcheck -S warning", "<each>"),
        ("shellcheck <each> -Swarning --shell=bash", "shellcheck -S warning --shell bash", "<each>"),
        ("shellcheck -f json --norc -e SC1090,SC1091 a.sh", "shellcheck -e SC1090,SC1091", "a.sh"),
        ("ruff check --select=E9 .", "ruff check --select E9", "."),
        ("ruff check -q --output-format github", "ruff check", "."),
    ],
)
def test_known_forms(line: str, words: str, patterns: str):
    command = recognise(shlex.split(line))
    assert isinstance(command, Command)
    assert (" ".join(command.words), " ".join(command.patterns)) == (words, patterns)


def test_options_that_read_other_files_are_left_out_and_said():
    command = recognise(["shellcheck", "-x", "-P", "SCRIPTDIR", "a.sh"])
    assert isinstance(command, Command)
    assert command.words == ("shellcheck",)
    assert command.note.startswith("without -x")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ruff check --fix .", "`ruff check` with `--fix`"),
        ("ruff check --config /etc/passwd .", "with `--config`"),
        ("shellcheck --rcfile=/etc/passwd a.sh", "with `--rcfile=/etc/passwd`"),
        ("shellcheck -S $(id) a.sh", "with `-S`"),
        ("shellcheck -S", "with `-S`"),
        ("shellcheck -S -x a.sh", "with `-S`"),
        ("bash -n -x a.sh", "with `-x`"),
        ("bash a.sh", "is not one of the commands"),
        ("bash -n", "names no file"),
        ("python3 -c pass", "is not one of the commands"),
        ("python3-evil -m py_compile a.py", "is not one of the commands"),
        ("./bash -n a.sh", "is not one of the commands"),
        ("", "is empty"),
    ],
)
def test_everything_else_is_refused_with_its_reason(line: str, reason: str):
    refusal = recognise(shlex.split(line))
    assert isinstance(refusal, str)
    assert reason in refusal


@pytest.mark.parametrize(
    ("line", "script"),
    [
        ("./run.sh a.sh", "./run.sh"),
        ("t/run a.sh", "t/run"),
        ("run a.sh", ""),
        ("bash t/s.sh", "t/s.sh"),
        ("bash -e t/s.sh -c x", "t/s.sh"),  # "" of the -c, and a script that is absent was called old
        ("bash -eo pipefail -O extglob s.sh", "s.sh"),
        ("bash +e --norc --rcfile r s.sh", "s.sh"),
        ("bash -- -s.sh", "-s.sh"),
        ("sh - s.sh", "s.sh"),
        ("bash -c s.sh", ""),
        ("bash -ec 'x y' s.sh", ""),
        ("bash -s s.sh", ""),
        ("bash", ""),
        ("python3 run.py", "run.py"),
        ("python3 -W ignore run.py", "run.py"),  # it was "ignore"
        ("python3 -Werror::me -Xdev -X utf8 -uO run.py -m x", "run.py"),
        ("python3 --check-hash-based-pycs always run.py", "run.py"),
        ("python3.11 -m pytest a.py", ""),
        ("python3 -Im pytest a.py", ""),
        ("python3 -c 'import a' a.py", ""),
        ("python3 - a.py", ""),
        ("python3 -W", ""),
        ("python3 '' a.py", ""),
    ],
)
def test_the_file_of_the_tree_that_a_command_starts(line: str, script: str):
    assert started(shlex.split(line)) == script


@pytest.mark.parametrize(
    ("path", "name", "word"),
    [
        ("a/b c.sh", "a/b c.sh", "a/b c.sh"),
        ("-rf.sh", "-rf.sh", "./-rf.sh"),
        ("$(touch x).sh", "$(touch x).sh", "$(touch x).sh"),
        ("n\nl.sh", "n\\x0al.sh", "n\\x0al.sh"),
        ("\udcff.sh", "\\xff.sh", "\\xff.sh"),
        ("a/\x1b[31m.sh", "a/\\x1b[31m.sh", "a/\\x1b[31m.sh"),
        ("é.sh", "é.sh", "é.sh"),
    ],
)
def test_names_that_no_tool_can_misread(path: str, name: str, word: str):
    assert laid_out(path) == name
    assert argument(path) == word


@given(st.binary(min_size=1).map(lambda b: b.decode("utf-8", "surrogateescape")))
def test_every_name_is_one_line_and_no_option(path: str):
    word = argument(path)
    assert word.isprintable()
    assert not word.startswith("-")
    word.encode("utf-8")


OPTIONS = st.sampled_from(
    ["-S", "-x", "--rcfile=/x", "-Sstyle", "--", "-f", "warning", "$(id)", "-e", "SC1,SC2", ""]
)


@given(st.lists(OPTIONS | st.text(max_size=4), max_size=6))
def test_a_known_form_keeps_only_plain_words_in_front_of_its_files(rest: list[str]):
    command = recognise(["shellcheck", *rest])
    if isinstance(command, Command):
        assert all(
            re.fullmatch(r"-[Ssoei]|--(severity|shell|enable|exclude|include)|\w[\w.,-]*", w)
            for w in command.words
        )
