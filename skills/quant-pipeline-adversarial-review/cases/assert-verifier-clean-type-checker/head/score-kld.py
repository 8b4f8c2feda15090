def compare(reference, candidate, manifest=None):
    if reference.shape != candidate.shape:
        raise ValueError(f"{reference.shape} and {candidate.shape}: not the same corpus")
    if reference.manifest is not None:
        assert manifest is not None
        if manifest["sha256"] != reference.manifest["sha256"]:
            raise ValueError("logits of another corpus")
    return (reference.exp() * (reference - candidate)).sum(-1).mean()
