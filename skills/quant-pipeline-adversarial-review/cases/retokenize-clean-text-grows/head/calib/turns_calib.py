def prefixes(conversation, tokenizer, limit):
    """The token count after each turn."""
    text, counts = "", []
    for turn in conversation["turns"]:
        text += f"<{turn['role']}>{turn['content']}\n"
        ids = tokenizer.encode(text)
        if len(ids) > limit:
            break
        counts.append(len(ids))
    return counts
