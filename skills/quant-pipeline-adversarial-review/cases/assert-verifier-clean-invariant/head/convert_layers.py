import torch


def split_heads(weight, heads):
    assert weight.shape[0] % heads == 0
    return weight.reshape(heads, -1, weight.shape[1])


def load_checkpoint(path):
    state = torch.load(path, map_location="cpu", weights_only=True)
    assert isinstance(state, dict)
    return state.get("model", state)


def gate_up(layer):
    gate, up = layer["gate_proj"], layer["up_proj"]
    assert gate.shape == up.shape
    return torch.cat([gate, up])
