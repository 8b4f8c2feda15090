def verify_shapes(old, new):
    assert old.shape == new.shape, "shape"
