"""What path-compared-as-string reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        why="`data/` and `data` are one folder.",
        lines=(3,),
        code="""\
src_dir=$1
dest_dir=$2
if [ "$src_dir" == "$dest_dir" ]; then
    echo "the two folders must differ"
    exit 1
fi
cp -r "$src_dir/." "$dest_dir"
""",
    ),
    Example(
        why="One side resolved is worse than none: the two are never equal.",
        lines=(2, 4),
        code="""\
OUT_DIR=$(realpath "$1")
[[ "$OUT_DIR" != "$SOURCE_DIR" ]] || exit 1
die() { echo "$1" >&2; exit 1; }
test "$SOURCE_DIR" = "$OUT_DIR" && die "same"
""",
    ),
    Example(
        why="What hangs on it is a removal.",
        lines=(1,),
        code="""\
if [ "$CACHE_DIR" != "$MODEL_DIR" ]; then
    rm -rf "$CACHE_DIR"
fi
""",
    ),
    Example(
        why="A sibling folder whose name begins alike is let in.",
        lines=(6,),
        path="download.py",
        code="""\
import os


def target(base, name):
    base = os.path.abspath(base)
    if not os.path.abspath(os.path.join(base, name)).startswith(base):
        raise ValueError(name)
    return os.path.join(base, name)
""",
    ),
    Example(
        why="`str()` of a resolved path ends in no separator.",
        lines=(6, 12),
        path="store.py",
        code="""\
import pathlib


def inside(root: pathlib.Path, name: str) -> pathlib.Path:
    path = (root / name).resolve()
    if not str(path).startswith(str(root.resolve())):
        raise PermissionError(name)
    return path


def is_safe(path, base_dir):
    return str(path.resolve()).startswith(str(base_dir.resolve()))
""",
    ),
    Example(
        why="The answer decides in a function of its own.",
        lines=(5,),
        path="serve.py",
        code="""\
import os


def is_ours(filename, root):
    return os.path.abspath(filename).startswith(os.path.abspath(root))


def read(filename, root):
    if not is_ours(filename, root):
        raise PermissionError(filename)
    return open(filename).read()
""",
    ),
    Example(
        why="Only one side is resolved: with a relative `--source` the guard never fires.",
        lines=(8,),
        path="merge.py",
        code="""\
import argparse
import sys
from pathlib import Path

parser = argparse.ArgumentParser()
args = parser.parse_args()
out = Path(args.out).resolve()
if out == Path(args.source):
    sys.exit("would overwrite the source")
""",
    ),
    Example(
        why="A hint: the caller may have resolved it.",
        lines=(5,),
        path="merge.py",
        code="""\
import os


def merge(source, out):
    if os.path.realpath(out) == source:
        raise ValueError("would overwrite the source")
""",
    ),
)

GOOD = (
    Example(
        why="Both sides are resolved.",
        code="""\
src_dir=$(realpath -m "$1")
dest_dir=$(cd "$2" && pwd)
if [ "$src_dir" = "$dest_dir" ]; then exit 1; fi
""",
    ),
    Example(
        why="Nothing is lost by the answer.",
        code="""\
if [ "$1" != "$OUT_DIR" ]; then
    echo "writing to $OUT_DIR"
fi
if [ "$src_dir" = "$dest_dir" ]; then
    exit 0
fi
""",
    ),
    Example(
        why="These are no paths, or modes with names like paths.",
        code="""\
src_rank=$1
[ "$src_rank" = "$dst_rank" ] && exit 1
[ "$OUTPUT_1" = "$EXPECTED" ] || exit 1
layout_path=flat
[ "$layout_path" = "$known_path" ] || exit 1
[ "$TARGET_DIR" = / ] && exit 1
""",
    ),
    Example(
        why="A walk up to the root ends this way.",
        code="""\
while true; do
    parent_dir=$(dirname "$dir")
    if [ "$parent_dir" = "$dir" ]; then exit 1; fi
    dir=$parent_dir
done
""",
    ),
    Example(
        why="The separator is there.",
        path="store.py",
        code="""\
import os


def inside(base, name):
    base = os.path.realpath(base)
    prefix = os.path.join(base, "")
    path = os.path.realpath(os.path.join(base, name))
    if not path.startswith(base + os.sep):
        raise ValueError(name)
    if not path.startswith(prefix) or not path.startswith(f"{base}/"):
        raise ValueError(name)
    if not path.startswith(base) or path[len(base)] != os.sep:
        raise ValueError(name)
""",
    ),
    Example(
        why="Routes, modules and file names are no folders.",
        path="routes.py",
        code="""\
import os


def route(request, module, name, prefix):
    root = os.path.abspath(".")
    if not request.path.startswith(prefix):
        raise LookupError(request.path)
    if not module.startswith("package."):
        raise ImportError(module)
    if not name.startswith(("a", "b")):
        raise ValueError(name)
    return root
""",
    ),
    Example(
        why="Nothing is refused: a name is shortened for a log.",
        path="show.py",
        code="""\
import os


def shown(path):
    home = os.path.abspath(os.path.expanduser("~"))
    if path.startswith(home):
        path = "~" + path[len(home):]
    return path
""",
    ),
    Example(
        why="It only sorts: no error, no removal and no write hangs on the answer.",
        path="frames.py",
        code="""\
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def is_ours(filename):
    return os.path.abspath(filename).startswith(HERE)


def kind(filename):
    return "ours" if is_ours(filename) else "theirs"
""",
    ),
    Example(
        why="It must be run in that folder: another spelling is refused, and says so.",
        code="""\
if [ "$RUN_DIR" != "$ROOT_DIR" ]; then
    echo "run this in $ROOT_DIR" >&2
    exit 1
fi
[ "$RUN_DIR" = "$ROOT_DIR" ] || exit 1
! [ "$RUN_DIR" = "$ROOT_DIR" ] && exit 1
""",
    ),
    Example(
        why="Both sides resolved, or one path asked whether it is canonical.",
        path="merge.py",
        code="""\
import os
from pathlib import Path


def merge(args):
    out = Path(args.out).resolve()
    if out == Path(args.source).resolve():
        raise ValueError("would overwrite the source")
    if os.path.realpath(args.out) != args.out:
        raise ValueError("a link")
    if out != Path(args.out):
        raise ValueError("a link")
    if out.suffix == args.suffix:
        raise ValueError("suffix")
""",
    ),
    Example(
        why="Not every `resolve` is about paths.",
        path="names.py",
        code="""\
def lookup(registry, args):
    if registry.resolve(args.name) == args.value:
        return registry
    return None
""",
    ),
)
