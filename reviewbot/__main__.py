"""`python -m reviewbot`, the same as the `reviewbot` command."""

from reviewbot.cli import main

if __name__ == "__main__":
    main()
