"""`reviewbot skills`: a command for each thing that can be done with skills."""

from __future__ import annotations

import os

from reviewbot.cli.authoring import declare_add, declare_import, declare_new, declare_test
from reviewbot.core.errors import EXIT_CLEAN, EXIT_USAGE

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse

DESCRIPTION = "A skill says in Markdown what a review looks for."
LIST_EXAMPLES = """\
examples:
  reviewbot skills list                   which skills would review here
"""
CHECK_EXAMPLES = """\
examples:
  reviewbot skills check                  the skills of this work tree
  reviewbot skills check review/SKILL.md  one skill
  reviewbot skills check --strict skills  all skills in a folder; for CI

exit codes:
  0    no errors
  2    errors, with --strict also warnings; or wrong use
"""
SHOW_EXAMPLES = """\
examples:
  reviewbot skills show silent-failures   a skill that `skills list` names
  reviewbot skills show review/SKILL.md --format json
"""
DUMP_EXAMPLES = """\
examples:
  reviewbot skills dump run.sh            each node: line:column, kind, text
  reviewbot skills dump ci.yml --language yaml
"""


def declare(command: argparse.ArgumentParser) -> None:
    """A command more: its entry here, a `_declare_…` for its options, and what it runs."""
    command.description = DESCRIPTION
    commands = command.add_subparsers(title="commands", metavar="COMMAND", required=True)
    listing = commands.add_parser("list", help="the skills there are, and which of them review")
    _declare_list(listing)
    check = commands.add_parser("check", help="errors and warnings in skill files and their rules")
    _declare_check(check)
    show = commands.add_parser("show", help="all that was understood of one skill")
    _declare_show(show)
    dump = commands.add_parser("dump", help="the syntax tree of a file, for authors of rules")
    _declare_dump(dump)
    declare_test(commands.add_parser("test", help="run the tests that skills bring along"))
    declare_new(commands.add_parser("new", help="write a small skill to start from"))
    declare_import(commands.add_parser("import", help="take a skill file, or a copied web page of one"))
    declare_add(commands.add_parser("add", help="copy a skill of another repository"))


def _declare_list(parser: argparse.ArgumentParser) -> None:
    parser.description = "List the skills of this work tree and the built-in ones."
    parser.epilog = LIST_EXAMPLES
    parser.set_defaults(run=_list)


def _declare_check(parser: argparse.ArgumentParser) -> None:
    parser.description = "Read skills and their rules, run the rules' examples, and say what is wrong."
    parser.epilog = CHECK_EXAMPLES
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", help="a SKILL.md, its folder, or a folder of skills"
    )
    parser.add_argument("--strict", action="store_true", help="warnings are errors")
    _add_format(parser)
    parser.set_defaults(run=_check)


def _declare_show(parser: argparse.ArgumentParser) -> None:
    parser.description = "Show what was understood of a skill: its files, classes, detectors and gates."
    parser.epilog = SHOW_EXAMPLES
    parser.add_argument("skill", metavar="NAME|PATH", help="a skill's name, its SKILL.md, or its folder")
    _add_format(parser)
    parser.set_defaults(run=_show)


def _declare_dump(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print the tree on which the rules of a skill are matched."
    parser.epilog = DUMP_EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a file; - reads stdin")
    parser.add_argument("--language", choices=("bash", "python", "yaml"), help="default: by the file's name")
    parser.set_defaults(run=_dump)


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _list(arguments: argparse.Namespace) -> int:
    from reviewbot.core.report import skillpage
    from reviewbot.hosts import output, terminal
    from reviewbot.wiring import skillsheets

    cwd = os.getcwd()
    skills, files, failed = skillsheets.overview(cwd)
    output.show(skillpage.render_list(skills, files, failed, terminal.page(cwd)))
    return EXIT_CLEAN


def _check(arguments: argparse.Namespace) -> int:
    from reviewbot.core.report import skillpage, skills
    from reviewbot.hosts import output, terminal
    from reviewbot.wiring import skillsheets

    cwd = os.getcwd()
    sheets = skillsheets.checked(arguments.paths, cwd)
    if arguments.format == "json":
        output.show(skills.render_all(sheets))
    else:
        output.show(skillpage.render_check(sheets, terminal.page(cwd)))
    levels = ("error", "warning") if arguments.strict else ("error",)
    return EXIT_USAGE if any(skills.noticed(sheets, level) for level in levels) else EXIT_CLEAN


def _show(arguments: argparse.Namespace) -> int:
    from reviewbot.core.report import skillpage, skills
    from reviewbot.hosts import output, terminal
    from reviewbot.wiring import skillsheets

    cwd = os.getcwd()
    sheet = skillsheets.understood(arguments.skill, cwd)
    if arguments.format == "json":
        output.show(skills.render(sheet))
    else:
        output.show(skillpage.render_show(sheet, terminal.page(cwd)))
    return EXIT_USAGE if skills.noticed([sheet], "error") else EXIT_CLEAN


def _dump(arguments: argparse.Namespace) -> int:
    from reviewbot.hosts import output
    from reviewbot.wiring import skillsheets

    data = output.read_input(arguments.file)
    output.show(skillsheets.syntax_tree(data, arguments.file, arguments.language))
    return EXIT_CLEAN
