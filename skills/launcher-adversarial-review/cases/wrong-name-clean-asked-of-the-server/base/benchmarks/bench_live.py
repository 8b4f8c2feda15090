import json
import sys
import urllib.request


def main(url, model, out):
    with urllib.request.urlopen(f"{url}/metrics.json", timeout=30) as answer:
        numbers = json.load(answer)
    with open(f"{out}/{model}.json", "w") as file:
        json.dump({"model": model, **numbers}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
