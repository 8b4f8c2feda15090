"""Drive a calibration corpus through a server that records its activations."""

import argparse
import json
import urllib.request


def send(url, text):
    body = json.dumps({"prompt": text, "max_tokens": 1}).encode()
    request = urllib.request.Request(f"{url}/v1/completions", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as answer:
        answer.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("corpus")
    args = parser.parse_args()
    with open(args.corpus) as source:
        texts = [json.loads(line)["text"] for line in source]
    for number in range(args.rounds):
        for text in texts:
            send(args.url, text)
        print(f"round {number + 1} of {args.rounds} done", flush=True)


if __name__ == "__main__":
    main()
