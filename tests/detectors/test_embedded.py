"""Shell inside a workflow: every row on its own line, every hit led back to the words of the file."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.rehearse import splice
from reviewbot.core.types import (
    Candidate,
    Claim,
    DefectClass,
    Edit,
    Grade,
    Side,
    Skill,
    SkillOrigin,
    Text,
    Texts,
)
from reviewbot.core.verify import check
from reviewbot.detectors import DETECTORS
from reviewbot.detectors.bind import Binding, Bindings
from reviewbot.detectors.contract import Detector, Example, Hit
from reviewbot.detectors.embedded import FOLDED, TOO_MUCH, Block, blocks
from reviewbot.detectors.shell.facts import Facts
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.sweep import Sweep, scripts, sweep

PATH = ".github/workflows/ci.yml"
HEAD = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n"


def workflow(*steps: str) -> Text:
    """A workflow with one job; its first step begins in line 6."""
    rows = [f"      - {step}".replace("\n", "\n        ") for step in steps]
    return Text(PATH, HEAD + "\n".join(rows) + "\n")


def read(text: Text) -> list[Block]:
    return list(blocks(text).read)


def rows(text: Text) -> list[tuple[int, str]]:
    """(line, row) of what the detectors see, the `#!` lines left out."""
    return [(at, row) for block in read(text) for at, row in enumerate(block.text.lines, 1) if row and at > 1]


def swept(text: Text, *detectors: Detector) -> Sweep:
    skill = Skill("s", "", "SKILL.md", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", "c", ""),))
    bound = tuple(Binding(d, skill, skill.classes[0], ()) for d in detectors)
    return sweep(Bindings(bound, {text.path: bound}), Texts(Side.RIGHT, {text.path: text}))


def detector(finder: object) -> Detector:
    return Detector("d", "", {"shell": finder}, (), (), ())  # type: ignore[dict-item]


# --- where the rows stand ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("run: make all", [(6, "make all")]),
        ("run: 'echo ''hi'''", [(6, "echo 'hi'")]),
        ('run: "echo \\"hi\\""', [(6, 'echo "hi"')]),
        ("name: x\nrun: |\n  one\n\n    two\n  three", [(8, "one"), (10, "  two"), (11, "three")]),
        ("run: |-\n  one", [(7, "one")]),
        ("run: |2+\n    one\n  two\n\n", [(7, "  one"), (8, "two")]),
        ("run: |  # why\n\n  one", [(8, "one")]),
        ("run: >\n  one\n  --two\n\n  three", [(7, "one \\"), (8, "--two"), (10, "three")]),
        ("run: >-\n  one\n    kept\n  two", [(7, "one"), (8, "  kept"), (9, "two")]),
        ("run: one\n  --two\n  --three", [(6, "one \\"), (7, "--two \\"), (8, "--three")]),
        ("run: 'one\n  --two'", [(6, "one \\"), (7, "--two")]),
        ("run:\n  one", [(7, "one")]),
        ("run: ''", []),
        ("run:", []),
        ("run: |\n\n", []),
        ("uses: actions/checkout@v4", []),
    ],
)
def test_a_row_stands_in_the_line_that_it_has_in_the_file(step: str, expected: list[tuple[int, str]]):
    text = workflow(step)
    assert rows(text) == expected
    assert not blocks(text).unread


@pytest.mark.parametrize(
    "step",
    [
        "run: >\n  one # a comment\n  two",
        "run: >\n  echo 'one\n  two'",
        "run: >\n  cat <<E\n  two\n  E",
        'run: "one\\ntwo"',
        'run: "one\n  t\\x77o"',
    ],
)
def test_a_script_whose_lines_cannot_be_told_apart_is_named_and_not_read(step: str):
    found = swept(workflow("run: one", step), detector(hits_every_row))
    assert [c.site.quote for c in found.candidates] == ["      - run: one"]
    assert [(i.stage, i.what, i.why) for i in found.unparsed] == [
        ("detect", PATH, f"the `run:` of line 7 was not read: {FOLDED}")
    ]


def test_a_script_in_the_first_line_is_named_and_not_read():
    text = Text(PATH, '{"jobs": {"a": {"steps": [{"run": "make"}]}}}\n')
    assert blocks(text).unread == {FOLDED: [1]}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_of_yaml_that_are_none_for_git_move_no_line(end: str):
    content = HEAD.replace("push", "push # \x85\u2028") + "      - run: |\n          one\n          two\n"
    text = Text(PATH, content.replace("\n", end))
    assert rows(text) == [(7, "one"), (8, "two")]


@pytest.mark.parametrize(
    "steps", [["run: |\n  step\n" + "\n" * 30] * 400, ["run: |\n" + "  step\n" * 12_000] * 2]
)
def test_more_shell_than_anybody_writes_into_a_workflow_is_named(steps: list[str]):
    found = blocks(workflow(*steps))
    assert 0 < len(found.read) < len(steps)
    assert list(found.unread) == [TOO_MUCH]
    assert sum(len(block.text.lines) for block in found.read) <= 150_000


def test_the_rules_of_skills_see_the_same_scripts():
    text = workflow("run: |\n  one\n  ${{ a }}", "run: 'x\n  # y'\nshell: sh", "run: z\nshell: pwsh")
    found = scripts(text)
    assert [(s.file, s.text, s.start) for s in found.read] == [
        (text, block.text, block.within[0]) for block in read(text)
    ]
    assert found.read[0].shown(found.read[0].text.lines[7]) == "${{ a }}"
    assert [i.why for i in found.unread] == []
    assert found.foreign == {"pwsh": 1}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (workflow('run: "one\\ntwo"'), f"the `run:` of line 6 was not read: {FOLDED}"),
        (Text(PATH, "on: [\n"), "line 2 does not parse as YAML: did not find expected"),
    ],
)
def test_what_the_rules_of_skills_cannot_see_is_named_as_for_detectors(text: Text, why: str):
    found = scripts(text)
    assert (found.read, found.foreign) == ((), {})
    (unread,) = found.unread
    assert unread in swept(text, detector(hits_every_row)).unparsed
    assert unread.why.startswith(why)


# --- the shell --------------------------------------------------------------------------------


def test_the_first_line_says_the_options_of_the_shell():
    text = workflow(
        "run: one", "run: two\nshell: bash", "run: three\nshell: sh", "run: four\nshell: bash -x {0}"
    )
    assert [block.text.first_line for block in read(text)] == [
        "#!bash -e {0}",
        "#!bash --noprofile --norc -eo pipefail {0}",
        "#!sh -e {0}",
        "#!bash -x {0}",
    ]


def test_what_is_for_another_program_is_not_read_and_said():
    steps = [f"run: x\nshell: {name}" for name in ("pwsh", "python", "pwsh", "zsh {0}", "${{ a }}")]
    only, mixed = (
        swept(workflow(*steps), detector(hits_every_row)),
        swept(workflow("run: x", *steps), detector(hits_every_row)),
    )
    assert only.paths == set()
    assert mixed.paths == {PATH}
    assert only.foreign == mixed.foreign == {PATH: {"pwsh": 2, "python": 1, "zsh": 1, "another shell": 1}}
    assert only.unparsed == mixed.unparsed == ()


def test_a_workflow_without_a_script_has_been_looked_at():
    found = swept(workflow("uses: actions/checkout@v4"), detector(hits_every_row))
    assert (found.paths, [*found.looked.values()], found.candidates) == ({PATH}, [{PATH}], ())


def test_the_hunks_of_a_workflow_are_not_read():
    text = Text(PATH, "\n\n      - run: one\n", partial=True)
    found = swept(text, detector(hits_every_row)._replace(whole=False))
    assert (found.paths, found.candidates, found.unparsed) == (set(), (), ())


# --- expressions ------------------------------------------------------------------------------


def test_an_expression_is_a_word_of_the_same_length_and_the_same_one_twice():
    text = workflow("run: |\n  get ${{ inputs.model }} to x${{ a }}y\n  use ${{ inputs.model }}")
    (_, first), (_, second) = rows(text)
    assert "$" not in first + second
    assert first.split()[1] == second.split()[1]
    assert (len(first), len(first.split())) == (len("get ${{ inputs.model }} to x${{ a }}y"), 4)


@pytest.mark.parametrize(
    "expression", ["${{ x ||\n  y }}", "${{ format('}}', x) }}", "${{x}}", "${{ x ||\n\n  y }}"]
)
def test_a_command_with_an_expression_is_one_command(expression: str):
    (block,) = read(workflow(f"run: |\n  a {expression} b".replace("\n  y", "\n    y")))
    (command,) = ShellFile(block.text).commands
    assert (command.words[0], command.words[-1]) == ("a", "b")


def test_an_expression_that_never_ends_costs_nothing_and_stays():
    (block,) = read(workflow("run: |\n  a " + "${{ " * 20_000))
    assert "${{ ${{" in block.text.content


def test_what_is_said_of_an_expression_names_it():
    def says(file: ShellFile) -> Iterator[Hit]:
        (command,) = file.commands
        claims = (
            Claim("quote", f"it reads {command.words[1]}", file.path, command.words[1], command.line),
            Claim("count", "steps", file.path, r"\bget\b", expected=1),
            Claim("absent", "no line", file.path, "never"),
        )
        yield Hit(command.line, command.line, f"`{command.text[:12]}`", "c", "f", Grade.STRONG, claims=claims)

    text = workflow("run: get ${{ inputs.model }} now", "run: get never")
    (one, two) = swept(text, detector(says)).candidates
    assert one.failure == "`get ${{ inpu`"
    kept, rejected = check((one, two), Texts(Side.RIGHT, {PATH: text}))
    assert [r.detail for r in rejected] == ["no line: 1 line: 7"]
    assert [(r.kind, r.claim, r.ok) for r in kept[0].receipts[1:]] == [
        ("quote", "it reads ${{ inputs.model }}", True),
        ("count", "steps", True),
        ("absent", "no line", True),
    ]
    assert one.claims[0].pattern == "${{ inputs.model }}"


def test_what_the_shell_line_sets_is_claimed_of_the_line_that_names_the_shell():
    def says(file: ShellFile) -> Iterator[Hit]:
        claims = (
            Claim("quote", "Line 1 sets errexit.", file.path, file.text.first_line, 1),
            Claim("count", "errexit", file.path, r"^#!.*-\w*e|set -e", expected=2),
        )
        last = len(file.text.lines)
        yield Hit(last, last, "f", "c", "x", Grade.STRONG, claims=claims)

    text = workflow("run: |\n  set -e\n  one", "run: set -e\nshell: bash -e {0}")
    kept, rejected = check(swept(text, detector(says)).candidates, Texts(Side.RIGHT, {PATH: text}))
    assert rejected == []
    assert [[(r.claim, r.line) for r in k.receipts[1:]] for k in kept] == [
        [("errexit", None)],
        [("Line 10 has this block run by `bash -e {0}`.", 10), ("errexit", None)],
    ]


def test_an_option_that_is_not_set_is_claimed_of_the_shell_and_of_the_block():
    def says(file: ShellFile) -> Iterator[Hit]:
        *_, command = file.commands
        claims = tuple(Facts(file).options(command, "errexit", "pipefail"))
        yield Hit(command.line, command.line, "f", "c", "x", Grade.STRONG, claims=claims)

    text = workflow(
        "run: one", "run: two\nshell: bash {0}", "run: three\nshell: sh", "run: |\n  set -e\n  four"
    )
    kept, rejected = check(swept(text, detector(says)).candidates, Texts(Side.RIGHT, {PATH: text}))
    assert rejected == []
    default = "GitHub's default shell, `bash -e {0}`, sets errexit, not pipefail. "
    assert [[(r.kind, r.claim, r.line) for r in k.receipts[1:]] for k in kept] == [
        [("absent", f"{default}No line of this block sets pipefail.", None)],
        [
            ("quote", "Line 8 has this block run by `bash {0}`: without errexit.", 8),
            ("absent", "No line of this block sets errexit.", None),
            ("quote", "Line 8 has this block run by `bash {0}`: without pipefail.", 8),
            ("absent", "No line of this block sets pipefail.", None),
        ],
        [
            ("quote", "Line 10 has this block run by `sh -e {0}`.", 10),
            ("quote", "Line 10 has this block run by `sh -e {0}`: without pipefail.", 10),
            ("absent", "No line of this block sets pipefail.", None),
        ],
        [
            ("quote", "Line 12 sets errexit.", 12),
            ("absent", f"{default}No line of this block sets pipefail.", None),
        ],
    ]


# --- edits ------------------------------------------------------------------------------------


def guards_last_row(file: ShellFile) -> Iterator[Hit]:
    last = len(file.text.lines)
    edit = Edit(last, last, f"{file.text.lines[-1]} || exit 1\n\n  done")
    yield Hit(last, last, "f", "c", "x", Grade.STRONG, edit=edit)


def test_an_edit_of_a_literal_block_has_its_indentation_and_its_expressions():
    text = workflow("run: |\n  one\n    get ${{ inputs.model }}", "run: two")
    first, second = swept(text, detector(guards_last_row)).candidates
    assert first.edit is not None
    assert splice(text, first.edit).lines[7:11] == (
        "            get ${{ inputs.model }} || exit 1",
        "",
        "            done",
        "      - run: two",
    )
    assert second.edit is None


@pytest.mark.parametrize(
    "step",
    [
        "run: >\n  one\n  two",
        "run: one\n  two",
        "run: 'one'",
        "run: |\n  get ${{ a ||\n  b }}",
        "run: |\n  get ${{}}",
        "run: |\n  get Zq0000 ${{ inputs.model }}",
    ],
)
def test_no_edit_is_offered_where_it_could_not_be_written_back(step: str):
    (found,) = swept(workflow(step), detector(guards_last_row)).candidates
    assert found.edit is None


# --- properties -------------------------------------------------------------------------------


def hits_every_row(file: ShellFile) -> Iterator[Hit]:
    for at, row in enumerate(file.text.lines, 1):
        if at > 1 and row:
            yield Hit(at, at, row, "c", "x", Grade.STRONG, edit=Edit(at, at, row))


WORD = st.sampled_from(
    ["make", "--all", "${{ a.b }}", "${{ inputs.x || 'y' }}", '"$x"', "|", "&&", "é", "a: b"]
)
ROW = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
LITERAL = st.tuples(
    st.sampled_from(["|", "|-", "|+", ">", ">-"]),
    st.lists(st.one_of(ROW, st.just("")), max_size=6),
    st.integers(1, 4),
).map(lambda made: f"run: {made[0]}\n" + "\n".join(f"{' ' * made[2]}{row}" if row else "" for row in made[1]))
QUOTED = ROW.map(lambda row: f"run: '{row.replace(chr(39), chr(39) * 2)}'")
OTHER = st.sampled_from(["uses: actions/checkout@v4", "name: x\nenv:\n  A: b", "run: exit 1\nshell: pwsh"])
STEPS = st.lists(st.one_of(LITERAL, QUOTED, OTHER), min_size=1, max_size=6)


@given(STEPS, st.sampled_from(["\n", "\r\n"]))
def test_every_hit_quotes_its_line_and_no_row_is_lost(steps: list[str], end: str):
    text = workflow(*steps)
    text = Text(PATH, text.content.replace("\n", end))
    found = swept(text, detector(hits_every_row))
    assert (found.failures, found.unparsed) == ((), ())
    for candidate in found.candidates:
        assert candidate.site.quote == text.lines[candidate.site.start_line - 1]
        assert candidate.failure.removesuffix(" \\").replace("'", "") in candidate.site.quote.replace("'", "")
    written = [r for s in steps if not s.endswith("pwsh") for r in script_rows(s) if r.strip()]
    assert [c.failure.strip().removesuffix(" \\") for c in found.candidates] == written


def script_rows(step: str) -> list[str]:
    first, *below = step.split("\n")
    if not first.startswith("run:"):
        return []
    if first[5:6] in ("|", ">"):
        return [row.strip() for row in below]
    return [first[6:-1].replace("''", "'")]


@given(STEPS)
def test_an_edit_that_changes_nothing_changes_no_byte(steps: list[str]):
    text = workflow(*steps)
    for candidate in swept(text, detector(hits_every_row)).candidates:
        if candidate.edit:
            assert splice(text, candidate.edit) == text


@given(st.text(alphabet="ab: -|>'\"[]{}#&*!%\n${}\t", max_size=60))
def test_no_text_ends_in_a_traceback(content: str):
    found = swept(Text(PATH, f"jobs: {content}"), detector(hits_every_row))
    assert found.failures == ()


# --- the detectors of scripts, in a workflow ------------------------------------------------------

EXAMPLES = [
    pytest.param(detector, example, id=f"{detector.id}-{kind}-{number}")
    for detector in DETECTORS.values()
    if "shell" in detector.finders
    for kind, examples in (("bad", detector.bad), ("good", detector.good))
    for number, example in enumerate(examples)
    if example.path.endswith(".sh")
]


def in_workflow(example: Example) -> tuple[Text, int]:
    """The example as a block, run by its own shell, and how far its lines have moved."""
    first = example.code.split("\n")[0]
    shell = first[2:].strip() if first.startswith("#!") else "bash"
    step = f"shell: '{shell} {{0}}'\nrun: |2\n" + "\n".join(f"  {row}" for row in example.code.split("\n"))
    return workflow(step), 7


def found_in(text: Text, detector: Detector) -> tuple[Candidate, ...]:
    found = swept(text, detector)
    assert (found.failures, found.unparsed) == ((), ())
    return found.candidates


@pytest.mark.parametrize(("detector", "example"), EXAMPLES)
def test_an_example_of_a_script_is_found_in_a_block_too(detector: Detector, example: Example):
    text, offset = in_workflow(example)
    found = found_in(text, detector)
    assert [c.site.start_line - offset for c in found] == list(example.lines), example.why
    checked, rejected = check(found, Texts(Side.RIGHT, {PATH: text}))
    assert rejected == []
    assert len(checked) == len(found)
    for candidate in filter(lambda c: c.edit, found):
        mended = splice(text, candidate.edit)
        (block,) = read(mended)
        subprocess.run(["bash", "-n"], input=block.text.content.encode(), check=True, capture_output=True)
        assert len(found_in(mended, detector)) == len(found) - 1
