"""Renders a scene, and says how large it has become."""

import os
import subprocess


def render(scene, target):
    done = subprocess.run(["renderer", "--scene", scene, "--to", target], timeout=7200)
    if done.returncode == 0:
        size = os.path.getsize(target)
        print(f"{target}: {size} bytes")
        return size
    raise RuntimeError(f"renderer ended with {done.returncode}")
