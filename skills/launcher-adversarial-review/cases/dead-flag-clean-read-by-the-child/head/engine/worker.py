import argparse
import os


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rank", type=int, required=True)
    args = parser.parse_args()
    attention = os.environ["ENGINE_ATTENTION"]
    if attention not in ("flash", "paged"):
        raise SystemExit(f"ENGINE_ATTENTION={attention} is not known")
    print(f"rank {args.rank}: {attention}")


if __name__ == "__main__":
    main()
