import math


def validate_score(task, score, chance):
    if math.isnan(score) or score <= chance:
        raise ValueError(f"{task}: {score} is not above chance, {chance}")
    return score


def report(scores, chances):
    for task, score in scores.items():
        print(task, f"{validate_score(task, score, chances[task]):.3f}")
