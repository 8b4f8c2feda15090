async def push(client, url, prompt, timeout):
    answer = await client.post(url, json={"prompt": prompt, "max_tokens": 1}, timeout=timeout)
    answer.raise_for_status()
    return answer.json()["usage"]["prompt_tokens"]


async def push_prefix(client, url, tok, ids, keep, timeout=600):
    """Send the first `keep` tokens of a conversation."""
    prefix = ids[:keep]
    body = {"prompt": tok.decode(prefix), "max_tokens": 1}
    answer = await client.post(url, json=body, timeout=timeout)
    answer.raise_for_status()
    seen = answer.json()["usage"]["prompt_tokens"]
    if seen != len(prefix):
        raise RuntimeError(f"sent {len(prefix)} tokens, the server counted {seen}")
    return seen
