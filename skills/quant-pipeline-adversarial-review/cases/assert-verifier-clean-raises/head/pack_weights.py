def validate_packed(packed, shape, bits):
    lanes = 32 // bits
    expected = (shape[0], shape[1] // lanes)
    if packed.shape != expected:
        raise ValueError(f"packed to {packed.shape}, expected {expected}")
