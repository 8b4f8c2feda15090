import json


def rechunk(dialogs, tokenizer, limit, out):
    for dialog in dialogs:
        ids = tokenizer.apply_chat_template(dialog["turns"])
        if len(ids) > limit:
            ids = ids[:limit]
        text = tokenizer.decode(ids)
        out.write(json.dumps({"text": text, "tokens": len(ids)}) + "\n")
