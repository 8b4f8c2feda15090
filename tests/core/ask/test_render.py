"""How one file of a change is shown."""

from __future__ import annotations

from reviewbot.core.ask.render import CONTEXT, WHOLE, Page, page
from reviewbot.core.types import FileChange, Hunk, Status, Text
from tests.core.ask.changes import file_change


def shown(path: str, base: str, head: str) -> str:
    return everything(page(file_change(path, base, head), Text(path, head)))


def everything(made: Page) -> str:
    return made.text(i for rows in made.stretches for i in (*made.lead(rows.start), *rows))


BASE = """\
import os


class Runner:
    \"\"\"Runs.\"\"\"

    def launch(self, config):
        check(config)
        go(config)

    def stop(self):
        kill()


def other():
    pass
"""


def test_a_function_is_shown_whole_and_its_class_by_its_signature() -> None:
    filler = "".join(f"    def m{n}(self):\n        return {n}\n\n" for n in range(80))
    base = BASE.replace("    def launch", f"{filler}    def launch")
    text = shown("a.py", base, base.replace("check(config)", "look(config)"))
    assert text == (
        "modified; 2 of 2 changed lines shown here\n"
        "     …\n"
        "   4  class Runner:\n"
        "     …\n"
        " 247      def launch(self, config):\n"
        "     -        check(config)\n"
        " 248 +        look(config)\n"
        " 249          go(config)\n"
        "     …"
    )


def long_function(lines: int) -> str:
    return "import os\n\n\ndef run():\n" + "".join(f"    step({n})\n" for n in range(lines - 1))


def test_of_a_long_function_the_signature_and_some_lines_are_shown() -> None:
    base = long_function(WHOLE + 1)
    text = shown("a.py", base, base.replace("step(60)", "leap(60)"))
    rows = text.split("\n")
    assert rows[1:4] == ["     …", "   4  def run():", "     …"]
    assert rows[4] == f"  {65 - CONTEXT}      step({60 - CONTEXT})"
    assert rows[-2] == f"  {64 + CONTEXT}      step({59 + CONTEXT})"


def test_a_function_of_the_limit_is_shown_whole() -> None:
    base = long_function(WHOLE)
    text = shown("a.py", base, base.replace("step(60)", "leap(60)"))
    assert text.count("step(") == WHOLE - 1


def test_an_unknown_language_has_eight_lines_around() -> None:
    base = "".join(f"line {n}\n" for n in range(1, 41))
    rows = shown("a.txt", base, base.replace("line 20\n", "line twenty\n")).split("\n")
    assert rows[2] == "  12  line 12"
    assert rows[10:12] == ["     -line 20", "  20 +line twenty"]
    assert rows[-2:] == ["  27  line 27", "     …"]


def test_a_deleted_line_stands_where_it_stood() -> None:
    assert shown("a.txt", "a\nb\nc\n", "a\nc\n").split("\n")[1:] == ["   1  a", "     -b", "   2  c"]


def test_an_added_file_is_shown_whole() -> None:
    made = page(file_change("a.py", "", "x = 1\ny = 2\n", Status.ADDED), Text("a.py", "x = 1\ny = 2\n"))
    assert everything(made) == "added; 2 of 2 changed lines shown here\n   1 +x = 1\n   2 +y = 2"


def test_without_the_text_the_hunks_are_shown_and_that_is_said() -> None:
    base = "".join(f"line {n}\n" for n in range(1, 41))
    file = file_change("a.txt", base, base.replace("line 20\n", "new\n"))
    text = everything(page(file, None))
    assert text.startswith(
        "modified; only its hunks are known; 2 of 2 changed lines shown here\n  17  line 17\n"
    )
    assert text == everything(page(file, Text("a.txt", "", partial=True)))


def test_a_text_that_is_not_what_the_hunks_lead_to_is_not_mixed_with_them() -> None:
    file = file_change("a.txt", "a\nb\n", "a\nc\n")
    text = everything(page(file, Text("a.txt", "something\nelse\n")))
    assert "only its hunks are known" in text
    assert "something" not in text


def test_line_ends_are_said_since_rows_do_not_show_them() -> None:
    text = shown("a.txt", "a\nb\n", "a\r\nb\n")
    assert text.split("\n")[0] == "modified; 1 added lines end in CR LF; 2 of 2 changed lines shown here"
    assert "   1 +a\n" in text
    assert "the line end at its end was removed" in shown("a.txt", "a\nb\n", "a\nb")


def test_a_rename_and_a_mode_are_said_and_strange_names_made_visible() -> None:
    file = FileChange("b.sh", Status.RENAMED, old_path="a\n\x1b.sh", old_mode="100644", new_mode="100755")
    assert everything(page(file, Text("b.sh", "x\n"))) == (
        "renamed; was a\\n\\x1b.sh; mode 100644 became 100755; no line of it is changed\n     …"
    )


def test_the_old_name_of_a_file_may_be_a_secret() -> None:
    token = "gh" + "p_" + "a1B2" * 10
    file = FileChange("b.sh", Status.RENAMED, old_path=f"{token}/b.sh")
    assert "renamed; was [redacted:github]/b.sh; " in everything(page(file, Text("b.sh", "x\n")))


def test_a_byte_order_mark_is_said_since_rows_do_not_show_it() -> None:
    assert "a byte order mark was added" in shown("a.txt", "a\n", "\ufeffa\n")
    assert "a byte order mark was deleted" in shown("a.txt", "\ufeffa\n", "a\n")
    both = shown("a.txt", "\ufeffa\n", "\ufeffb\n")
    assert "byte order mark" not in both
    assert "   1 +b" in both


def test_long_lines_are_counted() -> None:
    text = shown("a.txt", "a\n", f"{'x' * 3_000}\n")
    assert text.startswith("modified; 2 of 2 changed lines shown here; 1 long lines are cut\n")
    assert "1,000 more characters" in text


def test_a_key_that_stands_partly_in_a_hunk_is_hidden_on_both_sides() -> None:
    body = [("aB3" + "xY7/" * 16)[:64] for _ in range(6)]
    key = ["-----BEGIN PRIVATE KEY-----", *body, "-----END PRIVATE KEY-----"]
    base = "\n".join([*key, "x = 1", ""])
    head = "\n".join([*key[:3], "aC4" + body[0][3:], *key[4:], "x = 1", ""])
    assert "xY7/xY7/" not in shown("a.txt", base, head)


def test_a_hunk_of_deletions_alone_at_the_top() -> None:
    file = FileChange("a.txt", Status.MODIFIED, hunks=(Hunk(1, 1, 0, 0, ("-gone",)),))
    assert (
        everything(page(file, Text("a.txt", ""))) == "modified; 1 of 1 changed lines shown here\n     -gone"
    )
