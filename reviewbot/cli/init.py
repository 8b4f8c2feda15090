"""`reviewbot init`: a configuration, a first skill and a workflow for this repository."""

from __future__ import annotations

import os

from reviewbot.core.errors import EXIT_CLEAN

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from reviewbot.core.home.seen import Seen
    from reviewbot.wiring.newhome import Home, Planned

EXAMPLES = """\
examples:
  reviewbot init --dry-run                show what would be written
  reviewbot init                          write it; once more changes nothing
  reviewbot init --force                  also over files that you have edited

exit codes:
  0    written, or nothing to do
  2    no work tree of git, or one that cannot be written
"""
SHOWN = 3  # places of one kind
DRY = {"wrote": "would write", "replaced": "would replace"}


def declare(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Look at this repository, and write .reviewbot/config.toml, a first skill for\n"
        "its own launchers and releases, and a workflow where it is on GitHub."
    )
    command.epilog = EXAMPLES
    command.add_argument("--dry-run", action="store_true", help="write nothing, print what would be written")
    command.add_argument("--force", action="store_true", help="replace files that are there and differ")
    command.set_defaults(run=_init)


def _init(arguments: argparse.Namespace) -> int:
    from reviewbot.hosts import output
    from reviewbot.wiring import newhome

    home = newhome.plan(os.getcwd(), force=arguments.force)
    if not arguments.dry_run:
        newhome.write(home)
    output.show("".join(f"{line}\n" for line in _lines(home, dry=arguments.dry_run)))
    for line in _next(home, output.own_command()):
        output.say(line)
    return EXIT_CLEAN


def _lines(home: Home, *, dry: bool) -> Iterator[str]:
    from reviewbot.core.visible import name, visible

    rows = [*_found(home.seen)]
    rows += ((_fate(file, dry), _place(file, home)) for file in home.files)
    rows += ((f"no {what}", why) for what, why in home.left_out)
    rows += (("ignored", f"{path}: a review never sees what git ignores") for path in home.ignored)
    width = max(len(word) for word, _ in rows)
    yield from (f"{word:<{width}}  {visible(text)}" for word, text in rows)
    if not home.writes:
        yield "nothing to do"
    elif dry:
        for file in home.files:
            if file.fate != "as it was":
                yield f"\n--- {name(file.path)}"
                yield visible(file.content.decode()).rstrip("\n")


def _found(seen: Seen) -> Iterator[tuple[str, str]]:
    from reviewbot.core.home.seen import Work
    from reviewbot.core.report.words import count

    tongues = ", ".join(count(number, name) for name, number in seen.languages.items())
    yield (
        "files",
        tongues or "no shell, Python or GitHub workflow is tracked here: add files, and run it again",
    )
    for work in Work:
        if paths := [start.path for start in seen.starts if start.work is work]:
            more = f" and {len(paths) - SHOWN:,} more" if len(paths) > SHOWN else ""
            yield str(work), f"{', '.join(paths[:SHOWN])}{more}"
    if seen.checks:
        yield "CI runs", ", ".join(check.command for check in seen.checks)
    if seen.other_ci:
        yield "other CI", f"{', '.join(seen.other_ci[:SHOWN])}: not read, only the scripts that it calls"
    if seen.unread:
        yield "not read", count(seen.unread, "file")


def _fate(file: Planned, dry: bool) -> str:
    return (
        {"wrote": "would write", "replaced": "would replace"}.get(file.fate, file.fate) if dry else file.fate
    )


def _place(file: Planned, home: Home) -> str:
    """The path as it can be opened from here."""
    here = os.path.realpath(os.getcwd())
    path = file.path if here == os.path.realpath(home.folder) else os.path.join(home.folder, file.path)
    return f"{path}; --dry-run --force shows ours, --force takes it" if file.fate == "kept yours" else path


def _next(home: Home, command: str) -> Iterator[str]:
    """Three lines at most."""
    yield (f"next: {command} {home.review}" if home.review else "next: commit something to review")
    if home.writes:
        yield "then commit what was written: a review reads it at the base commit, so it counts from then on"
    if any(file.path.startswith(".github/") for file in home.writes):
        yield "on GitHub the workflow needs no key; a secret ANTHROPIC_API_KEY turns the model on"
