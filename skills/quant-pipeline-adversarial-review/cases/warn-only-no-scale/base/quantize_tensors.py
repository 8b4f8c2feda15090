def quantize(state, scales, pack):
    packed = {}
    for name, tensor in state.items():
        packed[name] = pack(tensor, scales[name])
    return packed
