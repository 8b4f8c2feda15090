import json
import sys


def cut(ids, tokenizer, width, sink):
    for at in range(0, len(ids), width):
        window = ids[at : at + width]
        if len(window) < width:
            break
        sink.write(json.dumps({"text": tokenizer.decode(window)}) + "\n")


def usage():
    sys.exit("usage: cut_corpus.py --width N FILE")
