"""Compiles Python files without running, importing or writing anything.

Started as a program of its own (`python -I -S pysyntax.py FILE…`), so that no file of the folder it
runs in can be imported. It does what `py_compile` does, and prints one line for each faulty
file, `NAME:LINE:COLUMN: KIND: MESSAGE` (0:0 without a place). Exit 1 if there is one.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence


def main(names: Sequence[str]) -> int:
    warnings.simplefilter("ignore")
    found = [fault for name in names if (fault := _fault(name))]
    sys.stdout.write("".join(f"{fault}\n" for fault in found))
    return 1 if found else 0


def _fault(name: str) -> str:
    with open(name, "rb") as file:
        source = file.read()
    line = column = 0
    try:
        compile(source, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        kind, message = type(error).__name__, error.msg
        line, column = error.lineno or 0, error.offset or 0
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        kind, message = type(error).__name__, str(error) or "the code is too deep for the compiler"
    else:
        return ""
    return f"{name}:{line}:{column}: {kind}: {' '.join(message.split())}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
