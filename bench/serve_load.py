"""`reviewbot serve` under deliveries at a steady rate, killed and started again in the middle.

    python bench/serve_load.py                       SQLite, 200 a second for 60 s
    python bench/serve_load.py --database postgres   PostgreSQL, in a folder of its own

One delivery in fifty asks for a review, which is done: the demonstration's pull requests on the fake
GitHub, in a process of its own. The others are events that ask for nothing, and ids that came before.
A delivery is counted from the moment at which it was due, not from that at which it was sent. Those due
from the kill until the server has caught up, which is when one is answered within 100 ms again, are counted
by themselves. What got no answer is sent again at the end, as `reviewbot redeliver` would have it. All
processes share the machine, the senders too. Exit code 1: a delivery was lost or doubled.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import hmac
import json
import math
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SECRET = "the secret of a measured webhook"
EVENTS = ROOT / "tests" / "data" / "github" / "events"
PULLS = 24  # of the one repository
LINES = 16  # connections: more than a proxy keeps open
BODY = 24_000  # bytes of a pull request's payload at GitHub
REVIEWED = 240.0  # seconds that the reviews may take behind the last delivery
SOON = 1.0  # seconds between two starts by who supervises the server


class Sent(NamedTuple):
    id: str
    event: str
    body: bytes


class Told(NamedTuple):
    """What became of one that was sent. state "": no answer."""

    id: str
    state: str
    due: float  # seconds from the begin
    took: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--reviews", default="2", help="at once")
    parser.add_argument("--no-kill", action="store_true")
    parser.add_argument("--github", help=argparse.SUPPRESS)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # or what was started would be left behind
    if given.github:
        return github(Path(given.github))
    with tempfile.TemporaryDirectory(prefix="rb-load-") as name, database(given.database) as url:
        folder = Path(name)
        with hub(folder) as asked:
            server = Server(folder, {**asked, "REVIEWBOT_DATABASE_URL": url}, ["--reviews", given.reviews])
            server.start()
            try:
                return asyncio.run(measured(server, given))
            finally:
                server.end()


def github(folder: Path) -> int:
    """A fake GitHub, until its stdin ends. Then it says what stands on each pull request."""
    from reviewbot.hosts import demo
    from tests.fakes.github import fake_github
    from tests.fakes.github.signing import private_key

    with demo.repository(keep=False) as made, fake_github(folder) as fake:
        repository = fake.repository(Path(made), "acme/launcher")
        pulls = [repository.pull(number, demo.HEAD, demo.BASE) for number in range(1, PULLS + 1)]
        places = {"GITHUB_API_URL": fake.url, "GITHUB_SERVER_URL": fake.server, "HEAD": pulls[0].head_sha}
        print(json.dumps({**places, "REVIEWBOT_PRIVATE_KEY": private_key()}), flush=True)
        sys.stdin.read()
        marked = [sum("<!-- reviewbot:" in each["body"] for each in pull.comments) for pull in pulls]
        print(json.dumps({"reviews": [len(pull.reviews) for pull in pulls], "summaries": marked}), flush=True)
    return 0


@contextmanager
def hub(folder: Path) -> Iterator[dict[str, str]]:
    argv = [sys.executable, __file__, "--github", str(folder / "github")]
    process = subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    if process.stdout is None:
        raise SystemExit("the fake GitHub has no stdout")
    yield json.loads(process.stdout.readline())
    out, _ = process.communicate()
    print(f"on the pull requests: {out.strip()}")


@contextmanager
def database(kind: str) -> Iterator[str]:
    if kind == "sqlite":
        yield ""
        return
    from tests.store import postgres

    with postgres.server() as server:
        yield server.database()


class Server:
    """One that is started again whenever it ends, as by a supervisor."""

    def __init__(self, folder: Path, asked: dict[str, str], options: Sequence[str]) -> None:
        self.options = options
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.port: int = taken.getsockname()[1]
        self.head = asked.pop("HEAD")
        self.state = folder / "state"
        self.state.mkdir(mode=0o700)
        self.url = asked["REVIEWBOT_DATABASE_URL"] or f"sqlite:///{self.state}/reviewbot.sqlite"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REVIEWBOT_")}
        self.env = {
            **kept,
            "PYTHONPATH": os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", ""))),
            "REVIEWBOT_STATE_DIR": str(self.state),
        }
        self.env |= {"REVIEWBOT_APP_ID": "77", "REVIEWBOT_WEBHOOK_SECRET": SECRET, **asked}
        self.process: subprocess.Popen[bytes]  # from the first start
        self.starts = 0

    def start(self) -> None:
        argv = [sys.executable, "-m", "reviewbot", "serve", "--port", str(self.port), *self.options]
        with open(self.state / "log", "ab") as log:
            self.process = subprocess.Popen(argv, env=self.env, stdout=log, stderr=log)
        self.starts += 1
        while not self.answers() and self.process.poll() is None:
            time.sleep(0.1)

    def answers(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=10) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill(self) -> tuple[float, float]:
        """When it was killed, and when it was there again."""
        begun = time.perf_counter()
        self.process.kill()
        self.process.wait()
        while True:
            self.start()
            if self.process.poll() is None:
                return begun, time.perf_counter()
            time.sleep(SOON)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(90)

    def busy(self) -> tuple[float, float]:
        """Processor seconds since the last start: of the door, and of the reviews without their gates."""
        door, *reviews = (stat(pid) for pid in self.pids())
        return door, sum(reviews)

    def megabytes(self) -> float:
        """Resident, of the door and the reviews together; pages that they share count twice."""
        return sum(resident(pid) for pid in self.pids())

    def pids(self) -> list[int]:
        own = self.process.pid
        begun = Path(f"/proc/{own}/task/{own}/children").read_text().split()
        return [
            own,
            *(int(pid) for pid in begun if b"--companion" in Path(f"/proc/{pid}/cmdline").read_bytes()),
        ]


def stat(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> float:
    rows = Path(f"/proc/{pid}/status").read_text().splitlines()
    return sum(float(row.split()[1]) / 1024 for row in rows if row.startswith("VmRSS"))


def deliveries(count: int, head: str) -> list[Sent]:
    """The same each time: 2 in 100 ask for a review, 49 for nothing, and 49 came before."""
    dice = Random(7)
    bodies = [padded(asking(number, head)) for number in range(1, PULLS + 1)]
    idle = padded({**json.loads((EVENTS / "pull_request.opened.json").read_bytes()), "action": "labeled"})
    rows: list[Sent] = []
    for at in range(count):
        kind = at % 50
        if kind == 0:
            rows.append(Sent(f"ask-{at:08}", "pull_request", bodies[at // 50 % PULLS]))
        elif kind % 2 and at > 50:
            rows.append(rows[dice.randrange(max(0, at - 2_000), at - 40)])
        else:
            rows.append(Sent(f"idle-{at:08}", "pull_request", idle))
    return rows


def asking(number: int, head: str) -> dict[str, object]:
    pull = {"number": number, "state": "open", "draft": False, "head": {"sha": head}}
    payload: dict[str, object] = {"action": "synchronize", "number": number, "pull_request": pull}
    payload["repository"] = {"id": 1, "full_name": "acme/launcher"}
    return {**payload, "installation": {"id": 88}, "sender": {"login": "octo-dev", "type": "User"}}


def padded(payload: dict[str, object]) -> bytes:
    """Of the size that GitHub's have, in fields such as theirs."""
    links: dict[str, str] = {}
    while len(body := json.dumps({**payload, "links": links}).encode()) < BODY:
        links |= {f"{len(links) + more}_url": f"https://github.example/{more}" * 2 for more in range(20)}
    return body


