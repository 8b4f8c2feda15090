import os
import subprocess


def drive(corpus, url, sink, rounds):
    for number in range(rounds):
        subprocess.run(["./push", "--url", url, corpus], check=True)
        print("round", number)
