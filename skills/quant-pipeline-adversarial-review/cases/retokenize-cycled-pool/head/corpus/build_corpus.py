import json


def build(pool, tokenizer, budget, sink):
    """Write pieces of `pool`, over and over, until there are `budget` tokens."""
    total = 0
    while total < budget:
        for text in pool:
            ids = tokenizer.encode(text, add_special_tokens=False)
            sink.write(json.dumps({"ids": ids}) + "\n")
            total += len(ids)
            if total >= budget:
                break
    return total
