import torch


def check_scales(scales, weight, group):
    expected = (weight.shape[0], weight.shape[1] // group)
    assert tuple(scales.shape) == expected
    assert torch.isfinite(scales).all()


def quantize(weight, group):
    blocks = weight.reshape(weight.shape[0], -1, group)
    scales = blocks.abs().amax(dim=-1) / 7
    check_scales(scales, weight, group)
    return (blocks / scales.unsqueeze(-1)).round().to(torch.int8), scales
