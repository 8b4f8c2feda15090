"""What repeated-tokenization reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        """\
def fill(pool, tokenizer, target):
    ids = []
    while len(ids) < target:
        for text in pool:
            ids += tokenizer.encode(text, add_special_tokens=False)
    return ids
""",
        "a pool that is gone over until there is enough: each pass encodes it again",
        lines=(5,),
        path="corpus.py",
    ),
    Example(
        """\
import itertools


def fill(fragments, tok, target):
    windows, at = [], 0
    for fragment in itertools.cycle(fragments):
        windows.append(tok(fragment)["input_ids"])
        if len(windows) >= target:
            break
    while len(windows) < 2 * target:
        windows.append(tok.encode(fragments[at % len(fragments)]))
        at += 1
    while len(windows) < 3 * target:
        row = fragments[at % len(fragments)]
        text = row.strip()
        windows.append(tok.encode(text))
        at += 1
    return windows
""",
        "round and round a pool, in three spellings",
        lines=(7, 11, 16),
        path="corpus.py",
    ),
    Example(
        """\
class Encoder:
    def encode(self, text):
        ids = {}
        for key in self.args.keys:
            ids[key] = Encoder.tokenizer.tokenize(text)
        return ids

    def batches(self, text):
        while not self.is_done():
            self.step()
            yield self.tokenizer(text)["input_ids"]
""",
        "the same text for every key (and every key gets the same ids)",
        lines=(5, 11),
        path="preprocess_data.py",
    ),
    Example(
        """\
def build(docs, choices, tok):
    rows = []
    for doc in docs:
        rows.append({"ids": tok.encode(doc["text"]), "choices": [tok.encode(c) for c in choices]})
    manifest = {"tokens": sum(len(tok.encode(d["text"])) for d in docs)}
    return rows, manifest
""",
        "the choices once for each document; the documents once more for a total",
        lines=(4, 5),
        path="corpus.py",
    ),
)

GOOD = (
    Example(
        """\
def fill(pool, tokenizer, target):
    encoded = [tokenizer.encode(text) for text in pool]
    ids = []
    while len(ids) < target:
        for piece in encoded:
            ids += piece
    return ids
""",
        "encoded once",
        path="corpus.py",
    ),
    Example(
        """\
def grow(tokenizer, words):
    text, ids = "", []
    messages = []
    for word in words:
        text += word
        messages.append({"role": "user", "content": word})
        ids.append((tokenizer.encode(text), tokenizer.apply_chat_template(messages)))
    return ids
""",
        "what is encoded grows in each turn",
        path="grow.py",
    ),
    Example(
        """\
def compare(names, text):
    for name in names:
        tokenizer = load(name)
        print(name, len(tokenizer.encode(text)))
    for tok in map(load, names):
        print(len(tok.encode(text)))
""",
        "another tokenizer in each turn",
        path="compare.py",
    ),
    Example(
        """\
def ids_of(texts, tok, cache, marker):
    first = None
    for at, text in enumerate(texts):
        if marker not in cache:
            cache[marker] = tok.encode(marker)
        if first is None:
            first = tok.encode(marker)
        if at == len(texts) - 1:
            yield tok.encode(marker)
        try:
            yield cache[text]
        except KeyError:
            yield tok.encode(marker)
""",
        "only where something is missing, or in one of the turns",
        path="cache.py",
    ),
    Example(
        """\
def read(path, loader, tok, prompts, epochs):
    with open(path) as file:
        for _ in range(epochs):
            for line in file:
                yield tok.encode(line)
    for _ in range(epochs):
        for batch in loader:
            yield tok(batch)
    rows = iter(prompts)
    while epochs:
        for row in rows:
            yield tok(row)
        epochs -= 1
""",
        "a file, a loader, an iterator: the second pass is another, or empty",
        path="read.py",
    ),
    Example(
        """\
def ask(client, tok, prompt):
    for attempt in range(5):
        ids = tok.encode(prompt)
        if client.send(ids):
            return True
    while True:
        ids = tok.encode(prompt)
        return client.send(ids)
""",
        "a second try after a failure, and a loop that has one turn",
        path="ask.py",
    ),
    Example(
        """\
def blobs(names, header):
    for name in names:
        yield header.encode("utf-8") + name.encode()
    for _ in names:
        yield get_tokenizer(header), Tokenizer(header)
""",
        "bytes of a string, and functions that make a tokenizer",
        path="blobs.py",
    ),
    Example(
        """\
def counts(texts, tok, exact):
    if exact:
        total = sum(len(tok.encode(t)) for t in texts)
    else:
        total = sum(len(tok.encode(t)) for t in texts[:10]) * len(texts) / 10
    texts = [t.strip() for t in texts]
    return total, [tok.encode(t) for t in texts]
""",
        "other texts by the second pass, and branches that exclude each other",
        path="counts.py",
    ),
    Example(
        """\
def augment(tok, text, n):
    return [tok.encode(text, enable_sampling=True, alpha=0.1) for _ in range(n)]
""",
        "a tokenizer that samples cuts the same text in other ways",
        path="augment.py",
    ),
    Example(
        """\
def roll(model, self, tok):
    for _ in range(3):
        self.step()
        prompt = model.answer()
        yield tok.encode(self.prompt), tok.encode(prompt), tok.encode(model.next_text())
""",
        "what a method may have changed, and what a call returns",
        path="roll.py",
    ),
)
