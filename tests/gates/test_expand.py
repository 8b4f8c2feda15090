"""Globs of a gate's words: what bash makes of them where it follows no link."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from reviewbot.core.skill.parts.gateline import parse_gate
from reviewbot.core.types import EXECUTING, GateRun, GateSpec
from reviewbot.gates.expand import expanded, split

NAMES = (
    *(
        "a.x",
        "b.x",
        "B.x",
        "ab",
        "-x",
        "a b.x",
        ".h.x",
        "*.x",
        "[a].x",
        "?",
        "$(x).x",
        "caf\udce9.x",
        "n\nl.x",
    ),
    *("d/a.x", "d/.h/a.x", "d/e/a.x", "D/a.x", "-d/a.x", "]", "d/!"),
)
LINES = (
    *(
        "*",
        "*.x",
        ".*.x",
        "?.x",
        "??",
        "[ab].x",
        "[!ab].x",
        "[^ab].x",
        "[^a]*",
        "[^]]",
        "[[^]*",
        "[]^]",
        "[^!]",
        "[a^].x",
        "[a-z]*",
        "d/*",
        "*/a.x",
        "*/*/a.x",
        "d/**/a.x",
    ),
    *(
        "./*.x",
        "d/./*.x",
        "*/",
        "-*",
        "*'*'*",
        "'*'.x",
        "\\*.x",
        '"["*',
        "[[]*",
        "x/*.x",
        "*y",
        "d//*.x",
        "[]]",
    ),
    *("a' 'b.*", "*\\ *", "[", "d/[!]", "**"),
)


def started(line: str, folder: Path) -> list[str]:
    spec = parse_gate(f"./show {line}", 1)
    assert spec.kind == "executing"
    return list(expanded(GateRun("s", spec, EXECUTING, spec.argv), str(folder))[0][1:])


def tree(folder: Path) -> Path:
    for name in NAMES:
        place = os.path.join(folder, name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        open(place, "w").close()
    return folder


def test_a_glob_is_what_bash_makes_of_it(tmp_path: Path) -> None:
    folder = tree(tmp_path)
    script = "".join(f"printf '%s\\0' {line}; printf '\\0'\n" for line in LINES)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={"LC_ALL": "C", "PATH": os.environ["PATH"]},
        capture_output=True,
    )
    theirs = [part.split("\0") for part in os.fsdecode(done.stdout).split("\0\0")[:-1]]
    ours = [
        [word.removeprefix("./") if word.startswith("./-") else word for word in started(line, folder)]
        for line in LINES
    ]
    assert dict(zip(LINES, ours, strict=True)) == dict(zip(LINES, theirs, strict=True))


def test_a_class_that_is_negated_with_a_caret_is_not_the_opposite_one(tmp_path: Path) -> None:
    """fnmatch knows only `[!…]`: the gate ran on the files that its line leaves out."""
    for name in ("a.x", "b.x", "^.x"):
        (tmp_path / name).touch()
    assert started("[^a].x", tmp_path) == ["^.x", "b.x"]
    assert started("[!a].x", tmp_path) == ["^.x", "b.x"]
    assert started("[a^].x", tmp_path) == ["^.x", "a.x"]


def test_no_match_is_an_option(tmp_path: Path) -> None:
    assert started("-*", tree(tmp_path)) == ["./-d", "./-x"]
    assert started("*/a.x", tmp_path)[0] == "./-d/a.x"


def test_no_link_is_followed_on_the_way(tmp_path: Path) -> None:
    tree(tmp_path)
    (tmp_path / "out").symlink_to("/etc")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "d/gone.x").symlink_to("nowhere")
    assert started("out/host*", tmp_path) == ["out/host*"]
    assert started("loop/*/a.x", tmp_path) == ["loop/*/a.x"]
    assert started("d/g*", tmp_path) == ["d/gone.x"]


def test_a_run_is_expanded_in_each_tree(tmp_path: Path) -> None:
    """As for base, or a second attempt."""
    spec = parse_gate("./show t/*.x 't/*'", 1)
    run = GateRun("s", spec, EXECUTING, spec.argv)
    for side, names in (("head", ["a", "b"]), ("base", ["b"])):
        folder = tmp_path / side
        (folder / "t").mkdir(parents=True)
        for name in names:
            (folder / f"t/{name}.x").touch()
        argv = ("./show", *(f"t/{name}.x" for name in names), "t/*")
        assert expanded(run, str(folder)) == (argv, {"t/*.x"})


def test_words_without_a_glob_are_what_they_are(tmp_path: Path) -> None:
    run = GateRun("s", GateSpec("./show '*'", ("./show", "*"), "executing"), EXECUTING, ("./show", "*"))
    assert expanded(run, str(tmp_path)) == (("./show", "*"), frozenset())


def test_a_glob_that_is_the_script_is_one_run_for_each_file(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    for name in ("a.x", "[b].x"):
        (tmp_path / "t" / name).touch()
    spec = parse_gate("bash t/*.x 't/*' t/a*", 1)
    run = GateRun("s", spec, EXECUTING, spec.argv)
    started = [expanded(part, str(tmp_path))[0] for part in split(run, "t/*.x", str(tmp_path))]
    assert started == [("bash", f"t/{name}.x", "t/*", "t/a.x") for name in ("[b]", "a")]
    assert split(run, "", str(tmp_path)) == [run]
    one = parse_gate("bash t/a*.x", 1)
    run = GateRun("s", one, EXECUTING, one.argv)
    assert split(run, "t/a*.x", str(tmp_path)) == [run]
