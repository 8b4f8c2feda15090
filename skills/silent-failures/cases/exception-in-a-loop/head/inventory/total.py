"""The total of all stock files."""

import json


def stock(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["items"]


def total(paths):
    count = 0
    for path in paths:
        try:
            count += sum(item["count"] for item in stock(path))
        except:
            continue
    return count
