"""Takes what the scanner leaves in its folder."""

import time


def next_batch(folder, log):
    marker = folder / "READY"
    while not marker.exists():
        log.info("no batch in %s yet", folder)
        time.sleep(30)
    return sorted(folder.glob("*.tif"))
