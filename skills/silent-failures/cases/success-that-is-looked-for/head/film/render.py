"""Renders a scene, and says how large it has become."""

import os
import subprocess


def render(scene, target):
    if os.path.exists(target):
        os.remove(target)
    done = subprocess.run(["renderer", "--scene", scene, "--to", target], timeout=7200)
    if done.returncode == 0 and os.path.exists(target):
        return os.path.getsize(target)
    raise RuntimeError(f"renderer ended with {done.returncode}")
