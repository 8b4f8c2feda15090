import json


def load(path):
    with open(path) as file:
        return json.load(file)


def check_regression(result, baseline, tolerance=0.03):
    for name, number in baseline.items():
        got = result.get(name, 0.0)
        assert got >= number * (1 - tolerance), f"{name}: {got:.1f} after {number:.1f}"
