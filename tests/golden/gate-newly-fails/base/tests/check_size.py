import sys

sys.path.insert(0, ".")
from tools.size import size

assert size([1, 2]) == 2, "two things have a size of two"
