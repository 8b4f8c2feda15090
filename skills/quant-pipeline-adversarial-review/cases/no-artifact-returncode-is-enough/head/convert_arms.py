import os
import subprocess


def convert(plan, target):
    subprocess.run(["quant-convert", "--plan", plan, "--out", target], check=True)


def convert_and_measure(plan, target, table):
    """Append the size of the arm in bytes to `table`."""
    done = subprocess.run(["quant-convert", "--plan", plan, "--out", target])
    if done.returncode == 0:
        table.append((plan, os.path.getsize(target)))
    return done.returncode
