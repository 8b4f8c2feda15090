import json


def bodies(dump):
    for raw in dump:
        row = json.loads(raw)
        if row.get("body") is None:
            continue
        yield row["body"]
