"""`reviewbot skills test|new|import|add`: for those who write skills."""

from __future__ import annotations

import argparse
import os

from reviewbot.core.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_INCOMPLETE, EXIT_USAGE, UsageError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    from reviewbot.wiring.newskills import NewSkill

TEST_EXAMPLES = """\
examples:
  reviewbot skills test                   all skills of this work tree
  reviewbot skills test my-review         one of them, or a built-in one
  reviewbot skills test .reviewbot/skills/my-review/cases/a-case
  reviewbot skills test --min-cases 2     for CI

exit codes:
  0    every case is right
  1    a finding was missed, a false alarm, or too few cases
  2    there is no case, or one that cannot be read
  3    incomplete: the review of a case is not whole
"""
NEW_EXAMPLES = """\
examples:
  reviewbot skills new my-review          writes .reviewbot/skills/my-review/
"""
IMPORT_EXAMPLES = """\
examples:
  reviewbot skills import paste.txt       writes .reviewbot/skills/<name>/SKILL.md
  reviewbot skills import - -o skills     from stdin, into skills/<name>/

A skill file is written as it is. It is made of the copy of a page that begins
like this, with the lines of borders or without them:

  92 lines (70 loc)
  ---
  |
  ||
  name: my-review
  |
  ||
"""
ADD_EXAMPLES = """\
examples:
  reviewbot skills add octo/checks@0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c
  reviewbot skills add octo/checks/skills/shell@0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c

Copied are SKILL.md, rules/, cases/ and references/, regular files only. Nothing of the
repository is run. provenance.json says where they came from. GITHUB_SERVER_URL names
another server than https://github.com.
"""
EXIT = {
    "passed": EXIT_CLEAN,
    "failed": EXIT_FINDINGS,
    "untested": EXIT_USAGE,
    "incomplete": EXIT_INCOMPLETE,
}
SHOWN = 20  # lines about what was left out


def declare_test(test: argparse.ArgumentParser) -> None:
    test.description = "Review the cases of skills, and compare what is found with what is expected."
    test.epilog = TEST_EXAMPLES
    test.add_argument("names", metavar="NAME|PATH", nargs="*", help="a skill, a folder of them, or one case")
    test.add_argument(
        "--min-cases",
        metavar="N",
        type=_number,
        default=0,
        help="fail a class with fewer than N cases with a finding, or fewer than N clean ones",
    )
    test.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    test.add_argument("--quiet", action="store_true", help="nothing on stderr but errors")
    test.set_defaults(run=_test)


def declare_new(new: argparse.ArgumentParser) -> None:
    new.description = "Write a small skill that is whole, with a rule and two cases, to start from."
    new.epilog = NEW_EXAMPLES
    new.add_argument("name", metavar="NAME", help="lower-case words joined by hyphens")
    new.set_defaults(run=_new)


def declare_import(pasted: argparse.ArgumentParser) -> None:
    pasted.description = "Take a skill file, or the copied web page of one, into this repository."
    pasted.epilog = IMPORT_EXAMPLES
    pasted.add_argument("file", metavar="FILE", help="the file or the copied text; - reads stdin")
    pasted.add_argument("-o", dest="into", metavar="DIR", help="write into DIR (default: .reviewbot/skills)")
    pasted.set_defaults(run=_import)


def declare_add(add: argparse.ArgumentParser) -> None:
    add.description = "Copy a skill of another repository, at a full commit id, into .reviewbot/skills."
    add.epilog = ADD_EXAMPLES
    add.add_argument("skill", metavar="OWNER/REPO[/PATH]@SHA", help="PATH is a folder with a SKILL.md")
    add.add_argument("--update", action="store_true", help="replace the copy that is there; shows the diff")
    add.set_defaults(run=_add)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 4):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of cases")
    return int(text)


def _test(arguments: argparse.Namespace) -> int:
    from reviewbot.core.report.skilltests import render_json, render_text
    from reviewbot.hosts import output, terminal
    from reviewbot.wiring.skilltests import run_skill_tests

    cwd = os.getcwd()
    with terminal.progress(quiet=arguments.quiet) as progress:
        tests = run_skill_tests(arguments.names, cwd, arguments.min_cases, progress)
    width = terminal.page(cwd).width
    output.show(render_json(tests) if arguments.format == "json" else render_text(tests, width))
    return EXIT[tests.verdict]


def _new(arguments: argparse.Namespace) -> int:
    from reviewbot.hosts import output
    from reviewbot.wiring.newskills import new_skill

    made = new_skill(arguments.name, os.getcwd())
    output.show("".join(f"{_folder(made)}/{path}\n" for path in made.files))
    output.say(f"next: {output.own_command()} skills test {arguments.name}")
    return EXIT_CLEAN


def _import(arguments: argparse.Namespace) -> int:
    from reviewbot.hosts import output
    from reviewbot.wiring.newskills import import_skill

    if arguments.into == "":
        raise UsageError("DIR is empty", "an unset variable? name it, or leave -o out")
    data = output.read_input(arguments.file)
    made = import_skill(data, arguments.file, arguments.into, os.getcwd())
    if not made.cleaned:
        output.say(f"{arguments.file} is no copy of a web page: written as it is")
    output.show(f"{_folder(made)}/SKILL.md\n")
    return _checked(made)


def _add(arguments: argparse.Namespace) -> int:
    from reviewbot.core.report.words import count
    from reviewbot.core.visible import name, visible
    from reviewbot.hosts import output
    from reviewbot.wiring.newskills import add_skill

    made = add_skill(arguments.skill, os.getcwd(), arguments.update)
    if made.diff is not None:
        output.show(visible(made.diff) if made.diff else "nothing has changed\n")
    output.show(f"{_folder(made)}: {count(len(made.files), 'file')}\n")
    for path, why in made.left[:SHOWN]:
        output.show(f"  left out: {name(path)}: {why}\n")
    if len(made.left) > SHOWN:
        output.show(f"  left out: {len(made.left) - SHOWN:,} more\n")
    return _checked(made)


def _folder(made: NewSkill) -> str:
    """The folder as seen from here, where it is below."""
    from reviewbot.core.visible import name

    here = os.path.join(os.getcwd(), "")
    return name(made.folder.removeprefix(here))


def _checked(made: NewSkill) -> int:
    """Print what `reviewbot skills check` says of it."""
    from reviewbot.core.report import skillpage
    from reviewbot.core.report.skills import noticed
    from reviewbot.hosts import output, terminal
    from reviewbot.wiring.skillsheets import checked

    cwd = os.getcwd()
    sheets = checked([made.folder.removeprefix(os.path.join(cwd, ""))], cwd)
    output.show(skillpage.render_check(sheets, terminal.page(cwd)))
    return EXIT_USAGE if noticed(sheets, "error") else EXIT_CLEAN
