import json


def conversations(path):
    with open(path, encoding="utf-8") as source:
        for line in source:
            if "messages" in line:
                turns = json.loads(line)["messages"]
                yield [(turn["role"], turn["content"]) for turn in turns]


def write(paths, sink):
    for path in paths:
        for turns in conversations(path):
            sink.write(json.dumps(turns) + "\n")
