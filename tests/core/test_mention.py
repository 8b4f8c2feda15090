"""Which lines of a comment are commands, and what each of them says."""

from __future__ import annotations

from html.parser import HTMLParser

import cmarkgfm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewbot.core.mention import parse
from reviewbot.core.types import Command

REVIEW = Command("review")


def one(line: str) -> Command:
    (command,) = parse(f"@bot {line}", "bot")
    return command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("review", REVIEW),
        ("Review!", REVIEW),
        ("please review this pull request, thanks", REVIEW),
        ("`review`", REVIEW),
        ("review full", Command("review", "full")),
        ("review src/", Command("review", paths=("src/",))),
        (
            "review src/a.sh, runners/*.py `Makefile`",
            Command("review", paths=("src/a.sh", "runners/*.py", "Makefile")),
        ),
        ("review full `my dir/a.sh`", Command("review", "full", paths=("my dir/a.sh",))),
        ("explain 0123ab", Command("explain", "0123ab")),
        ("explain `0123abcdef012345`", Command("explain", "0123abcdef012345")),
        ("explain runners/a.sh:41.", Command("explain", "runners/a.sh:41")),
        ("explain `my dir/a.sh:41`", Command("explain", "my dir/a.sh:41")),
        ("explain", Command("explain")),
        ("explain 01234", Command("explain", "", "01234")),
        ("dismiss 0123ab - it is meant so", Command("dismiss", "0123ab", "it is meant so")),
        ("dismiss a.sh:12: it is `meant` so", Command("dismiss", "a.sh:12", "it is `meant` so")),
        ("dismiss it is meant so", Command("dismiss", "", "it is meant so")),
        ("pause", Command("pause")),
        ("resume for the release", Command("resume", text="for the release")),
        ("config", Command("config")),
        ("help", Command("help")),
        ("", Command("help")),
        ("review was wrong here", Command("unknown", "review was wrong here")),
        ("reviews", Command("unknown", "reviews")),
        ("thanks " + "x" * 99, Command("unknown", "thanks " + "x" * 53)),
    ],
)
def test_what_a_command_says(line: str, command: Command) -> None:
    assert one(line) == command


@pytest.mark.parametrize(
    "body",
    [
        "@bot review",
        "   @bot review",
        "@BOT review",
        "@bot[bot] review",
        "@bot: review",
        "@bot,\treview",
        "Text before.\r\n@bot review\r\ntext after",
        "> quoted\n\n@bot review",
        ">\n@bot review",
        "```\ncode\n```\n@bot review",
        "~~~ sh\n```\n~~~~\n@bot review",
        "- ```\n  code\n  ```\n@bot review",
        "1.  ```\n    code\n    ```\n@bot review",
        "`a` ``b`\n@bot review",
        "`<!--`\n@bot review",
        "a <!-- never closed\n\n@bot review",
        "<!-- one\n\ntwo -->\n@bot review",
        "    indented\n\n@bot review",
        "``` not`a`fence\n@bot review",
        "\\`\n@bot review\n`",
    ],
)
def test_a_command_at_the_start_of_a_plain_line(body: str) -> None:
    assert parse(body, "bot") == (REVIEW,)


@pytest.mark.parametrize(
    "body",
    [
        "ask @bot review",
        "foo@bot review",
        "@bot-other review",
        "@bot/team review",
        "@bot[bot]x review",
        "@botreview",
        "@bot.review",
        "@bo\u212a review",
        "    @bot review",
        "\t@bot review",
        "\u00a0@bot review",
        "- @bot review",
        "> @bot review",
        "  > @bot review",
        "> quoted\n@bot review",
        "> quoted\ngoes on\n@bot review",
        "- > quoted\n@bot review",
        "> quoted\n2. goes on\n@bot review",
        "`\n2. goes on\n@bot review\n`",
        "```\n@bot review\n```",
        "```\n@bot review",
        "~~~\n```\n@bot review",
        "````\n```\n@bot review\n````",
        "```\n``` sh\n@bot review",
        "- ```\n  @bot review\n  ```",
        "`@bot review`",
        "`a\n@bot review\nb`",
        "``a ` \n@bot review\nb``",
        "\\``\n@bot review`",
        "<!--\n@bot review\n-->",
        "<!-- one\n\n@bot review",
        "text <!-- one\n@bot review\ntwo -->",
        "> quoted\n<!--\n\n@bot review\n-->",
        "<pre>\n\n@bot review\n</pre>",
        "<?php\n\n@bot review\n?>",
        '<a title="\n@bot review\n">b</a>',
        "",
    ],
)
def test_what_is_no_command(body: str) -> None:
    assert parse(body, "bo\u006b" if "\u212a" in body else "bot") == ()


