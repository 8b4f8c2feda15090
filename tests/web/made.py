"""Made-up rows of the store, and the pages served on loopback."""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware

from reviewbot.core.errors import UsageError
from reviewbot.core.types.run import Delivery, Health, Run
from reviewbot.store import Store, sqlite_url
from reviewbot.web.pages import routes
from reviewbot.web.parts import Settings
from reviewbot.web.shield import Shield
from reviewbot.web.site import Site

ADMIN = "administrator-token-of-a-test"
REPO = "acme/launcher"
EVIL = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
HEAD, BASE = "5402c7c47becc3e6caee5d2d0a575f1fc07df82d", "d2d224f67c452641ff6f3460a44c8efeddeb5d86"


class FakeSignIn:
    """GitHub, as far as it lets people in. octo-dev may read acme/*, and nothing else."""

    def __init__(self, here: str = "") -> None:
        self.here, self.asked, self.verifiers = here, 0, {}
        self.down = False

    def address(self, state: str, back: str, challenge: str) -> str:
        self.verifiers["code-1"] = challenge
        return f"{back}?code=code-1&state={state}"

    def token(self, code: str, back: str, verifier: str) -> str:
        import base64

        digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        if self.verifiers.get(code) != digest:
            raise UsageError("GitHub: bad_verification_code")
        return "ghu_of_octo_dev"

    def login(self, token: str) -> str:
        return "octo-dev"

    def reads(self, token: str, repo: str) -> bool:
        self.asked += 1
        if self.down:
            raise UsageError("GitHub does not answer")
        return token == "ghu_of_octo_dev" and repo.startswith("acme/")


class Clock:
    """The time of the store, which `filled` sets back. None: that of the machine."""

    now: float | None = None

    def __call__(self) -> float:
        return time.time() if self.now is None else self.now


class Kept(Store):
    clock: Clock


def store(folder: Path) -> Kept:
    clock = Clock()
    kept = Kept.open(sqlite_url(str(folder / "state")), clock)
    kept.clock = clock
    return kept


def site(kept: Store, **changed: Any) -> Site:
    made = Site(
        store=kept,
        settings=Settings(admin=hashlib.sha256(ADMIN.encode()).digest()),
        clock=time.time,
        secret=bytes(range(32)),
        signin=FakeSignIn(),
        health=lambda: (Health("database", True), Health("sandbox", False, "bubblewrap is not installed")),
    )
    return made._replace(**changed)


def app(made: Site) -> Starlette:
    return Starlette(routes=routes(made), middleware=[Middleware(Shield)])


