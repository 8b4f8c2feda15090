import logging

logger = logging.getLogger(__name__)


def quantize(state, scales, pack):
    packed = {}
    for name, tensor in state.items():
        scale = scales.get(name)
        if scale is None:
            logger.warning("%s has no scale", name)
        packed[name] = pack(tensor, scale)
    return packed
