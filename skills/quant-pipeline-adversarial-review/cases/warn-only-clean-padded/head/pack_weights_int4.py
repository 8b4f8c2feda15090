import logging

import torch.nn.functional as F

logger = logging.getLogger(__name__)


def pack(weight, lanes):
    """(packed rows, columns of padding)"""
    padding = 0
    if weight.shape[1] % lanes != 0:
        padding = lanes - weight.shape[1] % lanes
        logger.warning("%d columns are no multiple of %d: %d more", weight.shape[1], lanes, padding)
        weight = F.pad(weight, (0, padding))
    return weight.reshape(weight.shape[0], -1, lanes), padding
