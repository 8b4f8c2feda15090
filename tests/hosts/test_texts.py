"""Bytes that Python reads in another way than as UTF-8 are no text that was reviewed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reviewbot.core.types import Text
from reviewbot.hosts.texts import decoded


def read(content: bytes, path: str = "a.py") -> Text | str:
    return decoded(path, len(content), content, 1_000_000)


HIDDEN = b"# coding: utf-7\n#+AAo-print('hidden')\n"


def test_code_that_a_source_encoding_hides_is_unread(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(HIDDEN)
    done = subprocess.run([sys.executable, "-I", str(tmp_path / "a.py")], capture_output=True, text=True)
    assert done.stdout == "hidden\n"
    assert read(HIDDEN) == "Python reads it as utf-7, line 1"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"#!/usr/bin/python\n# -*- coding: utf-7 -*-\n#+AAo-x\n", "utf-7, line 2"),
        (b"\t#\r # vim: set fileencoding=utf-7 :\n#+AAo-x\n", "utf-7, line 2"),
        (b"\xef\xbb\xbf# coding=utf-7\n#+AAo-x\n", "utf-7, line 1"),
        ("# coding: latin-1\n'\u00e9'\n".encode(), "latin-1, line 1"),
        ("# coding: ascii\n'\u00e9'\n".encode(), "ascii, line 1"),
        (b"# coding: unicode_escape\n# \\nx = 1\n", "unicode_escape, line 1"),
        (b"# coding: punycode\n" + b"b9a8" * 120_000, "punycode, line 1"),
        (b"# coding: rot13\nvzcbeg bf\n", "rot13, line 1"),
        (b"# coding: no-such\n", "no-such, line 1"),
    ],
)
def test_another_encoding_is_named_with_its_line(content: bytes, why: str) -> None:
    assert read(content) == f"Python reads it as {why}"


@pytest.mark.parametrize(
    "content",
    [
        b"# coding: latin-1\nx = 1\n",
        b"# coding: ascii\nx = 1\n",
        b"# coding: utf-7\nx = 1\n",
        "# coding: UTF_8-unix\n'\u00e9'\n".encode(),
        "# coding: utf8\n'\u00e9'\n".encode(),
        b"x = 1\n# coding: utf-7\n#+AAo-x\n",
        b"#\n#\n# coding: utf-7\n#+AAo-x\n",
        b"x = 1  # coding: utf-7\n#+AAo-x\n",
        b"",
    ],
)
def test_where_python_reads_the_same_text_it_is_read(content: bytes) -> None:
    assert read(content) == Text("a.py", content.decode("utf-8"))


def test_only_python_obeys_a_source_encoding() -> None:
    assert read(HIDDEN, "a.sh") == Text("a.sh", HIDDEN.decode("ascii"))
    assert read(b"#!/usr/bin/env python3\n" + HIDDEN, "tool") == "Python reads it as utf-7, line 2"
