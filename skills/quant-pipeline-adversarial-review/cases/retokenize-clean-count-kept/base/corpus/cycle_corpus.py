from itertools import cycle


def fill(texts, tokenizer, budget):
    out, total = [], 0
    for text in cycle(texts):
        ids = tokenizer.encode(text)
        out.append(ids)
        total += len(ids)
        if total >= budget:
            return out, total
