import subprocess
import sys
import time
import urllib.request

from client import measure


def ready(url):
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def main(url, model):
    subprocess.run(["./start-server", model], check=True)
    while not ready(url):
        time.sleep(5)
    print(measure(url))


if __name__ == "__main__":
    main(*sys.argv[1:])
