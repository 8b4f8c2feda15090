import json


def make(texts, tok, out, manifest):
    for text in texts:
        ids = tok.encode(text)
        out.write(json.dumps(ids) + "\n")
    total = sum(len(tok.encode(text)) for text in texts)
    manifest.write(json.dumps({"documents": len(texts), "tokens": total}))
