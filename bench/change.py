"""Makes a git repository whose branch `head` changes many realistic Python and shell files.

The same size gives the same repository, byte for byte. Four in five files are modified, one in
ten added, one in twenty each deleted and renamed with edits; about one in fifty has a defect.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

PYTHON_BLOCKS = (
    '''
def load_{noun}(path, limit={number}):
    """Read {noun} records, at most `limit` of them."""
    records = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.strip() or line.startswith("#"):
                continue
            records.append(json.loads(line))
            if len(records) >= limit:
                break
    return records
''',
    '''
class {Noun}Config:
    """Settings of the {noun} stage."""

    batch_size: int = {number}
    seed: int = {number}

    def __init__(self, **options):
        for name, value in options.items():
            if not hasattr(type(self), name):
                raise TypeError(f"unknown option {{name!r}}")
            setattr(self, name, value)

    def as_dict(self):
        return {{"batch_size": self.batch_size, "seed": self.seed, "name": "{noun}"}}
''',
    """
def summarise_{noun}(rows, key="{noun}"):
    totals = {{}}
    for row in rows:
        bucket = totals.setdefault(row.get(key, "other"), [0, 0.0])
        bucket[0] += 1
        bucket[1] += float(row["value"]) / {number}
    return {{name: total / count for name, (count, total) in sorted(totals.items())}}
""",
    """
def run_{noun}(command, timeout={number}):
    try:
        done = subprocess.run(command, check=True, capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        raise RuntimeError("{noun}: no answer") from error
    log.info("%s: %d bytes in %d s", "{noun}", len(done.stdout), timeout)
    return [part for part in done.stdout.split(b"\\n") if part and part != b"{noun}"]
""",
)
PYTHON_DEFECT = """
def verify_{noun}(expected, found):
    assert len(expected) == len(found)
    assert expected[0] == found[0], "{noun}"
"""
SHELL_BLOCKS = (
    """
{noun}_prepare() {{
    local target=$1 count=${{2:-{number}}}
    mkdir -p "$target/{noun}" || exit 1
    for i in $(seq 1 "$count"); do
        cp -r "$SOURCE/{noun}-$i" "$target/{noun}/" || exit 1
    done
    echo "{noun}: $count parts in $target"
}}
""",
    """
if [[ -n "${{{NOUN}_DIR:-}}" && -d "${{{NOUN}_DIR}}" ]]; then
    find "${{{NOUN}_DIR}}" -name '*.log' -mtime +{number} -print0 | xargs -0 -r rm --
    export {NOUN}_READY=1
else
    echo "no {noun} folder" >&2
    exit 2
fi
""",
    """
case "${{1:-help}}" in
    {noun}) MODE={noun}; shift ;;
    all)    MODE=all; shift ;;
    *)      echo "usage: $0 {noun}|all" >&2; exit 64 ;;
esac
""",
    """
{noun}_server() {{
    python3 -m server --name {noun} --port {number} >"$LOGS/{noun}.log" 2>&1 &
    local pid=$!
    for _ in $(seq 1 {number}); do
        curl -fsS "http://127.0.0.1:{number}/health" >/dev/null && return 0
        kill -0 "$pid" || return 1
        sleep 1
    done
    return 1
}}
""",
)
SHELL_DEFECT = """
while true; do
    curl -fsS "http://127.0.0.1:{number}/{noun}" && break
    sleep 5
done
"""
NOUNS = (
    "batch",
    "cache",
    "corpus",
    "export",
    "index",
    "layer",
    "merge",
    "model",
    "queue",
    "report",
    "score",
    "shard",
)
HEADS = {
    "py": '''\
"""The {noun} stage."""

import json
import logging
import subprocess

log = logging.getLogger(__name__)
''',
    "sh": """\
#!/usr/bin/env bash
set -euo pipefail

SOURCE=${{SOURCE:-/data/{noun}}}
LOGS=${{LOGS:-logs}}
""",
    "md": "# The {noun} stage\n",
}
BLOCKS = {
    "py": PYTHON_BLOCKS,
    "sh": SHELL_BLOCKS,
    "md": ("\n## {Noun} {number}\n\nThe {noun} stage reads {number} parts and writes one.\n",),
}
DEFECTS = {"py": PYTHON_DEFECT, "sh": SHELL_DEFECT, "md": ""}
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    **{
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (
            ("NAME", "bench"),
            ("EMAIL", "bench@example.invalid"),
            ("DATE", "2024-01-01T00:00:00Z"),
        )
    },
}


def make_repository(folder: Path, files: int, lines: int) -> None:
    """Fills the empty `folder`: branch `base` is what stood before, `head` the change of about
    `lines` added and deleted lines in `files` files. HEAD is `head`."""
    dice = random.Random(files)
    git(folder, "init", "-q", "-b", "base")
    names = [_name(index, dice) for index in range(files)]
    texts = {name: [_head(name), *_blocks(name, dice, dice.randint(3, 12))] for name in names}
    added = set(names[3::10])
    _write(folder, {name: text for name, text in texts.items() if name not in added})
    _commit(folder, "base")
    git(folder, "checkout", "-q", "-b", "head")
    for index, name in enumerate(names):
        if index % 20 == 7:
            (folder / name).unlink()
            continue
        if name in added:
            texts[name] = [_head(name), *_blocks(name, dice, max(1, lines // files // 10))]
        else:
            _edit(name, texts[name], dice, lines / files)
        if index % 20 == 14:
            renamed = (folder / name).with_name("renamed_" + Path(name).name)
            (folder / name).rename(renamed)
            texts[str(renamed.relative_to(folder))] = texts.pop(name)
    _write(folder, {name: text for name, text in texts.items() if (folder / name).exists() or name in added})
    _commit(folder, "head")


def git(folder: Path, *args: str) -> str:
    return subprocess.run(
        ["git", *args], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True
    ).stdout


def _name(index: int, dice: random.Random) -> str:
    noun = NOUNS[index % len(NOUNS)]
    kind = dice.choices(("py", "sh", "md"), weights=(75, 20, 5))[0]
    return f"{noun}/stage_{index % 40:02}/{noun}_{index:05}.{kind}"


def _head(name: str) -> str:
    return HEADS[name.rsplit(".", 1)[1]].format(noun=name.split("/", 1)[0])


def _blocks(name: str, dice: random.Random, count: int) -> list[str]:
    kind = name.rsplit(".", 1)[1]
    blocks = []
    for _ in range(count):
        template = DEFECTS[kind] if dice.random() < 0.004 else dice.choice(BLOCKS[kind])
        noun = f"{dice.choice(NOUNS)}_{dice.randint(1, 9999)}"
        number = dice.randint(2, 9000)
        blocks.append(template.format(noun=noun, Noun=noun.title(), NOUN=noun.upper(), number=number))
    return blocks


def _edit(name: str, text: list[str], dice: random.Random, lines: float) -> None:
    """Replaces and inserts whole blocks until about `lines` lines are added or deleted."""
    changed = 0
    while changed < lines:
        (new,) = _blocks(name, dice, 1)
        place = dice.randint(1, len(text))
        if place < len(text) and dice.random() < 0.5:
            changed += text.pop(place).count("\n")
        text.insert(place, new)
        changed += new.count("\n")


def _write(folder: Path, texts: dict[str, list[str]]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(text))


def _commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)
