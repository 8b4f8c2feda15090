def prompts(rows):
    for line in rows:
        yield line["prompt"]
