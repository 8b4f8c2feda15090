"""What a repository says to its linters, at base, and how much of it is obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Text

RUFF_FILES = ("ruff.toml", ".ruff.toml")
CONFIG_FILES = ("pyproject.toml", *RUFF_FILES, ".shellcheckrc")

UNCONFIGURED = "the repository does not configure ruff"
EXTENDED = "the repository's configuration of ruff extends another file, which is not read"

_RUFF_TABLE = pattern(r"^[ \t]*\[+[ \t]*tool[ \t]*\.[ \t]*ruff\b", re.MULTILINE)
# `external-sources` and `source-path` would let a script name any file of this machine.
_OBEYED = pattern(r"(?:disable|enable|shell|extended-analysis)=[\w,-]+")


def config_paths(paths: Iterable[str]) -> list[str]:
    """Where the configuration of the tools may lie for the files at `paths`: beside them and above."""
    folders = {""}
    for path in paths:
        while (path := path.rpartition("/")[0]) not in folders:
            folders.add(path)
    return [f"{folder}/{name}".lstrip("/") for folder in sorted(folders) for name in CONFIG_FILES]


def configuration(tool: str, files: Mapping[str, bytes]) -> tuple[Text, ...]:
    """The files that configure a tool; `files` are those at base, by path."""
    if tool == "ruff":
        texts = (Text(path, data.decode("utf-8", "surrogateescape")) for path, data in files.items())
        return tuple(text for text in texts if _configures_ruff(text))
    if tool == "shellcheck" and ".shellcheckrc" in files:
        lines = files[".shellcheckrc"].decode("utf-8", "replace").split("\n")
        obeyed = [line.strip() for line in lines if _OBEYED.fullmatch(line.strip())]
        return (Text(".shellcheckrc", "".join(f"{line}\n" for line in obeyed)),)
    return ()


def _configures_ruff(text: Text) -> bool:
    name = text.path.rpartition("/")[2]
    return name in RUFF_FILES or (name == "pyproject.toml" and bool(_RUFF_TABLE.search(text.content)))


def why_not_ruff(path: str, config: Sequence[Text]) -> str:
    """Why ruff has no say about the file at `path`, or ""."""
    own = [c for c in config if path.startswith(c.path[: c.path.rfind("/") + 1])]
    if not own:
        return UNCONFIGURED
    return EXTENDED if any(_extends(text.content) for text in own) else ""


def _extends(content: str) -> bool:
    """Whether another file is part of this configuration: any file of this machine can be named,
    and ruff quotes it where it does not parse."""
    if "extend" not in content:
        return False
    import tomllib  # 5 ms, and hardly ever needed

    try:
        table = tomllib.loads(content)
    except tomllib.TOMLDecodeError:
        return False  # ruff will say what is wrong with it
    nested = table.get("tool")
    nested = nested.get("ruff") if isinstance(nested, dict) else None
    return "extend" in table or (isinstance(nested, dict) and "extend" in nested)
