"""What length-only-identity reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        """\
import json


def rechunk(rows, tok, width, out):
    for row in rows:
        ids = row["ids"]
        for at in range(0, len(ids), width):
            window = ids[at : at + width]
            assert len(window) <= width
            out.write(json.dumps({"content": tok.decode(window)}) + "\\n")
""",
        "the windows are counted; whether their text gives the same ids again is not looked at",
        lines=(10,),
        path="rechunk_corpus.py",
    ),
    Example(
        """\
def check_windows(windows, tokenizer, sink):
    for window in windows:
        text = tokenizer.decode(window)
        again = tokenizer.encode(text, add_special_tokens=False)
        if len(again) != len(window):
            raise ValueError("tokens in, tokens out")
        sink.append(text)
""",
        "encoded again, and only the lengths compared",
        lines=(3,),
        path="rechunk.py",
    ),
    Example(
        """\
async def drive(client, tokenizer, conversations, limit):
    for conversation in conversations:
        ids = tokenizer.apply_chat_template(conversation)
        n = len(ids)
        if n > limit:
            continue
        prompt = tokenizer.decode(ids[1:])
        await client.completions.create(prompt=prompt, max_tokens=1)
""",
        "the server encodes the text anew, and the length was checked before",
        lines=(7,),
        path="drive.py",
    ),
    Example(
        """\
import random


class Sampler:
    def sample(self, lengths):
        requests = []
        for length in lengths:
            ids = [random.randrange(self.size) for _ in range(length)]
            requests.append(Request(prompt=self.tokenizer.decode(ids), prompt_len=length))
        return requests
""",
        "the request claims a length that its text need not have",
        lines=(9,),
        path="sample_requests.py",
    ),
)

GOOD = (
    Example(
        """\
def rechunk(windows, tok, width, out):
    for window in windows:
        assert len(window) <= width
        text = tok.decode(window)
        if tok.encode(text, add_special_tokens=False) != window:
            raise ValueError(f"not the same tokens: {text!r}")
        out.write(text)
""",
        "encoded again and compared",
        path="rechunk.py",
    ),
    Example(
        """\
def rechunk(windows, tokenizer, width, out):
    for window in windows:
        if len(window) != width:
            raise ValueError(width)
        text = tokenizer.decode(window)
        again = tokenizer(text, return_tensors="pt").input_ids[0]
        if not torch.equal(again, window):
            raise ValueError(f"not the same tokens: {text!r}")
        out.write(text)
""",
        "compared as whole tensors",
        path="rechunk.py",
    ),
    Example(
        """\
def rechunk(windows, tok, width, out):
    for window in windows:
        assert len(window) <= width
        text = tok.decode(window)
        verify_same_tokens(tok, text, window)
        out.write(text)
""",
        "given to a function that verifies",
        path="rechunk.py",
    ),
    Example(
        """\
def score(model, tokenizer, prompts, rows):
    for prompt in prompts:
        inputs = tokenizer(prompt, return_tensors="pt")
        output = model.generate(**inputs)
        new = output[0][len(inputs) :]
        assert len(new) > 2
        rows.append({"answer": tokenizer.decode(new), "n_tokens": len(new)})
""",
        "what the model said is text from then on",
        path="score.py",
    ),
    Example(
        """\
def preview(rows, tok, log):
    for row in rows:
        if len(row) > 128:
            log.info("row: %s", tok.decode(row[:128]))
""",
        "shown, not handed on",
        path="preview.py",
    ),
    Example(
        """\
def names(ids, tok, table):
    assert len(ids) < 100
    for token_id in ids:
        table.append(tok.decode([token_id]))
""",
        "one id has no boundary to move",
        path="names.py",
    ),
    Example(
        """\
class Wrapper:
    def decode_batch(self, ids, out):
        if len(ids) == 2:
            out.append(self.tokenizer.decode(ids))
""",
        "a function whose work it is to decode",
        path="wrapper.py",
    ),
    Example(
        """\
def copy(blobs, out, token):
    for blob in blobs:
        if len(blob) < 10:
            out.write(blob.decode("utf-8") + token.decode())
""",
        "bytes, not tokens",
        path="copy.py",
    ),
    Example(
        """\
def write(windows, tok, out):
    for window in windows:
        if len(window) == 0:
            continue
        out.write(tok.decode(window))
""",
        "nothing is claimed of the ids: whether there are any says nothing about which",
        path="write.py",
    ),
    Example(
        """\
def clip(rows, tok, most, out):
    for row in rows:
        ids = tok(row)["input_ids"]
        if len(ids) > most:
            row = tok.decode(ids[: most // 2] + ids[-most // 2 :])
        out.append(row)
""",
        "too long a text is cut in the middle: nobody says which ids it is",
        path="clip.py",
    ),
    Example(
        """\
def clip(rows, tok, most, out):
    for row in rows:
        ids = tok(row)["input_ids"]
        if len(ids) > most:
            out.append(tok.decode(ids[:most]) + tok.decode(ids[-most:]))
        else:
            out.append(tok.decode(ids))
""",
        "cut in one branch, as it was in the other",
        path="clip.py",
    ),
    Example(
        """\
def sample(tok, ids, n, requests):
    prompt = tok.decode(ids)
    again = tok.encode(prompt, add_special_tokens=False)[:n]
    prompt = tok.decode(again)
    requests.append(Request(prompt=prompt, prompt_len=len(again)))
""",
        "encoded again, and that number is the one handed on",
        path="sample.py",
    ),
    Example(
        """\
def dump_rows(rows, tok, out):
    for row in rows:
        out.write(json.dumps({"num_tokens": len(row.ids), "text": tok.decode(row.ids)}))
""",
        "a dump is for people",
        path="buffer.py",
    ),
    Example(
        """\
def questions(rows, tok, width, out):
    for row in rows:
        ids = tok.encode(row)
        starts = range(2, len(ids) - width) if len(ids) > width else [2]
        if len(ids) > 1000:
            starts = starts[:100]
        for at in starts:
            out.append({"prompt": tok.decode(ids[:at]), "wanted": tok.decode(ids[at : at + width])})
""",
        "how many there are decides where to cut; text is compared with text later",
        path="questions.py",
    ),
)
