import json


def make(texts, tok, out, manifest):
    for text in texts:
        ids = tok.encode(text)
        out.write(json.dumps(ids) + "\n")
    manifest.write(json.dumps({"documents": len(texts)}))
