def size(things):
    count = 0
    return len(things) // count
