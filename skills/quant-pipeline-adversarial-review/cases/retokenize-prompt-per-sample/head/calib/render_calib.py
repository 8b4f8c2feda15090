def render(rows, tokenizer, system_prompt, width):
    rendered = []
    for row in rows:
        prefix = tokenizer(system_prompt, add_special_tokens=False)["input_ids"]
        body = tokenizer(row["question"], add_special_tokens=False)["input_ids"]
        ids = [tokenizer.bos_token_id, *prefix, *body]
        if len(ids) <= width:
            rendered.append(ids)
    return rendered
