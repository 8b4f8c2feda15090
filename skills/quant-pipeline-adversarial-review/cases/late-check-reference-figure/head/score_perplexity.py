"""Score an arm and compare it with the reference."""

import argparse
import os
import sys

from quantlab import perplexity, quantize


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("corpus")
    parser.add_argument("--bits", type=int, default=4)
    args = parser.parse_args()

    arm = quantize(args.model, bits=args.bits)
    score = perplexity(arm, args.corpus)

    reference = os.environ.get("REFERENCE_PPL")
    if reference is None:
        sys.exit("REFERENCE_PPL is not set")
    print(f"{score:.4f} ({score / float(reference) - 1:+.2%})")


if __name__ == "__main__":
    main()