def test_several_commands_keep_their_order() -> None:
    found = parse("@bot pause\n\ntext\n@bot help\n> @bot config\n\n@bot explain 0123ab", "bot")
    assert [command.verb for command in found] == ["pause", "help", "explain"]


def test_a_name_is_no_regular_expression() -> None:
    assert parse("@axb review", "a.b") == ()
    assert parse("@ review", "") == ()


class Seen(HTMLParser):
    """The text of a rendered comment that is neither quoted nor code."""

    def __init__(self, rendered: str) -> None:
        super().__init__()
        self.inside = 0
        self.text = ""
        self.feed(rendered)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.inside += tag in ("blockquote", "pre", "code")
        self.text += "\n" if tag in ("p", "li", "br") else ""

    def handle_endtag(self, tag: str) -> None:
        self.inside -= tag in ("blockquote", "pre", "code")

    def handle_data(self, data: str) -> None:
        self.text += "" if self.inside else data


PIECES = st.sampled_from(
    ["@bot review", "```", "````", "~~~", "`", "``", "> ", ">", "\n", "\n\n", "\r\n", "- ", "1. ", "    ",
     " ", "<!--", "-->", "text", "# ", "\\", "sh", "---"]
)  # fmt: skip


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_no_command_is_found_that_a_reader_does_not_see(body: str) -> None:
    seen = Seen(cmarkgfm.github_flavored_markdown_to_html(body)).text
    visible = sum(line.lstrip().startswith("@bot") for line in seen.split("\n"))
    assert len(parse(body, "bot")) <= visible


@given(st.text(max_size=300))
def test_any_text_is_read(body: str) -> None:
    parse(body, "bot")
    parse("@bot " + body, "bot")


@pytest.mark.parametrize(
    "unit",
    ["`", "` `` ", "<!--", "<a", "<!-- <a ` ", "- ", "1. ", "> ", "@bot ", "@bot\n", "@bot review `", "```\n",
     "~~~\n~\n", "    ", " ", "-  ", "``` ` ", "@bot dismiss `a", "<pre\n", "`\n", "_ ", "\r", "a:1"],
)  # fmt: skip
def test_the_longest_comment_is_read_in_linear_steps(unit: str) -> None:
    """A quadratic reading of 65,537 characters would run into the time limit of the suite."""
    body = (unit * 65_537)[:65_537]
    for text in (
        body,
        f"@bot review {body}",
        f"@bot dismiss {body}",
        body.replace("\n", " ") + "\n@bot review",
    ):
        parse(text, "bot")


@pytest.mark.parametrize(
    "body",
    [
        "<!A\n@reviewbot pause\n>",
        "-   ``` x\n````\n@reviewbot pause",
        "- <!--\n\n  @reviewbot pause\n-->",
        "> a `\n\u2028\n@reviewbot pause `",
        "> a `\n\u0085\n@reviewbot pause `",
        '<b`\n">\n@reviewbot pause `x',
        "<pre>\n</style>\n@reviewbot pause",
        "<a title='>\n@reviewbot pause'>",
        "<b> x\n``` a`b\n===\n>>`\n@reviewbot pause `x",
        "[^1]: n`\n`\n@reviewbot pause\n`",
        "# h`\n`\n@reviewbot pause `",
        "    code`\n`\n@reviewbot pause `",
        "<!-->\n\n@reviewbot pause\n-->",
        "<div>\n<b\n@reviewbot pause\n> x",
        "<div>\n<b\n@reviewbot pause\n\nx>",
        't`\n@reviewbot pause\n<a href="`\nx',
        "<p title='\n\n@reviewbot pause\n'>",
        "<style>\n<pre>\n</style>\n@reviewbot pause",
    ],
)
def test_what_a_reader_does_not_see_as_plain_text_is_no_command(body: str) -> None:
    assert parse(body, "reviewbot") == ()
