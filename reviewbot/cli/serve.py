"""`reviewbot serve`: the App."""

from __future__ import annotations

from reviewbot.core.errors import EXIT_USAGE

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from reviewbot.hosts.companion import Companion
    from reviewbot.web.metrics import Meters
    from reviewbot.wiring.serve import Server

LATER = 15  # seconds beyond --grace that the process of the reviews has to end

EPILOG = """\
environment:
  REVIEWBOT_APP_ID            the App, and its private key: PEM text, or the path of
  REVIEWBOT_PRIVATE_KEY       a file (`reviewbot app create` makes an App)
  REVIEWBOT_WEBHOOK_SECRET    that of its webhook; two, comma separated, while one
                              replaces the other
  REVIEWBOT_PUBLIC_URL        where people reach this server: makes "View job" links
  REVIEWBOT_DATABASE_URL      postgresql://…; default: a SQLite file in the state folder
  REVIEWBOT_STATE_DIR         the state folder; default: the platform's
  REVIEWBOT_WORKER            this process' name among those of one database
  REVIEWBOT_ADMIN_TOKEN       sees all pages: typed in at /login, or as a Bearer token
  REVIEWBOT_CLIENT_ID         with REVIEWBOT_CLIENT_SECRET: people log in by GitHub, and
                              see the repositories that they may read
  ANTHROPIC_API_KEY           turns the model on

GitHub's webhook goes to POST /webhook. /healthz is 200 while deliveries can be
stored. On SIGTERM the steps that run are finished, and the rest is handed over.

"""


def declare(command: argparse.ArgumentParser) -> None:
    command.description = "Review every pull request of the repositories where the App is installed."
    command.epilog = EPILOG
    command.set_defaults(run=_serve)
    command.add_argument("--host", default="127.0.0.1", help="default: 127.0.0.1")
    command.add_argument("--port", type=_port, default=8000, help="default: 8000")
    command.add_argument("--reviews", metavar="N", type=_count, default=2, help="at once (default: 2)")
    command.add_argument(
        "--keep-days", metavar="N", type=_count, default=90, help="how long runs are kept (default: 90)"
    )
    command.add_argument("--companion", action="store_true", help="==SUPPRESS==")
    command.add_argument(
        "--grace", metavar="S", type=_count, default=60, help="seconds to finish in at the end (default: 60)"
    )


def _serve(arguments: argparse.Namespace) -> int:
    """The door and the pages in this process, the reviews in its companion: those compute for seconds, and
    in one process each delivery would wait for its turn behind them."""
    if arguments.companion:
        from reviewbot.cli.companion import work

        return work(arguments)
    from reviewbot.hosts import logs, traces
    from reviewbot.hosts.companion import Companion, again
    from reviewbot.web.serve import Serving, bound

    logs.set_up()
    traces.set_up()
    door = bound(arguments.host, arguments.port)
    refusals: list[int] = []

    def refused() -> None:
        refusals.append(EXIT_USAGE)
        serving.stop()

    companion = Companion(again("--companion"), lambda message: meters.ended(**message), refused)
    made, meters, pages = _made(arguments.keep_days, companion)
    serving = Serving(pages, door)
    if (code := companion.begin()) is not None:
        return code
    try:
        serving.run()
    finally:
        code = companion.end(arguments.grace + LATER)
        made.store.close()
    return max(code, *refusals, 0)


def _made(days: int, companion: Companion) -> tuple[Server, Meters, Any]:
    """What is served last."""
    import time

    from reviewbot.web.app import application
    from reviewbot.web.health import Checkup
    from reviewbot.web.metrics import Meters
    from reviewbot.web.pages import routes
    from reviewbot.web.parts import Parts, Settings
    from reviewbot.web.site import Site
    from reviewbot.wiring.serve import build

    made = build()
    store, checks = made.store, (*made.checks, companion.health)
    meters, checkup = Meters(store, time.time), Checkup(store, checks)
    settings = Settings(made.public_url, made.admin, days)
    parts = Parts(made.hooks, store, made.decide, settings, checks, time.time, companion.wake)
    seen = (made.seal, made.signin, made.app.server, made.app.slug(), checkup.latest)
    pages = routes(Site(store, settings, time.time, *seen))
    return made, meters, application(parts, pages, meters=meters, checkup=checkup)


def _port(text: str) -> int:
    return _number(text, 65_535)


def _count(text: str) -> int:
    return _number(text, 100_000)


def _number(text: str, most: int) -> int:
    from argparse import ArgumentTypeError

    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= most):
        raise ArgumentTypeError(f"{text!r} is no number between 1 and {most:,}")
    return int(text)
