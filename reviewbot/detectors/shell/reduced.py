"""What a reduced script, which is run, may take over from the one of a stranger, and how it is run.

Nothing may pass that could start a program, write a file or change how the shell works, whatever the
parser took it for: words and names are checked on the text. Everything else is Unreducible.
"""

from __future__ import annotations

from collections.abc import Iterable

from reviewbot.core.patterns import pattern
from reviewbot.core.types import Proof, Sign, Text
from reviewbot.detectors.shell.script import ShellFile

NAME = r"[A-Za-z_][A-Za-z0-9_]*+"
# A parameter, with a default, an alternative, or a prefix or suffix taken off: what has no effects.
EXPANSION = (
    rf"\$(?:[1-9#]|{NAME}|\{{(?:\#|(?:[1-9]|{NAME})"
    r"(?:(?::?[-+]|\#\#?|%%?)(?>(?:[A-Za-z0-9_./:=,*+-]|\"\")*))?)\})"
)
_PLAIN = r"[A-Za-z0-9_./:=,+%@-]"
_QUOTED = r"[A-Za-z0-9_./:=,+%@ \#*?-]"
WORD = rf"(?>(?:{_PLAIN}|{EXPANSION}|\"(?>(?:{_QUOTED}|{EXPANSION})*)\"|'{_QUOTED}*+')+)"
_NAME = pattern(NAME)
# What the shell itself, or the loader of programs, reads: an assignment to it is more than a value.
_OWNED = pattern(
    r"_|BASH.*|LD_.*|LC_.*|DYLD_.*|COMP_.*|HIST.*|MALLOC_.*|EPOCH.*|PS[0-9]|OPT(?:ARG|IND|ERR)|S?RANDOM|E?UID"
    r"|PPID|PATH|IFS|ENV|CDPATH|SHELL|SHELLOPTS|SHLVL|SECONDS|LINENO|GROUPS|DIRSTACK|FUNC(?:NAME|NEST)"
    r"|PIPESTATUS|EXECIGNORE|GLOBIGNORE|IGNOREEOF|INPUTRC|LANG|LANGUAGE|MAIL.*|POSIXLY_CORRECT|GCONV_PATH"
    r"|PROMPT_.*|TIMEFORMAT|TMOUT|TMPDIR|TZ|HOME|PWD|OLDPWD|REPLY|MAPFILE|COPROC|LOCPATH|NLSPATH|READLINE_.*"
)
_UNSAFE = pattern(r"[^A-Za-z0-9_.+-]")
_LONGEST = 80  # characters of the name of a file


class Unreducible(Exception):
    """A piece of a script that is not let through."""


def is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name))


def is_assignable(name: str) -> bool:
    """Whether it is the name of a variable that neither the shell nor the loader of programs reads."""
    return is_name(name) and not _OWNED.fullmatch(name)


def run_alone(file: ShellFile, lines: Iterable[str], shows: Sign, denies: Sign, *arguments: str) -> Proof:
    """These lines as a script with the name of the file, run by its shell."""
    name = file_name(file.path)
    script = Text(name, "".join(f"{line}\n" for line in lines))
    return Proof((file.shell, name, *arguments), shows, denies, script)


def file_name(path: str) -> str:
    """The name of a file without its folders, fit to be typed: a letter, a digit or `_` comes first."""
    name = _UNSAFE.sub("_", path.rpartition("/")[2])[-_LONGEST:]
    return name if name[:1].isalnum() or name[:1] == "_" else f"_{name}"
