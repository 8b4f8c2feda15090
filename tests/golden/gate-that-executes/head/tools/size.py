def size(things):
    return sum(1 for _ in things)
