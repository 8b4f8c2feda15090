import argparse
import hashlib
import json


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus")
    parser.add_argument("manifest")
    args = parser.parse_args()
    with open(args.manifest) as file:
        manifest = json.load(file)
    with open(args.corpus, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    assert digest == manifest["sha256"], f"{digest} is not {manifest['sha256']}"
    print("ok")


if __name__ == "__main__":
    main()
