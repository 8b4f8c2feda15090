"""Which tests speak of a file."""

from __future__ import annotations

import pytest

from reviewbot.core.ask import testfiles
from reviewbot.core.ports import SEARCHED
from tests.fakes.shelf import Shelf


@pytest.mark.parametrize(
    ("path", "told"),
    [
        *((path, True) for path in ("tests/a.py", "src/test/java/A.java", "pkg/__tests__/a.ts", "test_a.py")),
        *(
            (path, True)
            for path in ("a_test.go", "a.spec.ts", "src/PackTest.java", "run.bats", "tests/d/x.json")
        ),
        *((path, False) for path in ("src/a.py", "contest/a.py", "latest.py", "testing.md", "attest/run.sh")),
    ],
)
def test_a_test_is_told_by_its_path(path: str, told: bool):
    assert testfiles.is_test(path) is told


def lines(shelf: Shelf, path: str) -> list[str]:
    return [f"{p.path}:{p.line}" for p in testfiles.tests_of(shelf, path)]


def test_the_surest_lines_come_first():
    shelf = Shelf(
        {
            "tools/pack.py": 'add_argument("--max-len")\n',
            "tools/run.py": "import pack\n",
            "tests/other.py": "pack the box\nrun(['--max-len', '8'])\nrepack()\n",
            "tests/test_pack.py": "from tools import pack\npack.pack()\n",
            "tests/test_run.py": "run('tools/pack.py')\n",
        }
    )
    assert lines(shelf, "tools/pack.py") == [
        "tests/test_pack.py:1",
        "tests/test_run.py:1",
        "tests/other.py:2",
        "tests/test_pack.py:2",
        "tests/other.py:1",
    ]


def test_a_name_that_says_nothing_stands_for_its_folder():
    shelf = Shelf({"tools/packing/__init__.py": "", "tests/t.py": "import packing\nx = '__init__'\n"})
    assert lines(shelf, "tools/packing/__init__.py") == ["tests/t.py:1"]


def test_a_script_with_hyphens_is_known_by_its_import_too():
    shelf = Shelf({"pack-all.py": "", "tests/t.py": "pack_all = load()\nrun('pack-all.py')\n"})
    assert lines(shelf, "pack-all.py") == ["tests/t.py:2", "tests/t.py:1"]


def test_a_test_is_none_of_its_own():
    assert lines(Shelf({"tests/test_a.py": "test_a\n"}), "tests/test_a.py") == []


def test_tests_behind_very_many_other_lines_are_found():
    """`tests/` sorts behind `src/`, and a search gives the first lines only."""
    shelf = Shelf({"src/pack.py": "pack\n" * SEARCHED, "tests/test_pack.py": "import pack\n"})
    assert lines(shelf, "src/pack.py") == ["tests/test_pack.py:1"]


def test_a_file_that_is_gone_is_still_spoken_of():
    assert lines(Shelf({"tests/t.py": "import pack\n"}), "tools/pack.py") == ["tests/t.py:1"]
