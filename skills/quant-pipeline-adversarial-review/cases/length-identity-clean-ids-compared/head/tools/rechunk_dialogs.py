import json


def rechunk(dialogs, tokenizer, limit, out):
    for number, dialog in enumerate(dialogs):
        ids = tokenizer.apply_chat_template(dialog["turns"])
        if len(ids) > limit:
            ids = ids[:limit]
        text = tokenizer.decode(ids)
        restored = tokenizer.encode(text, add_special_tokens=False)
        if restored != ids:
            first = next((i for i, (a, b) in enumerate(zip(ids, restored)) if a != b), len(restored))
            raise ValueError(f"dialog {number}: token {first} is another one after encoding again")
        out.write(json.dumps({"text": text, "tokens": len(ids)}) + "\n")
