"""repeated-tokenization: what is the same in each turn of a loop, and what may not be."""

from __future__ import annotations

import pytest

from reviewbot.core.types import DefectClass, Grade, Severity, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.python import PythonFile
from reviewbot.detectors.repeated_tokenization import DETECTOR, find


def hits(code: str, path: str = "corpus.py") -> list[Hit]:
    return list(find(PythonFile(Text(path, code))))


def loop(body: str, head: str = "for row in rows:") -> str:
    return f"def f(rows, tok, text, self, seen):\n    {head}\n        {body}\n"


def test_the_call_and_the_loop_are_named_and_the_loop_is_quoted():
    (hit,) = hits(loop("ids = tok.encode(text)"))
    assert (hit.start_line, hit.line, hit.grade) == (3, 3, Grade.STRONG)
    assert hit.failure == "`tok.encode(text)` gives the same ids in each turn of the loop at line 2."
    assert [(c.kind, c.line, c.pattern) for c in hit.claims] == [("quote", 2, "for row in rows:")]


def test_a_second_pass_names_the_first():
    code = "def f(docs, tok):\n    a = [tok(d) for d in docs]\n    return a, sum(len(tok(x)) for x in docs)\n"
    (hit,) = hits(code)
    assert hit.failure == "`tok(x)` makes ids that line 2 has made of the same texts."
    assert [(c.line, c.pattern) for c in hit.claims] == [(2, "a = [tok(d) for d in docs]")]


def test_a_second_pass_in_each_turn_names_the_ids_that_are_there_already():
    code = "def f(choices, rows, tok):\n    ids = [tok(c) for c in choices]\n    for row in rows:\n"
    (hit,) = hits(code + "        row.ask([tok(c) for c in choices])\n    return ids\n")
    assert hit.failure == (
        "`tok(c)` gives the same ids in each turn of the loop at line 3, and line 2 has made them already."
    )
    assert hit.fix == "Use the ids that line 2 has made."
    assert [claim.line for claim in hit.claims] == [3, 2]


@pytest.mark.parametrize(
    ("call", "is_brief"),
    [
        ("tok.encode('<extra_id_1>')", True),
        ("tok.encode(PREFIX_STR)", True),
        ("tok.encode(self.PREFIX, add_special_tokens=False)", True),
        ("tok.encode(text)", False),
        ("tok(text, padding=True)", False),
    ],
)
def test_the_cost_of_a_constant_is_not_that_of_a_corpus(call: str, is_brief: bool):
    (hit,) = hits(loop(f"ids = {call}"))
    assert ("microseconds" in hit.cost, "hours" in hit.cost) == (is_brief, not is_brief)


def test_it_is_never_worse_than_a_note():
    assert DETECTOR.ceiling is Severity.NOTE


@pytest.mark.parametrize(
    "call",
    [
        "tok.encode(text)",
        "tok(text, truncation=True)",
        "self.tokenizer(text)",
        "self.model.tokenizer.apply_chat_template([{'role': 'user', 'content': text}])",
        "hf_tokenizer.encode_plus(text.strip())",
        "tokenizer_2.tokenize(f'{text}: ')",
        "enc.encode(text)",
        "[tok(t) for t in text]",
        "[tok(text) for _ in row]",
    ],
)
def test_calls_that_tokenize(call: str):
    assert [hit.start_line for hit in hits(loop(f"self.out[row] = {call}"))] == [3]


@pytest.mark.parametrize(
    "call",
    [
        "text.encode('utf-8')",
        "token.encode()",
        "get_tokenizer(text)",
        "Tokenizer(text)",
        "load_tok(text)",
        "tok.decode(text)",
        "enc(text)",
        "tok()",
        "tok.encode(row)",
        "tok.encode(read(text))",
        "tok.encode(next(text))",
        "tok.encode(text := row)",
        "run(lambda: tok.encode(text))",
    ],
)
def test_calls_that_do_not_or_not_the_same(call: str):
    assert hits(loop(f"self.out[row] = {call}")) == []


@pytest.mark.parametrize(
    "body",
    [
        "text += row; x = tok.encode(text)",
        "text.append(row); x = tok.encode(text)",
        "text[0] = row; x = tok.encode(text)",
        "update(text); x = tok.encode(text)",
        "self.text = row; x = tok.encode(self.text)",
        "self.step(); x = tok.encode(self.text)",
        "x = self.step(); x = tok.encode(self.text)",
        "tok.padding_side = row; x = tok.encode(text)",
        "tok.add_tokens(row); x = tok.encode(text)",
        "tok = row; x = tok.encode(text)",
        "del text; x = tok.encode(text)",
        "for text in row: x = tok.encode(text)",
        "if row > 2: x = tok.encode(text)",
        "x = tok.encode(text) if row else None",
        "if check(): x = tok.encode(text)",
        "x = tok.encode(text); break",
        "x, text = row; x = tok.encode(text)",
        "x = tok.encode(text.get())",
        "x = seen.step(); x = tok.encode(seen.text)",
        "x = row and tok.encode(text)",
        "try: x = row() \nexcept E as text: pass; x = tok.encode(text)",
        "with row as text: x = tok.encode(text)",
        "match row:\n    case [text]: x = tok.encode(text)",
        "match row:\n    case 1: x = tok.encode(text)",
    ],
)
def test_what_changes_in_a_turn_is_not_the_same(body: str):
    assert hits(loop(body.replace("; ", "\n").replace("\n", "\n        "))) == []


