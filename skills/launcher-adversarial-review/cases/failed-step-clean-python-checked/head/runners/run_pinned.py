import os
import subprocess


def run(commit, config):
    subprocess.run(["git", "checkout", commit], cwd="engine", check=True)
    if os.system(f"python3 tools/fill.py {config}") != 0:
        raise SystemExit(f"tools/fill.py cannot fill {config}")
    done = subprocess.run(["git", "apply", "overlay.patch"], cwd="engine")
    if done.returncode != 0:
        raise SystemExit("the overlay does not apply")
    subprocess.run(["nvidia-smi"])
    subprocess.run(["torchrun", "engine/train.py", "--config", config], check=True)
