"""Which lines a change made what they are (law 5)."""

from __future__ import annotations

import pytest

from reviewbot.core.ask.anchor import Place, anchor
from reviewbot.core.ask.newness import fresh
from reviewbot.core.errors import UsageError
from reviewbot.core.types import Change, FileChange, Hunk, Side, Site, Status, Text, Texts
from tests.core.ask.claims import finding, said, sources, weighed
from tests.fakes.shelf import Shelf


def changed(*rows: str, path: str = "a.c", side: Side = Side.RIGHT) -> list[int]:
    """The fresh lines of a change of one hunk."""
    olds, news = (sum(row[0] != mark for row in rows) for mark in "+-")
    file = FileChange(path, Status.MODIFIED, old_path=path, hunks=(Hunk(1, olds, 1, news, rows),))
    return sorted(fresh(file, side, Change("b", "h", (file,)), lambda *_: None, lambda *_: None))


@pytest.mark.parametrize(
    ("rows", "path", "new"),
    [
        (("-old(1);", "+new(1);"), "a.c", [1]),
        (("-step();", "+  step();"), "a.c", []),
        (("-step();\r", "+step();"), "a.c", []),
        (("-step()\r", "+step()"), "a.py", []),
        (("-x = 1", "+if y:", "+    x = 1"), "a.py", [1]),
        (("-    x = 1", "+        x = 1"), "a.py", [1]),  # into the loop
        (("-if (ok) {", "-  step();", "-}", "+step();"), "a.c", [1]),  # out of its guard
        (("-with lock:", "-    x = 1", "+x = 1"), "a.py", [1]),
        (("-one();", " two();", "+one();"), "a.c", [2]),  # in another order
        (("+#", "+}", "+step();"), "a.c", [3]),
    ],
)
def test_what_was_only_indented_or_converted_is_old(rows: tuple[str, ...], path: str, new: list[int]):
    assert changed(*rows, path=path) == new


def test_a_guard_that_was_taken_away_is_gone():
    assert changed("-if (ok) {", "-  step();", "-}", "+step();", side=Side.LEFT) == [1, 2]


def test_what_was_moved_from_another_file_is_old():
    rows = tuple(f"step({n});" for n in range(4))
    lost = FileChange("a.c", Status.DELETED)
    came = Hunk(0, 0, 1, 5, (*(f"+{row}" for row in rows), "+other(9);"))
    file = FileChange("b.c", Status.ADDED, hunks=(came,))
    old = {"a.c": Text("a.c", "\n".join(rows))}
    change = Change("b", "h", (lost, file))
    assert fresh(file, Side.RIGHT, change, lambda *_: None, lambda _, path: old.get(path)) == {5}


UNREAD = "def guard(x):\n    return check(x)\n"


@pytest.mark.parametrize(
    ("status", "head", "side", "new"),
    [
        (Status.DELETED, None, Side.LEFT, {1, 2}),
        (Status.MODIFIED, UNREAD + "guard(None)\n", Side.RIGHT, {3}),
        (Status.MODIFIED, "def guard(x):\n", Side.LEFT, {2}),
        (Status.MODIFIED, UNREAD, Side.RIGHT, set()),
    ],
)
def test_a_file_that_no_skill_claims_is_compared(status: Status, head: str | None, side: Side, new: set[int]):
    """Its hunks are not read, and what was claimed of it was never new."""
    texts = {Side.LEFT: UNREAD, Side.RIGHT: head}
    file = FileChange("g.py", status)
    text = {side: Text("g.py", own) for side, own in texts.items() if own is not None}
    read = lambda side, _: text.get(side)  # noqa: E731
    assert fresh(file, side, Change("b", "h", (file,)), read, read) == new


def test_a_line_of_a_deleted_file_can_be_the_cause():
    tree = sources({"run.sh": "make all\n"}, {"guard.sh": "set -e\nguard all\n"}, added={})
    files = (FileChange("guard.sh", Status.DELETED, old_path="guard.sh"),)
    tree = tree._replace(change=tree.change._replace(files=files))
    cause = {"path": "guard.sh", "line": 2, "quote": "guard all"}
    own = finding(line=1, cause=cause, evidence=[], failure=[said("It is built unguarded.")])
    (checked,) = weighed(tree, own).checked
    assert (checked.preexisting, [site.side for site in checked.candidate.also]) == (False, [Side.LEFT])


def test_in_a_patch_a_deleted_line_is_found_in_its_hunk():
    """Each quote of the old side was rejected: a patch has no tree."""
    hunk = Hunk(3, 2, 3, 1, (" step", "-guard all"))
    files = (FileChange("run.sh", Status.MODIFIED, old_path="run.sh", hunks=(hunk,)),)
    head = Texts(Side.RIGHT, {"run.sh": Text("run.sh", "\n\nstep\n", partial=True)})
    tree = sources({}, added={})
    tree = tree._replace(change=tree.change._replace(files=files), head=head)
    place = anchor(Site("run.sh", 9, 9, "guard all", Side.LEFT), tree)
    assert isinstance(place, Place)
    assert (place.site.start_line, tree.changes(place.site)) == (4, True)


def test_a_deleted_file_that_a_patch_has_not_leaves_the_review_whole():
    class Patch(Shelf):
        def text(self, side: Side, path: str) -> Text | None:
            raise UsageError("a patch has no tree around it")

    tree = sources({"run.sh": "make all\n"})
    files = (*tree.change.files, FileChange("gone.sh", Status.DELETED))
    tree = tree._replace(change=tree.change._replace(files=files), library=Patch({}))
    assert tree.changes(Site("run.sh", 1, 1, "make all"))
    assert tree.failed == {}
