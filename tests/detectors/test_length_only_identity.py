"""length-only-identity: ids that leave as text, and what is known of them then."""

from __future__ import annotations

import pytest

from reviewbot.core.types import DefectClass, Grade, Skill, SkillOrigin, Text
from reviewbot.detectors.bind import bind
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.length_only_identity import DETECTOR, find
from reviewbot.detectors.python import PythonFile


def hits(code: str, path: str = "rechunk.py") -> list[Hit]:
    return list(find(PythonFile(Text(path, code))))


def decoding(*body: str) -> str:
    return "def f(ids, tok, out, n):\n" + "".join(f"    {line}\n" for line in body)


COUNTED = "assert len(ids) == n"
WRITTEN = "out.write(text)"
TEXT = "text = tok.decode(ids)"


def test_it_is_a_hint_with_the_line_of_the_count():
    (hit,) = hits(decoding(COUNTED, TEXT, WRITTEN))
    assert (hit.start_line, hit.line, hit.grade) == (3, 3, Grade.HINT)
    assert "`tok.decode(ids)` hands token ids on as text" in hit.failure
    assert "(line 2)" in hit.failure
    assert [(c.kind, c.line, c.pattern) for c in hit.claims] == [("quote", 2, COUNTED)]


def test_the_count_nearest_to_the_call_is_named_and_further_calls_are_further_places():
    (hit,) = hits(
        decoding("if len(ids) > 9: return", COUNTED, TEXT, WRITTEN, "out.write(tok.decode(ids[1:]))")
    )
    assert hit.claims[0].line == 3
    assert hit.also == ((6, 6),)


@pytest.mark.parametrize(
    "body",
    [
        ("k = len(ids)", "if k > n: raise ValueError(k)", TEXT, WRITTEN),
        (
            "for window in ids:",
            "    if len(window) > n: raise ValueError",
            "    out.write(tok.decode(window))",
        ),
        (COUNTED, "out.write(json.dumps({'text': tok.decode(ids)}))"),
        (COUNTED, TEXT, "row = {'content': text}", "json.dump(row, out)"),
        (TEXT, "out.append(Request(prompt=text, prompt_len=len(ids)))"),
        (TEXT, "rows = {'text': text, 'n_tokens': len(ids)}", "out.append(rows)"),
        (COUNTED, "send(prompt=tok.decode(ids))"),
        (TEXT, "assert len(tok.encode(text)) == len(ids)", WRITTEN),
        (COUNTED, "out.extend(tok.batch_decode(ids))"),
    ],
)
def test_ids_that_are_only_counted(body: tuple[str, ...]):
    assert len(hits(decoding(*body))) == 1


@pytest.mark.parametrize(
    "body",
    [
        (TEXT, WRITTEN),
        (COUNTED, TEXT, "print(text)"),
        (COUNTED, TEXT, "return text"),
        (COUNTED, TEXT, "out.write(str(len(text)))"),
        (COUNTED, TEXT, "if tok.encode(text) != ids: raise ValueError", WRITTEN),
        (COUNTED, TEXT, "again = tok(text)['input_ids']", "assert again == ids", WRITTEN),
        (COUNTED, TEXT, "again = tok(text)", "torch.testing.assert_equal(again, ids)", WRITTEN),
        (COUNTED, TEXT, "check_round_trip(text, ids)", WRITTEN),
        ("ids = model.generate(n)", COUNTED, TEXT, WRITTEN),
        ("ids = logits.argmax(-1)", COUNTED, TEXT, WRITTEN),
        ("if len(ids) == 0: return", TEXT, WRITTEN),
        ("assert len(out) == n", "text = tok.decode(tok.encode('a'))", WRITTEN),
        (COUNTED, "out.write(ids.decode('utf-8'))"),
        ("assert len(ids) == n", "out.write(tok.decode([token_id]))"),
    ],
)
def test_what_is_compared_generated_or_not_handed_on(body: tuple[str, ...]):
    assert hits(decoding(*body)) == []


def test_a_test_file_is_left_alone():
    assert hits(decoding(COUNTED, TEXT, WRITTEN), "tests/test_rechunk.py") == []


@pytest.mark.parametrize(
    "title",
    [
        "Same tokens claimed from equal counts",
        "Token identity checked by length alone",
        "Identity asserted from the number of ids",
    ],
)
def test_it_speaks_for_classes_of_unknown_skills(title: str):
    skill = Skill("s", "", "", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert bind(skill, [DETECTOR])


@pytest.mark.parametrize("title", ["Token leaked in a log", "Zero exit with no artifact", "Length checks"])
def test_it_does_not_speak_for_others(title: str):
    skill = Skill("s", "", "", SkillOrigin.PATH, "0", classes=(DefectClass(1, "c", title, ""),))
    assert bind(skill, [DETECTOR]) == ()


@pytest.mark.parametrize(
    "code",
    [
        decoding(COUNTED, *["text = tok.decode(ids)", "out.write(text)"] * 1000),
        decoding(COUNTED, *[f"a{n} = a{n - 1} + ids" for n in range(2000)], "out.write(tok.decode(a1999))"),
        decoding(COUNTED, "out.write(tok.decode(ids" + " + ids" * 900 + "))"),
        decoding(COUNTED, *[f"t{n} = tok.decode(ids)\n    out.write(t{n})" for n in range(2000)]),
    ],
    ids=["many calls", "long chain", "sum", "many texts"],
)
def test_hostile_modules_are_read(code: str):
    hits(code)