def request(sent: Sent) -> bytes:
    mac = hmac.new(SECRET.encode(), sent.body, hashlib.sha256).hexdigest()
    lines = ("POST /webhook HTTP/1.1", "Host: reviewbot", "Content-Type: application/json")
    own = (
        f"X-GitHub-Event: {sent.event}",
        f"X-GitHub-Delivery: {sent.id}",
        f"Content-Length: {len(sent.body)}",
    )
    head = "\r\n".join((*lines, *own, f"X-Hub-Signature-256: sha256={mac}", "", ""))
    return head.encode() + sent.body


class Line:
    """One connection, opened again when it is gone."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def state(self, sent: Sent) -> str:
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self._port)
            reader, writer = self._streams
            writer.write(request(sent))
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            body = json.loads(await reader.readexactly(length))
        except (OSError, asyncio.IncompleteReadError):
            self._streams = None
            return ""
        return str(body["state"]) if head.split()[1] in (b"200", b"202") else ""


async def measured(server: Server, given: argparse.Namespace) -> int:
    rows = deliveries(given.rate * given.seconds, server.head)
    before = os.getloadavg()
    gone: asyncio.Task[tuple[float, float]] | None = None
    memory: list[float] = []
    todo: asyncio.Queue[tuple[float, Sent]] = asyncio.Queue()
    told: list[Told] = []
    begun, own, busy = time.perf_counter(), time.process_time(), server.busy()

    async def work() -> None:
        line = Line(server.port)
        while True:
            due, sent = await todo.get()
            state = await line.state(sent)
            told.append(Told(sent.id, state, due, time.perf_counter() - begun - due))
            todo.task_done()

    workers = [asyncio.create_task(work()) for _ in range(LINES)]
    for at, sent in enumerate(rows):
        due = at / given.rate
        if (left := due - (time.perf_counter() - begun)) > 0:
            await asyncio.sleep(left)
        todo.put_nowait((due, sent))
        if at % given.rate == 0 and server.process.poll() is None:
            memory.append(server.megabytes())
        if at == len(rows) // 2 and not given.no_kill:
            gone = asyncio.create_task(asyncio.to_thread(server.kill))
    await todo.join()
    away = [at - begun for at in await gone] if gone else []
    door, reviews = (now - (0.0 if gone else then) for now, then in zip(server.busy(), busy, strict=True))
    senders = time.process_time() - own
    print(
        f"processor: door {door:.1f} s, reviews {reviews:.1f} s since the last start, senders {senders:.1f} s"
    )
    missed = [sent for sent in rows if sent.id in {each.id for each in told if not each.state}]
    for sent in missed:
        todo.put_nowait((time.perf_counter() - begun, sent))
    first = list(told)
    await todo.join()
    for worker in workers:
        worker.cancel()
    shown(given, first, away, memory, before)
    return checked(server, rows, told)


def shown(
    given: argparse.Namespace,
    told: Sequence[Told],
    away: Sequence[float],
    memory: Sequence[float],
    before: tuple[float, float, float],
) -> None:
    killed, back = away or (math.inf, math.inf)
    caught = min(
        (each.due for each in told if each.due > back and each.state and each.took < 0.1), default=0.0
    )
    during = [each for each in told if killed <= each.due < caught]
    took = sorted(each.took * 1000 for each in told if each.state and not killed <= each.due < caught)
    parts = {name: took[min(len(took) - 1, int(len(took) * part))] for name, part in PARTS.items()}
    print(f"{given.database}: {given.rate}/s for {given.seconds} s; {len(told)} sent")
    print(f"  answers  {len(took)}: " + ", ".join(f"{name} {value:.1f} ms" for name, value in parts.items()))
    print(f"  states   {dict(Counter(each.state or 'no answer' for each in told))}")
    if during:
        answered = [each.took for each in during if each.state]
        print(f"  killed   back after {back - killed:.1f} s, caught up after {caught - killed:.1f} s;")
        print(f"           {len(during)} due meanwhile, {len(answered)} of them answered,", end=" ")
        print(f"at most {max(answered, default=0):.1f} s late")
    print(f"  memory   {max(memory):.0f} MB at most")
    print(f"  load     {before[0]:.1f} before, {os.getloadavg()[0]:.1f} after, {os.cpu_count()} cores")


PARTS = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999, "most": 1.0}


def checked(server: Server, rows: Sequence[Sent], told: Sequence[Told]) -> int:
    """Waits for the reviews; then each id is there, and each that asked led to one run or to a reason."""
    from reviewbot.store import Store

    wanted = sorted({sent.id for sent in rows})
    taken = Counter(each.id for each in told if each.state and each.state != "known")
    doubled = [id for id, count in taken.items() if count > 1]
    with Store.open(server.url) as store:
        lost = [id for id in wanted if store.deliveries.get(id) is None]
        there = len(wanted) - len(lost)
        print(f"  kept     {there} of {len(wanted)} ids, lost {len(lost)}, doubled {len(doubled)}")
        ends = time.monotonic() + REVIEWED
        while time.monotonic() < ends and (store.runs.open(1) or set(store.deliveries.counts()) & WAITING):
            time.sleep(0.5)
        runs, states = dict(store.runs.counts()), dict(store.deliveries.counts())
    asked = sum(id.startswith("ask-") for id in wanted)
    print(f"  reviews  {runs}, of {asked} that asked; deliveries {states}; server started {server.starts} x")
    return 1 if lost or doubled else 0


WAITING = {"received", "claimed", "queued"}

if __name__ == "__main__":
    raise SystemExit(main())
