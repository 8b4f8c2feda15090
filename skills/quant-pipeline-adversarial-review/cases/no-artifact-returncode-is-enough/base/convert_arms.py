import subprocess


def convert(plan, target):
    subprocess.run(["quant-convert", "--plan", plan, "--out", target], check=True)
