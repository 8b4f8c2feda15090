"""What warn-and-continue reports and what it leaves alone: its documentation and its tests."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        why="The script knows how many files there must be.",
        lines=(2,),
        code="""\
n=$(wc -l < train.list)
[ "$n" -eq 7138 ] || echo "Warning: expected 7138 files, found $n"
python3 train.py --list train.list
""",
    ),
    Example(
        why="The same as an `if`.",
        lines=(1,),
        code="""\
if [ "$have" != "$want" ]; then
    echo "WARNING: checksum of $MODEL_FILE differs" >&2
fi
vllm serve "$MODEL_FILE"
""",
    ),
    Example(
        why="The benchmark starts on a server that never came up.",
        lines=(1,),
        code="""\
wait_for_server "$PORT" || echo "WARN: server not up after 600 s"
python3 benchmark_serving.py --port "$PORT"
""",
    ),
    Example(
        why="The launch reads what was not prepared.",
        lines=(1,),
        code="""\
if ! python3 inject.py "$CONFIG_FILE"; then
    log_warning "could not edit $CONFIG_FILE"
fi
srtctl apply -f "$CONFIG_FILE"
""",
    ),
    Example(
        why="The pack is 128 lanes wide, and the code goes on with a table that is wrong.",
        lines=(7,),
        path="pack.py",
        code="""\
import logging

logger = logging.getLogger(__name__)


def pack(table, head_size):
    if head_size % 128 != 0:
        logger.warning("head size %d is not a multiple of 128", head_size)
    return table.reshape(-1, 128)
""",
    ),
    Example(
        why="Shapes differ, and what follows broadcasts.",
        lines=(5,),
        path="score.py",
        code="""\
import warnings


def divergence(p, q):
    if p.shape != q.shape:
        warnings.warn(f"shape mismatch: {p.shape} and {q.shape}")
    return (p * (p / q).log()).sum()
""",
    ),
    Example(
        why="`print` is no refusal either.",
        lines=(2,),
        path="merge.py",
        code="""\
def merge(shards, expected, write):
    if len(shards) < expected:
        print(f"WARNING: expected {expected} shards but found {len(shards)}")
    write(shards)
""",
    ),
    Example(
        why="Two checks in a row of one kind are one cause.",
        lines=(3,),
        path="pairs.py",
        code="""\
def pairs(row, tok, logger):
    prompt, good, bad = tok(row["prompt"]), tok(row["good"]), tok(row["bad"])
    if good[: len(prompt)] != prompt:
        logger.warning("mismatch between the prompt and the start of the good answer")
    if bad[: len(prompt)] != prompt:
        logger.warning("mismatch between the prompt and the start of the bad answer")
    return good[len(prompt) :], bad[len(prompt) :]
""",
    ),
)

GOOD = (
    Example(
        why="It stops.",
        code="""\
[ "$n" -eq 7138 ] || { echo "Warning: expected 7138 files, found $n"; exit 1; }
if [ "$have" != "$want" ]; then
    echo "WARNING: checksum mismatch"
    exit 1
fi
vllm serve "$MODEL_FILE"
""",
    ),
    Example(
        why="The case is handled, or there is another branch.",
        code="""\
if [ "$have" != "$want" ]; then
    echo "warning: checksum mismatch, falling back to the copy"
fi
if [ "$a" != "$b" ]; then
    echo "WARNING: sizes differ"
else
    run=yes
fi
""",
    ),
    Example(
        why="Nothing works on what a clean-up has left.",
        code="""\
rm -rf "$OLD_DIR" || echo "warning: could not remove $OLD_DIR"
curl -o extra.json "$URL" || echo "warning: no extra.json"
vllm serve "$MODEL_FILE"
""",
    ),
    Example(
        why="A flag, and advice.",
        code="""\
if [ "$DEBUG" = 1 ]; then
    echo "WARNING: debug mode"
fi
if [ -z "$HF_TOKEN" ]; then
    echo "WARNING: HF_TOKEN is not set"
fi
vllm serve "$MODEL_FILE"
""",
    ),
    Example(
        why="It raises.",
        path="pack.py",
        code="""\
import logging


def pack(table, head_size):
    if head_size % 128 != 0:
        logging.warning("head size is not a multiple of 128")
        raise ValueError(head_size)
    return table.reshape(-1, 128)
""",
    ),
    Example(
        why="A log that is thinned out.",
        path="train.py",
        code="""\
def train(steps, logger):
    for n in steps:
        if n % 32 == 0:
            logger.warning("step %d, expected loss below 2", n)
        n.run()
""",
    ),
    Example(
        why="The message says how the case is handled.",
        path="load.py",
        code="""\
def load(state, model, logger):
    if state.shape != model.shape:
        logger.warning("shape mismatch, falling back to the default weights")
    return model
""",
    ),
    Example(
        why="The other branch, and a branch that mends.",
        path="load.py",
        code="""\
def load(a, b, logger):
    if len(a) != len(b):
        logger.warning("length mismatch")
    else:
        a = b
    if len(a) != len(b):
        logger.warning("length mismatch")
        b = b[: len(a)]
    return a, b
""",
    ),
    Example(
        why="Nothing follows: the function was only there to tell.",
        path="load.py",
        code="""\
def tell(a, b, logger):
    if len(a) != len(b):
        logger.warning("length mismatch")
""",
    ),
    Example(
        why="An option that is missing is no broken assumption.",
        path="load.py",
        code="""\
def load(name, logger):
    if name is None:
        logger.warning("expected a name but got none")
    return name
""",
    ),
    Example(
        why="What was asked about is replaced right behind.",
        path="place.py",
        code="""\
def place(device, platform, logger):
    if device != platform.name:
        logger.warning("device %s does not match %s", device, platform.name)
    device = platform.name
    return start(device)
""",
    ),
    Example(
        why="What is lacking is made up for.",
        path="ask.py",
        code="""\
def ask(client, n):
    got = client.ask(n)
    if len(got) != n:
        print(f"WARNING: expected {n} answers but got {len(got)}")
    texts = [answer.text for answer in got]
    return texts + [""] * (n - len(texts))
""",
    ),
    Example(
        why="Whoever wants a mismatch to stop says so in an argument.",
        path="load.py",
        code="""\
def load(model, state, strict, logger):
    missing, unexpected = model.load_state_dict(state, strict=strict)
    if len(missing) > 0:
        logger.warning("missing: %s", missing)
    if len(unexpected) > 0:
        logger.warning("unexpected keys: %s", unexpected)
    model.eval()
""",
    ),
    Example(
        why="The message says with what it goes on; a comment says that it is meant.",
        path="spread.py",
        code="""\
def spread(cards, workers, logger):
    if cards != workers.count:
        logger.warning(f"{cards} cards do not match the workers: proceeding with {workers.count}")
    # a late worker may still report
    if workers.done != workers.count:
        logger.warning("count mismatch")
    workers.start()
""",
    ),
    Example(
        why="It is handed back as it is: whoever gets it sees what the log says.",
        path="cut.py",
        code="""\
def cut(graph, targets, logger):
    parts = partition(graph, targets)
    if len(parts) != len(targets):
        logger.warning("expected %d parts but found %d", len(targets), len(parts))
    return parts
""",
    ),
)
