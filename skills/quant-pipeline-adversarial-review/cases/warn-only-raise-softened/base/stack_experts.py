import logging

import torch

log = logging.getLogger("stack")


def stack(experts, expected):
    if len(experts) != expected:
        raise ValueError(f"expected {expected} experts but found {len(experts)}")
    log.info("stacking %d experts", expected)
    return torch.stack([experts[name] for name in sorted(experts)])
