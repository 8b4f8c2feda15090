import json


def texts(lines):
    for line in lines:
        if "text" in line:
            yield json.loads(line)["text"]
