import json
import sys
import urllib.request


def get(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return json.load(answer)


def main(url, model, out):
    running = get(f"{url}/v1/models")["data"][0]["id"]
    if running != model:
        raise SystemExit(f"asked for {model}, the server runs {running}")
    numbers = get(f"{url}/metrics.json")
    with open(f"{out}/{running.replace('/', '--')}.json", "x") as file:
        json.dump({"model": running, **numbers}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
