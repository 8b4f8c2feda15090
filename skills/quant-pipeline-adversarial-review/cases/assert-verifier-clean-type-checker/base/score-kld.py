def compare(reference, candidate):
    if reference.shape != candidate.shape:
        raise ValueError("not the same corpus")
    return (reference.exp() * (reference - candidate)).sum(-1).mean()
