"""Takes what the scanner leaves in its folder."""

import time

PATIENCE = 1800  # seconds


def next_batch(folder, log):
    marker = folder / "READY"
    deadline = time.monotonic() + PATIENCE
    while not marker.exists():
        if time.monotonic() > deadline:
            raise TimeoutError(f"no batch in {folder} within {PATIENCE} s")
        log.info("no batch in %s yet", folder)
        time.sleep(30)
    return sorted(folder.glob("*.tif"))
