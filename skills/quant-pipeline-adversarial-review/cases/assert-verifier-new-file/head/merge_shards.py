import json
from pathlib import Path

from safetensors import safe_open


def merge(parts, out):
    names = {}
    for part in parts:
        with safe_open(part, framework="pt") as shard:
            names.update({name: part.name for name in shard.keys()})
    Path(out, "index.json").write_text(json.dumps(names, indent=1))
    return names


def verify_merged(names, config):
    layers = {name.split(".")[2] for name in names if name.startswith("model.layers.")}
    assert len(layers) == config["num_hidden_layers"], "layers are missing"
    for layer in layers:
        assert f"model.layers.{layer}.mlp.down_proj.weight" in names