def test_what_the_condition_of_a_loop_sets_is_not_the_same():
    assert hits(loop("x = tok.encode(text)", "while text := rows.readline():")) == []


@pytest.mark.parametrize(
    "body",
    [
        "print(text); x = tok.encode(text)",
        "log.info(text); x = tok.encode(text)",
        "seen.append(text); x = tok.encode(text)",
        "self.text = row; x = tok.encode(text)",
        "if self.verbose: x = tok.encode(text)",
        "if row is None: continue; x = tok.encode(text)",
        "for part in text: x = tok.encode(part)",
        "for i, part in enumerate(text): x = tok.encode(part['a'])",
        "for part in text: x = part.strip(); seen[row] = tok.encode(x)",
        "for key, part in text.items(): x = tok.encode(part)",
    ],
)
def test_what_does_not_touch_the_text_leaves_it_the_same(body: str):
    lines = body.replace(": x = ", ":\n            x = ").replace("strip(); ", "strip()\n            ")
    assert len(hits(loop(lines.replace("; ", "\n        ")))) == 1


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("while len(seen) < 9:", True),
        ("async for row in rows:", True),
        ("for row in range(3):", True),
        ("for attempt in range(3):", False),
        ("for _ in range(self.max_retries):", False),
        ("while tries < 3:", False),
    ],
)
def test_loops_that_come_round_only_after_a_failure_are_left_alone(head: str, found: bool):
    code = loop("x = tok.encode(text)", head)
    assert len(hits(code.replace("def", "async def") if "async" in head else code)) == found


@pytest.mark.parametrize("pool", ["loader", "stream", "rows_iter", "batches", "queue", "dataset", "f"])
def test_what_may_give_something_else_the_second_time_is_no_pool(pool: str):
    assert hits(f"def g(tok, {pool}):\n    while 1:\n        for x in {pool}:\n            tok(x)\n") == []
    code = (
        f"def g(tok, p):\n    {pool} = open(p)\n    while 1:\n        for x in {pool}:\n            tok(x)\n"
    )
    assert hits(code) == []


@pytest.mark.parametrize(
    "second",
    [
        "tok.encode(d, truncation=True)",
        "tok.encode(d['a'])",
        "tok.encode(d + 'x')",
        "tok.tokenize(d)",
        "other_tok.encode(d)",
        "tok.encode(prompt)",
    ],
)
def test_a_second_pass_that_makes_other_ids_is_none(second: str):
    code = "def f(docs, tok):\n    a = [tok.encode(d) for d in docs]\n    return a, [{} for d in docs]\n"
    assert len(hits(code.format("tok.encode(d)"))) == 1
    assert [h for h in hits(code.format(second)) if "line 2 has made" in h.failure] == []


def test_a_test_file_is_left_alone():
    assert hits(loop("tok.encode(text)"), "tests/test_tok.py") == []


@pytest.mark.parametrize(
    "title",
    [
        "Tokenizing inside a loop",
        "Prompts re-tokenised on every pass",
        "Repeated tokenization",
        "The same documents are tokenized again and again",
    ],
)
def test_it_speaks_for_classes_of_unknown_skills(title: str):
    skill = Skill("s", "", "", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert bind(skill, [DETECTOR])


@pytest.mark.parametrize("title", ["Encoding of video in a loop", "Tokens in the log", "An endless loop"])
def test_it_does_not_speak_for_others(title: str):
    skill = Skill("s", "", "", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert bind(skill, [DETECTOR]) == ()


@pytest.mark.parametrize(
    "code",
    [
        loop("x = tok" + ".a" * 900 + ".encode(text)"),
        loop("x = tok.encode(text" + " + text" * 900 + ")"),
        loop("x = tok.encode(" + "text[" * 90 + "0" + "]" * 90 + ")"),
        "def f(rows, tok, text):\n"
        + "".join(f"{' ' * n}for a{n} in rows:\n" for n in range(1, 90))
        + " " * 91
        + "tok(text)\n",
        "def f(rows, tok, text):\n for row in rows:\n"
        + "  x = tok.encode(row)\n  y = tok.encode(z)\n" * 2000,
        "def f(rows, tok):\n" + " x = [tok.encode(r) for r in rows]\n" * 1500,
    ],
    ids=["attributes", "sum", "subscripts", "nested", "many calls", "many passes"],
)
def test_hostile_modules_are_read(code: str):
    hits(code)


FIRST = """\
def f(tokenizer, texts, header):
    first = True
    for t in texts:
        if first:
            head = tokenizer.encode(header)
            {}
        use(head, t)
"""


def test_a_branch_that_clears_its_own_flag_runs_once():
    assert hits(FIRST.format("first = False")) == []
    assert hits(FIRST.format("pass"))
