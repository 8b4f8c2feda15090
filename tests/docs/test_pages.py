"""What docs/ says of the code is what the code says."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from reviewbot.core import settings
from reviewbot.core.errors import ConfigError
from reviewbot.core.settings import parse_settings
from reviewbot.core.types import Settings
from tests.docs.blocks import ROOT, blocks

DOCS = ROOT / "docs"
TABLES = {
    name: getattr(settings, f"_{name.title()}Table")
    for name in ("skills", "limits", "gates", "model", "check", "pull")
}


def script(name: str) -> ModuleType:
    """A script without the ending of a module."""
    loader = SourceFileLoader(name, str(ROOT / "scripts" / name))
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_the_tables_that_are_made_of_the_code_are_up_to_date() -> None:
    assert [*script("reference").stale()] == [], "run scripts/reference"


def test_a_page_without_a_place_for_its_table_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 places for the table 'review'"):
        script("reference").filled("# a page\n", ("review",))


def test_the_reference_of_the_configuration_has_each_key_once() -> None:
    rows = re.findall(r"^\| `(\w+\.\w+)` \|", (DOCS / "configuration.md").read_text(), re.MULTILINE)
    known = [f"{table}.{key}" for table, model in TABLES.items() for key in model.model_fields]
    assert rows == known
    assert {*TABLES} == {*settings._Config.model_fields}


def test_the_defaults_of_the_reference_are_those_of_the_code() -> None:
    [block] = [block for block in blocks("docs/configuration.md") if block.language == "toml"]
    assert parse_settings(block.text.encode(), "config.toml") == Settings()
    written = {f"{table}.{key}" for table, keys in tomllib.loads(block.text).items() for key in keys}
    known = {f"{table}.{key}" for table, model in TABLES.items() for key in model.model_fields}
    assert known - written == {"gates.python"}  # it has no default that could be written
    with pytest.raises(ConfigError):
        parse_settings(block.text.replace("drafts", "draft").encode(), "config.toml")


def test_every_word_that_a_key_takes_is_in_the_reference() -> None:
    page = (DOCS / "configuration.md").read_text()
    for table, model in TABLES.items():
        for key, field in model.model_fields.items():
            words = (
                re.findall(r"'(\w+)'", str(field.annotation)) if "Literal" in str(field.annotation) else []
            )
            [row] = re.findall(rf"^\| `{table}\.{key}` .*$", page, re.MULTILINE)
            if "the same" not in row:
                assert [word for word in words if f"`{word}`" not in row] == [], key


# Where the reasons for doing nothing are made: the functions whose returned texts are reasons, None for a
# call that is given one.
REASONS = {
    "reviewbot/hosts/event.py": ("_unheard", "_foreign"),
    "reviewbot/wiring/pull.py": ("_unfit", "_unwanted"),
    "reviewbot/wiring/replay.py": (),
    "reviewbot/wiring/action.py": (),
    "reviewbot/core/publish/commands.py": ("received",),
}
CALLS = {"Ignore": 0, "Cancel": 2, "Done": 1, "Outcome": 1, "Received": 1}
# What says that something was done, or hands on the words of another.
DONE = (
    "… was answered",
    "the refuted claims stand in",
    "nothing to do: …",
    "nothing to review: …",
    "not obeyed",
)
NO_WORD = re.compile(r"(…|;|:|#|/|\s)*(nothing runs here that could be cancelled)?")


def text_of(node: ast.expr) -> str:
    """A literal or an f-string as the page writes it, `…` for what differs; "" for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
        return re.sub("…(#…)?", "…", "".join(map(str, parts)))
    return ""


def reasons(path: str) -> Iterator[str]:
    tree = ast.parse((ROOT / path).read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            place = CALLS[node.func.id]
            if len(node.args) > place:
                yield text_of(node.args[place])
        if isinstance(node, ast.FunctionDef) and node.name in REASONS[path]:
            yield from (
                text_of(n.value) for n in ast.walk(node) if isinstance(n, ast.Return) and n.value is not None
            )


def wanted(path: str) -> set[str]:
    return {
        text
        for text in reasons(path)
        if not NO_WORD.fullmatch(text) and not any(done in text for done in DONE)
    }


def test_every_reason_for_doing_nothing_is_explained() -> None:
    rows = re.findall(r"^\| (.+?) \| ", (DOCS / "troubleshooting.md").read_text(), re.MULTILINE)
    explained = [re.compile(".*".join(re.escape(part) for part in row.split("…"))) for row in rows]
    found = {path: wanted(path) for path in REASONS}
    assert min(len(texts) for texts in found.values()) > 1
    for path, texts in found.items():
        lost = [text for text in texts if not any(row.fullmatch(text) for row in explained)]
        assert lost == [], path


def test_the_codes_of_skill_files_are_those_of_contributing() -> None:
    form = re.compile(r"^\| [SR]\d{3} \| .*$", re.MULTILINE)
    assert form.findall((DOCS / "skill.md").read_text()) == form.findall(
        (ROOT / "CONTRIBUTING.md").read_text()
    )


def test_the_recording_is_what_the_program_prints() -> None:
    shots = script("screenshots")
    assert (DOCS / "images/demo.cast").read_text() == shots.recording(shots.shown("demo")), (
        "run scripts/screenshots terminal"
    )


def test_the_pictures_are_small_and_ask_nobody() -> None:
    pictures = [*(DOCS / "images").iterdir()]
    assert sum(path.stat().st_size for path in pictures) < 1_000_000
    for path in pictures:
        if path.suffix == ".svg":
            asked = re.findall(r"(?:href|src|url\()\W*(https?:[^\"')]+)", path.read_text())
            assert asked == [], path


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_the_rows_of_a_table_are_of_one_width(page: Path) -> None:
    width = 0
    for number, line in enumerate(page.read_text().split("\n"), 1):
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert not (width and cells and cells != width), f"{page.name}:{number}"
        width = cells