@contextmanager
def served(made: Site) -> Iterator[str]:
    """The pages behind a real server; its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app(made), log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def run_id(number: int) -> str:
    return f"{number:032x}"


def document(**changed: Any) -> dict[str, Any]:
    """A report with one of everything."""
    made = {
        "schema": "reviewbot.review/1",
        "verdict": "findings",
        "base": BASE,
        "head": HEAD,
        "skills": [
            skill("launcher-adversarial-review", "base", ".reviewbot/skills/launcher/SKILL.md", 3),
            skill("silent-failures", "builtin", "builtin:silent-failures", 2),
        ],
        "coverage": {
            "files": 6,
            "covered": 4,
            "uncovered": [
                {"path": "docs/recipes.md", "reason": "no skill claims it"},
                {"path": "docs/setup.md", "reason": "no skill claims it"},
            ],
        },
        "incomplete": [],
        "gates": [
            gate("failed", "pytest -q tests/test_recipe.py", tail=TAIL, exit=1, blame="new", seconds=3.41),
            gate("passed", "bash -n runners/launch_h200.sh", exit=0, seconds=0.004),
            gate("passed", "shellcheck -S warning runners/launch_h200.sh", exit=0, seconds=0.09),
            gate("skipped", "ruff check tools/convert.py", reason="the repository does not configure `ruff`"),
            gate("refused", "make verify", reason="it would run code of the change, and there is no sandbox"),
        ],
        "findings": [
            finding(),
            finding(
                fingerprint="448fcc710862cfc5",
                title="Argument holes under `set -u`",
                severity="blocker",
                rank=3,
                path="tools/quantize.sh",
                start_line=9,
                line=11,
                quote="\n".join(
                    f'        --{x}) {x.upper()}="$2"; shift 2 ;;' for x in ("model", "bits", "scale")
                ),
                failure='`--model` as the last argument: the shell stops at line 9 with "unbound variable".',
                cost="The run is lost, and the message does not say which flag was at fault.",
                fix='`[ "$#" -ge 2 ] || { echo "missing value"; exit 2; }` before the loop\'s `case`.',
                also=[{"path": "tools/quantize.sh", "line": 12}, {"path": "tools/quantize.sh", "line": 13}],
                suggestion=None,
            ),
            finding(
                fingerprint="5555555555555555",
                title="A gate after the expensive phase",
                severity="note",
                grade="hint",
                origin="model",
                detector=None,
                rank=5,
                suggestion=None,
                refutation={"verdict": "unsure", "reason": "The check at line 40 may run before."},
            ),
            finding(fingerprint="6666666666666666", preexisting=True, path="runners/launch_b200.sh"),
        ],
        "rejections": [
            {
                "class": "a-wait-that-cannot-notice",
                "path": "runners/wait.sh",
                "line": 21,
                "title": "A wait that cannot notice",
                "reason": "refuted",
                "detail": "`timeout 600` at line 19 ends the loop; the claim that nothing does is wrong.",
            },
            {
                "class": "masked-exit-code",
                "path": "runners/bench.sh",
                "line": 7,
                "title": "A pipe hides the exit code",
                "reason": "disproved",
                "detail": "The sandbox ran it: `pipefail` is set by the file that sources it.",
            },
        ],
        "checked": [
            checked("a-failed-step-does-not-stop-the-launch", "found", "detector"),
            checked("argument-holes-under-set-u", "found", "detector", "model"),
            checked("restore-paths-that-leave-the-holder-alive", "held", "detector", "model"),
            checked("re-tokenization-in-loops", "not-checked"),
        ],
        "guidance": [{"path": "AGENTS.md", "scope": [], "characters": 4120, "read": 4000}],
        "notes": ["`references/old.md` is named and is not there"],
        "reader": "claude-sonnet-5-5, prompts 01ab23cd",
        "usage": usage(),
    }
    return {**made, **changed}


FLAGS = ("model", "bits", "scale")
TAIL = """\
FAILED tests/test_recipe.py::test_scale - AssertionError: assert 0.5 == 1.0
1 failed, 12 passed in 3.22s"""


def usage(**changed: Any) -> dict[str, Any]:
    made = {"calls": 9, "input_tokens": 41200, "cached_tokens": 188000, "output_tokens": 3310}
    return {**made, "usd": 0.213, "seconds": 41.2, **changed}


def skill(name: str, origin: str, path: str, files: int) -> dict[str, Any]:
    return {"name": name, "path": path, "origin": origin, "hash": "2fd06b486162", "files": files}


def checked(slug: str, result: str, *by: str) -> dict[str, Any]:
    return {"skill": "launcher-adversarial-review", "class": slug, "files": 3, "result": result, "by": [*by]}


def gate(status: str, command: str, **changed: Any) -> dict[str, Any]:
    made = {"skill": "launcher-adversarial-review", "command": command.split(), "status": status}
    rest = {"exit": None, "blame": "unknown", "seconds": 0.0, "tail": "", "reason": ""}
    return {**made, **rest, **changed}


def receipt(kind: str, claim: str, ok: bool = True, detail: str = "") -> dict[str, Any]:
    return {
        "kind": kind,
        "claim": claim,
        "path": "runners/launch_h200.sh",
        "line": 13,
        "ok": ok,
        "detail": detail,
    }


def finding(**changed: Any) -> dict[str, Any]:
    command = 'python3 "$ROOT/runners/inject_acceptance.py" "$CONFIG_PATH" "$FRAMEWORK"'
    made = {
        "fingerprint": "febfd719c376a48c",
        "skill": "launcher-adversarial-review",
        "class": "a-failed-step-does-not-stop-the-launch",
        "rank": 1,
        "title": "A failed step does not stop the launch",
        "severity": "warning",
        "origin": "detector",
        "detector": "swallowed-failure",
        "grade": "proven",
        "confidence": 100,
        "path": "runners/launch_h200.sh",
        "side": "RIGHT",
        "start_line": 13,
        "line": 13,
        "quote": command,
        "also": [],
        "preexisting": False,
        "failure": "`inject_acceptance.py` can fail and the script goes on: nothing reads its status, and"
        " this script never sets errexit. `sbatch --wait` at line 15 then runs on the old input.",
        "cost": "GPU hours on an input that was not prepared; the results are labelled as if it was.",
        "fix": "Append `|| exit 1` to the command, the habit of this file.",
        "placement": "inline",
        "suggestion": {
            "start_line": 13,
            "line": 13,
            "replacement": f"{command} || exit 1",
            "checked": ["applies", "parses", "gates", "fixes"],
        },
        "receipts": [
            receipt("quote", "`inject_acceptance.py` stands at runners/launch_h200.sh:13", detail="line 13"),
            receipt("absent", "No line of this script sets errexit.", detail="no line"),
            receipt(
                "count",
                "Other commands of this file stop it when they fail.",
                detail="5 lines: 10, 11, 12, 16, 17",
            ),
            receipt(
                "run",
                "In the sandbox `bash launch_h200.sh` reaches the launch although the step, `false`, fails",
                detail="$ bash launch_h200.sh\nreviewbot: launched, CONFIG_PATH=given/recipe.yaml\n(exit 0)",
            ),
        ],
        "refutation": {
            "verdict": "confirmed",
            "reason": "Nothing between line 13 and `sbatch` looks at `$?`.",
        },
    }
    return {**made, **changed}


class Filled(NamedTuple):
    done: str
    incomplete: str
    running: str
    failed: str
    secret: str  # of a repository that octo-dev may not read


def filled(kept: Kept) -> Filled:
    """A few repositories with reviews of every outcome."""
    now = time.time()

    def made(number: int, state: str, verdict: str = "", repo: str = REPO, **more: Any) -> str:
        ended = {
            "document": more.pop("document", None),
            "usd": more.pop("usd", 0.0),
            "error": more.pop("error", ""),
        }
        titles = (
            "Launch on H200 with the new acceptance recipe",
            "Quantize: scale per channel",
            "Wait for the node",
        )
        row = Run(
            id=run_id(number), repo=repo, number=number, installation=1, why="opened",
            title=titles[number % 3], author="octo-dev", url=f"https://github.com/{repo}/pull/{number}",
            head=HEAD, base=BASE,
            created=now - 7200 * (30 - number % 30), **more,
        )  # fmt: skip
        kept.clock.now = row.created
        kept.runs.create(row)
        if state != "waiting":
            kept.runs.begin(row.id, "worker-1")
            for stage, done, total in TICKS[: 7 if state == "done" else 4]:
                kept.runs.tick(row.id, stage, done, total)
                kept.clock.now += 1.3 + 4 * (stage == "model") + (number % 5) / 3
        if state in ("done", "failed", "cancelled"):
            kept.runs.finish(row.id, state, verdict, **ended)
        kept.clock.now = None
        return row.id

    clean = document(verdict="clean", findings=[], rejections=[])
    lost = {
        "stage": "model",
        "what": "the class `A wait that cannot notice`",
        "why": "the answer was cut off",
    }
    over = {"stage": "gate", "what": "`make verify`", "why": "there is no sandbox on this machine"}
    part = document(verdict="incomplete", incomplete=[lost, over], findings=[])
    for number in range(13, 20):
        report = clean if number % 4 == 0 else document(findings=document()["findings"][: 1 + number % 3])
        made(number, "done", report["verdict"], document=report, usd=0.1 + number / 50)
    names = [
        made(20, "done", "findings", document=document(), usd=0.213),
        made(21, "done", "incomplete", document=part, usd=0.04),
        made(22, "running"),
        made(23, "failed", error="the database of `worker-1` went away, and no other worker took over"),
        made(24, "done", "findings", repo="other/secret", document=document(), usd=0.2),
    ]
    made(25, "waiting")
    for number in range(40, 42):
        made(number, "done", "clean", repo="acme/quant", document=clean, usd=0.02)
    facts = {
        "configuration": {"check": {"fail_on": "never"}, "max_cost": 1.0, "gates": {"allow": ["pytest"]}}
    }
    posted = [{"what": "review with 2 comments", "url": f"https://github.com/{REPO}/pull/20#r1"}]
    kept.runs.note(names[0], facts={**facts, "posted": posted})
    votes(kept, now)
    idle = "the action `labeled` asks for nothing"
    kept.deliveries.take([
        Delivery("d-1", "pull_request", "opened", 1, REPO, 20, now - 90, "done", "", names[0]),
        Delivery("d-2", "pull_request", "labeled", 1, REPO, 20, now - 60, "ignored", idle),
        Delivery("d-3", "issue_comment", "created", 1, REPO, 21, now - 30, "failed", "GitHub is away"),
        Delivery("d-4", "ping", "", None, "", None, now - 10, "ignored", "ping"),
    ])  # fmt: skip
    return Filled(*names)


def votes(kept: Store, now: float) -> None:
    counts = {
        "a-failed-step-does-not-stop-the-launch": {"found": 12, "fixed": 9, "dismissed": 1},
        "argument-holes-under-set-u": {"found": 5, "fixed": 2, "down": 2, "resolved": 1},
        "a-gate-after-the-expensive-phase": {"found": 2},
    }
    for slug, kinds in counts.items():
        for kind, number in kinds.items():
            for n in range(number):
                kept.votes.record(REPO, n, slug, f"{slug[:4]}{n}", kind, now)


TICKS = (
    ("fetch", 2, 2), ("change", 0, 0), ("detectors", 4, 4), ("gates", 2, 5),
    ("model", 8, 8), ("suggestions", 0, 0), ("posting", 0, 0),
)  # fmt: skip
