"""Writes the mean of each question."""

import csv
import sys
from pathlib import Path
from statistics import fmean


def main(folder, target):
    answers = {}
    for path in sorted(Path(folder).glob("*.csv")):
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                answers.setdefault(row["question"], []).append(float(row["answer"]))
    with open(target, "w", newline="") as file:
        csv.writer(file).writerows((q, fmean(a)) for q, a in sorted(answers.items()))
    print(f"summary written to {target}")


if __name__ == "__main__":
    main(*sys.argv[1:])
