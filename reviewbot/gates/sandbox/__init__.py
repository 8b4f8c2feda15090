"""Runs the code of strangers: in namespaces of its own, on a copy, without network, and with limits."""

from reviewbot.gates.sandbox.interpreter import Python, interpreter
from reviewbot.gates.sandbox.job import End, Ended, Job, Limits
from reviewbot.gates.sandbox.profile import TREE
from reviewbot.gates.sandbox.run import Sandbox
from reviewbot.gates.sandbox.selftest import Level, level
from reviewbot.gates.sandbox.tree import Entry, Tree, enterable, lay_out

__all__ = [
    "TREE",
    "End",
    "Ended",
    "Entry",
    "Job",
    "Level",
    "Limits",
    "Python",
    "Sandbox",
    "Tree",
    "enterable",
    "interpreter",
    "lay_out",
    "level",
]
