import json


class BoundaryError(ValueError):
    pass


def pieces(document, tokenizer, length):
    ids = tokenizer.encode(document["body"], add_special_tokens=False)
    for at in range(0, len(ids), length):
        yield ids[at : at + length]


def emit(document, tokenizer, length, sink):
    for piece in pieces(document, tokenizer, length):
        text = tokenizer.decode(piece)
        again = tokenizer.encode(text, add_special_tokens=False)
        if len(again) != len(piece):
            raise BoundaryError(f"{document['id']}: {len(again)} tokens, not {len(piece)}")
        sink.write(json.dumps({"id": document["id"], "text": text}) + "\n")
