import argparse
from pathlib import Path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("adapter")
    parser.add_argument("out")
    args = parser.parse_args()
    out = Path(args.out).resolve()
    if out == Path(args.base):
        parser.error("the merged model would overwrite its base")
    out.mkdir(exist_ok=True)
