import argparse
import shutil

from quantlab import quantize_folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    if args.out == args.model:
        parser.error("--out would overwrite --model")
    shutil.rmtree(args.out, ignore_errors=True)
    quantize_folder(args.model, args.out)


if __name__ == "__main__":
    main()
