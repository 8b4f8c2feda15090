def count(texts, tokenizer):
    return sum(len(tokenizer.encode(text)) for text in texts)
