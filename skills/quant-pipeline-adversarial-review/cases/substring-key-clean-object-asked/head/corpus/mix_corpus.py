import json


def texts(lines):
    for number, line in enumerate(lines, 1):
        row = json.loads(line)
        if not isinstance(row, dict) or "text" not in row:
            raise ValueError(f"line {number} has no text")
        yield row["text"]
