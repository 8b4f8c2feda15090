def count(texts, tokenizer):
    return sum(len(tokenizer.encode(text)) for text in texts)


def table(texts, tokenizers):
    """Name -> tokens, for the models that share a corpus."""
    totals = {}
    for name, tokenizer in tokenizers.items():
        tokens = 0
        for text in texts:
            tokens += len(tokenizer.encode(text, add_special_tokens=False))
        totals[name] = tokens
    return totals
