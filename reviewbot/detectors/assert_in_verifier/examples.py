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
    Example(
        """\
def validate_options(options):
    assert options.shards > 0
    assert options.rows % options.shards == 0
    options.rows_per_shard = options.rows // options.shards


def check_once(self, header):
    if not self._checked:
        assert header[:4] == b"RIFF"
        self._checked = True


def check_rate(name, rate):
    if rate <= 0:
        assert False, f"{name} has no rate"
    seen = []
    seen.append(rate)
    return True
""",
        "a hint where it also sets something; what it keeps of the check itself is no work",
        lines=(2, 9, 15),
        path="options.py",
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
    Example(
        """\
def compare_release(release, relation="same"):
    assert relation in ("same", "older", "newer")
    return RELATIONS[relation](parse(CURRENT), parse(release))


def compare_lines(left, right):
    assert left.speaker == right.speaker
    return left.text == right.text
""",
        "the comparison is what it returns; the assert is about its own argument",
        path="release.py",
    ),
    Example(
        """\
class Trainer:
    def validate(self, step):
        self.model.eval()
        for batch in self.loader:
            assert len(batch) == self.width
            self.losses.append(self.model(batch))
        self.log(step, sum(self.losses))

    def verify(self, drafts):
        assert drafts.width == self.width
        drafts.accepted = self.model(drafts.tokens)
        return drafts.accepted
""",
        "words of the trade: the pass over the validation split, the verify step of speculative decoding",
        path="trainer.py",
    ),
    Example(
        """\
def ensure_resident(pages, pool):
    for page in pages:
        if page.is_out:
            assert page.slot >= 0
            pool.fetch(page)


def ensure_text(value):
    if isinstance(value, bytes):
        value = value.decode()
    assert type(value) is str
    return value
""",
        "it makes so what it ensures",
        path="pages.py",
    ),
    Example(
        """\
def fused_gate(x, weight):
    assert x.shape[-1] == weight.shape[0]
    return silu(x @ weight)


def split_linear_and_gate(x, group):
    assert x.shape[0] % group == 0
    return x.reshape(-1, 2, group)
""",
        "the gate of a network",
        path="layers.py",
    ),
    Example(
        """\
async def check_done(request):
    reply = await scheduler.ask(request)
    assert not isinstance(reply, Failure), reply.text
    assert reply.extra is None or isinstance(reply.extra, dict)
    return Answer(reply.state)


def get_check_table(kind):
    if kind == "dense":
        return DENSE
    assert kind == "paged"
    return PAGED


def op_log_check(ops):
    for op in ops:
        assert op[0] in "+-"
        print(op, "is on" if op[0] == "+" else "is off")
""",
        "an endpoint whose assert narrows a type, a getter, a report",
        path="endpoints.py",
    ),
    Example(
        """\
def validate_widths(text):
    widths = text.split(",")
    assert len(widths) != 0
    return all(width.isdigit() for width in widths)


def check_layout(cache, is_paged):
    layout = None
    assert layout is None
    return layout if is_paged else cache.layout


def check_columns(table):
    try:
        rows = query(table)
        assert rows
        return not REQUIRED - {row["column"] for row in rows}
    except Exception:
        return False


def check_kind(kind):
    if kind not in KINDS:
        raise KeyError(kind)
    assert False, "should not be reached"
""",
        "it cannot fail, the handler answers for it, or it says that nobody gets there",
        path="columns.py",
    ),
    Example(
        """\
def assert_at_trace_time(condition, message=None):
    if is_traced(condition):
        raise TraceError(message)
    assert condition, message
""",
        "it is what an `assert` of somebody else became",
        path="trace.py",
    ),
    Example(
        """\
def check_usage(samples, least):
    assert min(samples) >= least
""",
        "a folder of tests by another name",
        path="router/e2e_test/infra/gpu.py",
    ),
    Example(
        """\
def check_attachable(kind, count, hosts):
    if kind not in hosts:
        raise ValueError(f"no host takes {kind}")
    assert count
    print(kind)
    return hosts[kind] if count in hosts[kind] else None
""",
        "who raises what is refused may assert what cannot be",
        path="hosts.py",
    ),
)
