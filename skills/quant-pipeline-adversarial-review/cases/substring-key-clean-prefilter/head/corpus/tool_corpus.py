import json


def tool_calls(path):
    with open(path) as source:
        for line in source:
            if "tool_calls" not in line:
                continue
            row = json.loads(line)
            for call in row.get("tool_calls") or ():
                yield call["name"]


def is_code(text):
    return "```" in text or "def " in text
