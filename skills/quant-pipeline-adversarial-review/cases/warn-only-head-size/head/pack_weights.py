import logging

import torch

logger = logging.getLogger(__name__)
LANES = 128


def pack(cache_scale, head_size):
    """Lay the scales of one layer out in rows of LANES."""
    if head_size % LANES != 0:
        logger.warning("head size %d is not a multiple of %d", head_size, LANES)
    rows = cache_scale.numel() // LANES
    table = cache_scale.flatten()[: rows * LANES]
    return table.reshape(rows, LANES).to(torch.float16)
