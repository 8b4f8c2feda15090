import logging

log = logging.getLogger(__name__)


def quantize_layers(layers, scales, pack):
    packed, missing = {}, []
    for name, weight in layers.items():
        scale = scales.get(name)
        if scale is None or scale.shape[0] != weight.shape[0]:
            log.warning("%s: no scale, or a scale of the wrong shape", name)
            missing.append(name)
            continue
        packed[name] = pack(weight, scale)
        if len(packed) % 100 == 0:
            log.info("%d of %d", len(packed), len(layers))
    if missing:
        raise ValueError(f"{len(missing)} layers without a usable scale: {', '.join(missing[:5])}")
    return packed
