"""`python -m reviewbot`, the same as the `reviewbot` command."""

import os
import sys

if __name__ == "__main__":
    # Python looks for modules in the current folder first, and that is the reviewed repository (law 8).
    sys.path[:] = [path for path in sys.path if path and os.path.abspath(path) != os.getcwd()]

    from reviewbot.cli import main

    main()
