from itertools import cycle


def fill(texts, tokenizer, budget):
    pool = [tokenizer.encode(text) for text in texts]
    if not any(pool):
        raise ValueError("a pool without a token")
    out, total = [], 0
    for ids in cycle(pool):
        out.append(ids)
        total += len(ids)
        if total >= budget:
            return out, total
