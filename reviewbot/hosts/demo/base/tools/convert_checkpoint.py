"""Converts a checkpoint to the layout of the serving engine, one tensor at a time."""

from __future__ import annotations

import sys
from pathlib import Path

import torch


def convert(source: Path, target: Path) -> None:
    tensors = torch.load(source, map_location="cpu", weights_only=True)
    torch.save({name: tensor.contiguous() for name, tensor in tensors.items()}, target)


def verify_names(source: Path, target: Path) -> None:
    old = torch.load(source, map_location="cpu", weights_only=True)
    new = torch.load(target, map_location="cpu", weights_only=True)
    assert old.keys() == new.keys(), "tensors were lost or invented"


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
    verify_names(Path(sys.argv[1]), Path(sys.argv[2]))
