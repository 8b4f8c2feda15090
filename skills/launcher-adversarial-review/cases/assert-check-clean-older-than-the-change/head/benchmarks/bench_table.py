def compare(left, right):
    assert left.keys() == right.keys()
    return {name: left[name] / right[name] for name in left}


def rows(ratios):
    return [f"{name}\t{ratio:.3f}\t{(ratio - 1) * 100:+.1f} %" for name, ratio in ratios.items()]
