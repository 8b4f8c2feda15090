def validate_score(task, score, chance):
    assert score > chance
    return score


def report(scores, chances):
    for task, score in scores.items():
        print(task, f"{validate_score(task, score, chances[task]):.3f}")
