async def push(client, url, prompt, timeout):
    answer = await client.post(url, json={"prompt": prompt, "max_tokens": 1}, timeout=timeout)
    answer.raise_for_status()
    return answer.json()["usage"]["prompt_tokens"]
