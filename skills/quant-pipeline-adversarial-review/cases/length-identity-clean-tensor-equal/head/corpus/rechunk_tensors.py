import torch


def emit(windows, tokenizer, width, sink):
    for number, ids in enumerate(windows):
        if len(ids) != width:
            raise ValueError(f"window {number} has {len(ids)} tokens, not {width}")
        text = tokenizer.decode(ids)
        again = tokenizer(text, add_special_tokens=False, return_tensors="pt").input_ids[0]
        if not torch.equal(again, ids):
            raise ValueError(f"window {number}: other tokens after encoding again")
        sink.write(text + "\x00")
