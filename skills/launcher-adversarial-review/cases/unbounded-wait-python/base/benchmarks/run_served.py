import subprocess
import sys

from client import measure


def main(url, model):
    subprocess.run(["./start-server", model], check=True)
    print(measure(url))


if __name__ == "__main__":
    main(*sys.argv[1:])
