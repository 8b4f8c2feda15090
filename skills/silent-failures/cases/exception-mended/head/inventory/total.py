"""The total of all stock files."""


def total(paths, stock):
    count = 0
    for path in paths:
        try:
            count += stock(path)
        except FileNotFoundError:
            continue
    return count
