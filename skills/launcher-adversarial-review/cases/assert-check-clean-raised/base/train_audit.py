def audit(losses, limit):
    assert losses[-1] < limit
