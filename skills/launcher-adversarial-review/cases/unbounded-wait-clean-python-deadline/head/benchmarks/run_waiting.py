import time
import urllib.error
import urllib.request


def wait_ready(url, process, seconds=1800):
    deadline = time.monotonic() + seconds
    while True:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        if time.monotonic() > deadline:
            raise TimeoutError(f"{url} is not ready after {seconds} s")
        try:
            urllib.request.urlopen(f"{url}/health", timeout=5).close()
            return
        except urllib.error.URLError:
            time.sleep(3)
