"""A Python module, parsed once by the standard library."""

from __future__ import annotations

import ast
import re
import warnings
from functools import cached_property

from reviewbot.core.types import Text


class PythonFile:
    """`tree` raises SyntaxError, ValueError or RecursionError as ast.parse does."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.path = text.path
        self.partial = text.partial

    @cached_property
    def tree(self) -> ast.Module:
        # A lone CR ends a line for Python and none for git: as a space it keeps git's numbers.
        source = re.sub(r"\r(?!\n)", " ", self.text.content.removeprefix("\ufeff"))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in reviewed code are not our warnings
            return ast.parse(source)
