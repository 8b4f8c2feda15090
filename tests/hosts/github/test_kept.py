"""Which clones go, and when: those of repositories that nobody knows any more, once nobody reads them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from reviewbot.hosts.github.kept import Kept, kept, sweep

URL = "https://github.example/{}.git"


def made(folder: Path, repo: str, closing: ExitStack) -> Kept:
    clone = closing.enter_context(kept(str(folder), URL.format(repo)))
    with clone.alone():
        Path(clone.place, "objects").mkdir(parents=True, exist_ok=True)
        Path(clone.place, "objects", "code").write_text("secret\n")
    return clone


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def test_a_clone_that_nobody_knows_leaves_nothing(tmp_path: Path) -> None:
    with ExitStack() as closing:
        made(tmp_path, "Acme/Launcher", closing)
        made(tmp_path, "octo/stays.here", closing)
    before = files(tmp_path / "github.example" / "octo")
    assert sweep(str(tmp_path), {"Octo/Stays.here"}) == 0
    assert files(tmp_path) == sorted([*before, "github.example", "octo"])
    assert "stays.here.git" in before
    assert sweep(str(tmp_path), ()) == 0
    assert files(tmp_path) == ["github.example"]


def test_one_that_is_read_goes_when_it_is_free(tmp_path: Path) -> None:
    with ExitStack() as closing:
        clone = made(tmp_path, "acme/launcher", closing)
        assert sweep(str(tmp_path), ()) == 1
        assert Path(clone.place, "objects", "code").read_text() == "secret\n"
    assert sweep(str(tmp_path), ()) == 0
    assert files(tmp_path) == ["github.example"]


def test_a_copy_for_those_who_found_it_broken_is_of_the_same_repository(tmp_path: Path) -> None:
    with ExitStack() as closing:
        made(tmp_path, "acme/launcher", closing)
        other = made(tmp_path, "acme/launcher", closing)
        other.discard()
        assert "~" in other.place
        assert sweep(str(tmp_path), {"acme/launcher"}) == 0
        assert sweep(str(tmp_path), ()) == 2
    assert sweep(str(tmp_path), ()) == 0


def test_what_one_that_was_killed_had_renamed_goes_too(tmp_path: Path) -> None:
    (tmp_path / ".leaving-x" / "git").mkdir(parents=True)
    assert sweep(str(tmp_path), ()) == 0
    assert files(tmp_path) == []


def test_two_spellings_of_a_name_are_one_clone(tmp_path: Path) -> None:
    with ExitStack() as closing:
        assert (
            made(tmp_path, "Acme/Launcher", closing).place == made(tmp_path, "acme/launcher", closing).place
        )
