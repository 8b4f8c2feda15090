def size(things):
    return len(things)
