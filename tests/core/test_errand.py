"""What a delivery asks for comes back from the store as it went in."""

from __future__ import annotations

import json

import pytest

from reviewbot.core.errand import Errand, Installed, Suspended, Uninstalled, Vanished, read, written
from reviewbot.core.types import (
    Asked,
    Cancel,
    Command,
    Ignore,
    Obey,
    Rerun,
    ReviewPull,
    ShowRefuted,
    Who,
)

ASKED = Asked(5, "review", Who("octo-dev", bot=False), "2026-11-30T10:00:00Z", 4, "a" * 40, True, more=2)


@pytest.mark.parametrize(
    "errand",
    [
        ReviewPull("acme/launcher", 7, "opened", head="a" * 40),
        ReviewPull("acme/launcher", 7, "asked for", True, ("a.sh", "b/*.py"), "", ASKED),
        Obey("acme/launcher", 7, Command("dismiss", "abcdef", "not a bug", ("x",)), ASKED),
        Rerun("acme/launcher", None, "a" * 40),
        ShowRefuted("acme/launcher", 7, "a" * 40, 9),
        Cancel("acme/launcher", 7, "closed"),
        Ignore("nothing"),
        Installed(88, "acme", ("acme/launcher", "acme/other")),
        Installed(88, "acme", resumed=True),
        Suspended(88),
        Uninstalled(88),
        Vanished(("acme/launcher",)),
    ],
)
def test_there_and_back(errand: Errand) -> None:
    kept = json.loads(json.dumps(written(errand)))
    assert kept["kind"] == type(errand).__name__
    assert isinstance(kept["fields"], dict)
    found = read(kept)
    assert type(found) is type(errand)
    assert found == errand


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"kind": "Unheard", "fields": {}},
        {"kind": "Cancel", "fields": {"repo": "a/b"}},
        {"kind": "Cancel", "fields": {"repo": "a/b", "number": "x", "why": ""}},
        {"kind": "Cancel", "fields": None},
    ],
)
def test_what_another_version_has_written(row: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"errand|validation"):
        read(row)
