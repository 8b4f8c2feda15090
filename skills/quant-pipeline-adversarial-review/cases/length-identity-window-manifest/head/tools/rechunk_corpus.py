"""Cut a tokenized corpus into windows for calibration."""

import argparse
import json

from transformers import AutoTokenizer


def windows(rows, width):
    for row in rows:
        ids = row["ids"]
        for start in range(0, len(ids) - width + 1, width):
            yield ids[start : start + width]


def write(rows, tokenizer, width, path):
    total = 0
    with open(path, "w") as sink:
        for window in windows(rows, width):
            if len(window) != width:
                raise ValueError(f"window of {len(window)} tokens, expected {width}")
            text = tokenizer.decode(window)
            sink.write(json.dumps({"text": text, "n_tokens": len(window)}) + "\n")
            total += len(window)
    return total


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--width", type=int, default=2048)
    parser.add_argument("ids")
    parser.add_argument("out")
    args = parser.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    with open(args.ids) as source:
        print(write(map(json.loads, source), tokenizer, args.width, args.out), "tokens")
