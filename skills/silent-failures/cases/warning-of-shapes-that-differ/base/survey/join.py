"""Puts the answers of a survey beside the names of those who answered."""


def join(names, answers):
    if len(names) != len(answers):
        raise ValueError(f"{len(names)} names, {len(answers)} answers")
    return dict(zip(names, answers))
