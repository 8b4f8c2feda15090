"""What git tracks in a work tree."""

from __future__ import annotations

from reviewbot.hosts.git import Git
from reviewbot.hosts.tracked import first_lines, tracked_files
from tests.repos import Repo


def test_files_are_tracked_and_links_submodules_and_new_files_are_not(repo: Repo) -> None:
    repo.write(b"caf\xe9\n.sh", "x\n", 0o755)
    repo.link("link", "a.py")
    commit = repo.commit()
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},module")
    repo.write("new", "x\n")
    (repo.path / "sub").mkdir()
    assert tracked_files(Git.open(str(repo.path / "sub"))) == ("a.py", "caf\udce9\n.sh")


def test_a_path_in_conflict_is_named_once(repo: Repo) -> None:
    blob = repo.git("hash-object", "-w", "a.py")
    stages = "".join(f"100644 {blob} {stage}\tboth.py\n" for stage in (1, 2, 3))
    repo.git("update-index", "--index-info", stdin=stages.encode())
    assert tracked_files(Git.open(str(repo.path))) == ("a.py", "both.py")


def test_first_lines_come_from_the_disk_and_never_through_a_link(repo: Repo) -> None:
    repo.write("run", b"#!/bin/bash\r\n\xff\n")
    repo.write("long", b"x" * 1_000)
    repo.link("out", "/etc/hostname")
    lines = first_lines(Git.open(str(repo.path)), ["run", "long", "out", "gone"])
    assert lines == {"run": "#!/bin/bash\r", "long": "x" * 256, "out": "", "gone": ""}
