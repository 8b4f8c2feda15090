"""Which workflow files are looked at; what is not looked at is told too."""

from __future__ import annotations

from pathlib import Path

from reviewbot.hosts.workflows import FOLDER, MOST, workflows


def test_a_file_beyond_the_most_is_told_as_unread(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    for number in range(MOST + 2):
        (folder / f"w{number:04}.yml").write_text("on: push\n")
    found = dict(workflows(str(tmp_path)))
    assert len(found) == MOST + 2
    assert [path for path, text in found.items() if text is None] == [
        f"{FOLDER}/w{MOST:04}.yml",
        f"{FOLDER}/w{MOST + 1:04}.yml",
    ]
