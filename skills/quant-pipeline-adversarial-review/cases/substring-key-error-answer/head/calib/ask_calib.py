def ask(session, url, prompt):
    answer = session.post(url, json={"prompt": prompt}, timeout=120)
    answer.raise_for_status()
    if "error" in answer.text:
        raise RuntimeError(answer.json()["error"])
    return answer.json()["choices"][0]["text"]
