"""Every command that a page shows is run, and what it prints is what the page shows."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewbot import cli
from tests.docs.blocks import PAGES, ROOT, SHELLS, Block, blocks, fits
from tests.docs.world import World
from tests.pulls import launched

# Pages that others keep have no comments of ours: how a block begins, and what would stand in front of it.
UNMARKED = {
    ("README.md", "make demo"): ("not run:", "sets up an installation"),
    ("README.md", "rm -r .reviewbot"): ("", ""),
    ("README.md", "reviewbot diff main --max-cost"): ("exit", "1 1 0"),
    ("README.md", "pip install 'reviewbot[github]'"): ("not run:", "installs from an index"),
    ("README.md", "pip install 'reviewbot[github,server,llm]'"): ("not run:", "needs an App on GitHub"),
    ("README.md", "reviewbot skills new launch-review"): ("", ""),
    ("docs/app.md", "pip install"): ("not run:", "installs from an index"),
    ("docs/app.md", "set -a; "): ("not run:", "needs an App on GitHub"),
    ("docs/app.md", "cp ~/.local"): ("not run:", "needs Docker"),
    ("docs/app.md", "reviewbot redeliver"): ("not run:", "needs an App on GitHub"),
}
# Why a block is not run, and how many blocks that is. More of them is a decision, not an accident.
NOT_RUN = {
    "installs from an index": 3,
    "sets up an installation": 1,
    "needs Docker": 1,
    "needs reviewdog": 1,
    "needs an App on GitHub": 3,
}


def marked(page: str) -> list[Block]:
    """The blocks of a page that are run or written, each with its mark."""
    found = []
    for block in blocks(page):
        for (of, start), (say, what) in UNMARKED.items():
            if block.page == of and block.text.startswith(start):
                block = block._replace(say=say, what=what)
        if block.language in SHELLS or block.say == "file:":
            found.append(block)
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_do_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with launched(tmp_path, monkeypatch) as pull:
        world = World(tmp_path, pull)
        for block in marked(page):
            if block.say == "file:":
                world.write(block.what, block.text)
            elif block.say != "not run:":
                perform(world, block)


def perform(world: World, block: Block) -> None:
    steps = block.steps()
    expected = [int(word) for word in block.what.split()] if block.say == "exit" else [0] * len(steps)
    at = f"{block.page}:{block.line}"
    assert len(expected) == len(steps), f"{at}: {len(steps)} commands, {len(expected)} statuses"
    for step, status in zip(steps, expected, strict=True):
        ran = world.run(step.command)
        assert ran.status == status, f"{at}: {step.command} ended with {ran.status}\n{ran.printed}"
        if step.shown is not None:
            assert fits(step.shown, ran.printed), f"{at}: {step.command} prints\n{ran.printed}"


def test_what_is_not_run_is_counted() -> None:
    left = [block for page in PAGES for block in marked(page) if block.say == "not run:"]
    assert Counter(block.what for block in left) == NOT_RUN


def test_every_fence_of_a_shell_is_one_that_is_run() -> None:
    """`bash` is for scripts that are read, `text` for what is shown; a command does not hide there."""
    hidden = [
        f"{block.page}:{block.line}"
        for page in PAGES
        for block in blocks(page)
        if block.language not in SHELLS and block.say != "file:"
        if re.search(r"^(\$ )?reviewbot [a-z]", block.text, re.MULTILINE)
    ]
    assert hidden == []


def spoken(page: str) -> Iterator[str]:
    """Each `reviewbot …` of a page: in a sentence, a table, or a block that is not run."""
    text = (ROOT / page).read_text()
    yield from re.findall(r"`(reviewbot [a-z][^`]*)`", text)
    for block in marked(page):
        if block.say == "not run:":
            yield from re.findall(r"^ *(reviewbot [a-z].*)$", block.text, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_a_command_that_is_only_named_exists_with_its_options(
    page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in spoken(page):
        words = shlex.split(command.replace("…", ""), comments=True)[1:]
        names = words[:2] if words[0] in ("skills", "app") else words[:1]
        named = [word for word in names if re.fullmatch(r"[a-z]+", word)]
        assert cli.run([*named, "--help"]) == 0, command
        known = capsys.readouterr().out
        options = [word.split("=")[0] for word in words if word.startswith("--")]
        assert [option for option in options if option not in known] == [], command


def test_an_output_that_differs_is_seen() -> None:
    assert fits(("a", "…", "z"), "a\nb\nc\nz\n")
    assert fits(("took … s",), "took 0.3 s\n")
    assert not fits(("a", "z"), "a\nb\nz\n")
    assert not fits(("took … s",), "took 0.3 ms\n")
