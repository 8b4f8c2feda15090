def validate_packed(packed, shape, bits):
    lanes = 32 // bits
    assert packed.shape == (shape[0], shape[1] // lanes)
