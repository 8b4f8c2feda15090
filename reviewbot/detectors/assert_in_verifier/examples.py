"""What assert-in-verifier reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        """\
def verify_windows(windows, restored):
    for window, again in zip(windows, restored):
        assert window == again, "re-encoding changed a window"
""",
        "`python -O verify.py` says nothing and exits 0",
        lines=(3,),
        path="verify_windows.py",
    ),
    Example(
        """\
import hashlib


class Manifest:
    def check(self, blob):
        '''Compare the blob with the manifest.'''
        assert len(blob) == self.size
        digest = hashlib.sha256(blob).hexdigest()
        assert digest == self.sha256, f"expected {self.sha256}, got {digest}"
        assert isinstance(self.name, str)

    async def audit_all(self, blobs):
        assert blobs and all(blobs.values())  # nothing is missing
""",
        "one finding for each function, the other asserts as further places",
        lines=(7, 13),
        path="manifest.py",
    ),
    Example(
        """\
import sys


def main(path):
    total = 0
    with open(path) as file:
        for line in file:
            total += len(line.split())
    assert total > 1000, (
        "too few tokens"
    )


if __name__ == "__main__":
    assert len(sys.argv) > 1
    main(sys.argv[1])
""",
        "in a script that is named for verifying, every function verifies",
        lines=(9, 15),
        path="tools/verify_corpus.py",
    ),
    Example(
        """\
def ensure_shapes(packed, lanes):
    def inner(table):
        assert not table.shape[-1] % lanes
        assert table.dtype in ("int8", "uint8")

    for table in packed:
        inner(table)
""",
        "a nested function belongs to the verifier around it",
        lines=(3,),
        path="pack.py",
    ),
    Example(
        """\
def run_gate(scores):
\tassert (min(scores) <
\t        max(scores)), "flat scores"
""",
        "a condition of two lines: reported, with no ready-made edit",
        lines=(2,),
        path="gate.py",
    ),
)

GOOD = (
    Example(
        """\
def verify_windows(windows, restored):
    if windows != restored:
        raise AssertionError("re-encoding changed a window")
""",
        "it raises",
        path="verify_windows.py",
    ),
    Example(
        """\
def validate_config(config):
    assert isinstance(config, dict)
    assert config.path is not None and isinstance(config.path, str)
    if not config.path:
        raise ValueError("path is empty")
""",
        "tells a type checker what a name holds",
        path="config.py",
    ),
    Example(
        """\
def split(batch, parts):
    assert len(batch) % parts == 0
    return [batch[i::parts] for i in range(parts)]
""",
        "an invariant in ordinary code is what `assert` is for",
        path="split.py",
    ),
    Example(
        """\
def save_checkpoint(model):
    assert model.step > 0


def aggregate(parts):
    assert parts


def gated_mlp(x):
    assert x.ndim == 2


def checkout_commit(sha):
    assert sha
""",
        "checkpoint, aggregate, gated, checkout only look like verifiers",
        path="model.py",
    ),
    Example(
        """\
def test_verify():
    assert verify([1]) == 1


def check_same(a, b):
    assert a == b
""",
        "a test's asserts run under pytest, never under -O",
        path="tests/test_verify.py",
    ),
    Example(
        """\
class Net:
    def validation_step(self, batch):
        assert batch.ndim == 3
        return self(batch)
""",
        "a training loop's validation step measures, it does not verify",
        path="net.py",
    ),
    Example(
        """\
def verify(rows):
    text = "assert rows"
    return [row for row in rows if text in row]
""",
        "the word in a string",
        path="verify.py",
    ),
)
