class LossTooHigh(RuntimeError):
    pass


def audit(losses, limit):
    if not losses[-1] < limit:
        raise LossTooHigh(f"{losses[-1]} at the end, the limit is {limit}")
