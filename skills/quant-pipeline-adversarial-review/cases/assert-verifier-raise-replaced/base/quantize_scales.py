import torch


def check_scales(scales, weight, group):
    expected = (weight.shape[0], weight.shape[1] // group)
    if tuple(scales.shape) != expected:
        raise ValueError(f"scales of {tuple(scales.shape)}, expected {expected}")
    if not torch.isfinite(scales).all():
        raise ValueError("scales that are no numbers")


def quantize(weight, group):
    blocks = weight.reshape(weight.shape[0], -1, group)
    scales = blocks.abs().amax(dim=-1) / 7
    check_scales(scales, weight, group)
    return (blocks / scales.unsqueeze(-1)).round().to(torch.int8), scales
