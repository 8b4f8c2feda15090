"""Files that nobody wrote by hand, by their names and by .gitattributes at base."""

from __future__ import annotations

import pytest

from reviewbot.core.generated import hidden


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("package-lock.json", "generated"),
        ("a/yarn.lock", "generated"),
        ("pnpm-lock.yaml", "generated"),
        ("go.sum", "generated"),
        ("bun.lockb", "generated"),
        (".terraform.lock.hcl", "generated"),
        ("web/app.min.js", "generated"),
        ("api/x_pb2.py", "generated"),
        ("api/x_pb2_grpc.py", "generated"),
        ("vendor/x/a.sh", "vendored"),
        ("a/third_party/b.py", "vendored"),
        ("web/node_modules/x/y.js", "vendored"),
        ("build/_deps/cutlass-src/python/a.py", "vendored"),
        ("kernels/cmake-build-release/a.py", "vendored"),
        ("_deps/ours/a.py", ""),
        ("cmake-build-a.py", ""),
        ("lock.py", ""),
        ("filelock.py", ""),
        ("vendor.py", ""),
        ("vendoring/a.py", ""),
        ("x/go.sum.py", ""),
    ],
)
def test_by_name(path: str, reason: str):
    assert hidden({})(path) == reason


@pytest.mark.parametrize(
    ("line", "path", "reason"),
    [
        ("*.gen.py linguist-generated", "a/b.gen.py", "generated"),
        ("*.gen.py linguist-generated=true", "b.gen.py", "generated"),
        ("/x.py linguist-generated", "a/x.py", ""),
        ("deps/** linguist-vendored", "deps/a/b.py", "vendored"),
        ("deps linguist-vendored", "deps/a/b.py", ""),
        ("a/*.py text linguist-vendored eol=lf", "a/b.py", "vendored"),
        ("vendor/ours/** -linguist-vendored", "vendor/ours/a.sh", ""),
        ("vendor/ours/** linguist-vendored=false", "vendor/ours/a.sh", ""),
        ("uv.lock -linguist-generated", "uv.lock", ""),
        ("*.py linguist-generated\nkept.py !linguist-generated", "kept.py", ""),
        ("*.py linguist-generated\nkept.py -linguist-generated", "kept.py", ""),
        ("kept.py -linguist-generated\n*.py linguist-generated", "kept.py", "generated"),
        ("# *.py linguist-generated", "a.py", ""),
        ("*.py linguist-language=X", "a.py", ""),
        ("*.py nolinguist-generated", "a.py", ""),
        ("[z-a] linguist-generated\n*.py linguist-generated", "a.py", "generated"),
    ],
)
def test_the_last_line_of_gitattributes_counts(line: str, path: str, reason: str):
    assert hidden({".gitattributes": line})(path) == reason


def test_the_nearest_gitattributes_counts():
    reason = hidden(
        {
            ".gitattributes": "*.py linguist-generated\n",
            "a/.gitattributes": "*.py -linguist-generated\n",
            "a/b/.gitattributes": "/x.py linguist-vendored\n",
        }
    )
    assert [reason(path) for path in ("x.py", "a/x.py", "a/b/x.py", "a/b/c/x.py", "ab/x.py")] == [
        "generated",
        "",
        "vendored",
        "",
        "generated",
    ]


def test_hostile_lines_are_passed_over():
    text = "\n".join(
        ["x" * 600 + " linguist-generated", "*a" * 40 + " linguist-generated", "\x01* linguist-generated"]
    )
    assert hidden({".gitattributes": text})("a") == ""
