import json


def prompts(file):
    for line in map(json.loads, file):
        if "prompt" in line:
            yield line["prompt"]
        elif "question" in line:
            yield f"Q: {line['question']}\nA:"
