import os


def target_of(root, name):
    """Where the converted arm is written; inside `root`."""
    root = os.path.abspath(root)
    target = os.path.abspath(os.path.join(root, name))
    if not target.startswith(root):
        raise PermissionError(f"{name} leads out of {root}")
    os.makedirs(target, exist_ok=True)
    return target
