import json


def bodies(dump):
    for raw in dump:
        if '"body":' not in raw:
            continue
        row = json.loads(raw)
        yield row["body"]
