"""The options that decide where a script ends, as a reduced script sets them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reviewbot.detectors.shell.errexit import OPTIONS, Setting, set_changes
from reviewbot.detectors.shell.reduced import Unreducible


def set_command(options: Mapping[str, Setting]) -> str:
    """`set -e +u`; "" for no option. Raises Unreducible for one that is neither on nor off."""
    if not options:
        return ""
    signs = {Setting.ON: "-", Setting.OFF: "+"}
    if not signs.keys() >= set(options.values()):
        raise Unreducible
    return " ".join(("set", *(f"{signs[setting]}{OPTIONS[name]}" for name, setting in options.items())))


def written_anew(words: Sequence[str]) -> str:
    """`set` with these arguments, without all that does not matter."""
    return set_command(set_changes(words))
