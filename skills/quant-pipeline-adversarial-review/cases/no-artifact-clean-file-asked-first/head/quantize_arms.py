import os
import subprocess


def quantize(plan, target):
    """The size of the new file in bytes. Raises RuntimeError where there is none."""
    if os.path.exists(target):
        os.remove(target)
    done = subprocess.run(["quantize-arm", plan, target])
    if done.returncode != 0:
        raise RuntimeError(f"{plan}: status {done.returncode}")
    if not os.path.exists(target):
        raise RuntimeError(f"{plan}: nothing was written")
    size = os.path.getsize(target)
    if not size:
        raise RuntimeError(f"{plan}: an empty file")
    return size
