import os
import subprocess


def size(folder):
    return sum(entry.stat().st_size for entry in os.scandir(folder))


def drive(corpus, url, sink, rounds):
    before = size(sink)
    for number in range(rounds):
        subprocess.run(["./push", "--url", url, corpus], check=True)
        after = size(sink)
        if after <= before:
            raise RuntimeError(f"round {number}: {sink} did not grow beyond {before} bytes")
        before = after
