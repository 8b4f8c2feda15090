"""`reviewbot serve`: the App."""

from __future__ import annotations

from reviewbot.core.errors import EXIT_CLEAN, EXIT_INCOMPLETE

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse

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
    command.add_argument(
        "--grace", metavar="S", type=_count, default=60, help="seconds to finish in at the end (default: 60)"
    )


def _serve(arguments: argparse.Namespace) -> int:
    import os
    import time

    from reviewbot.hosts import logs, traces
    from reviewbot.hosts.output import say
    from reviewbot.web.app import application
    from reviewbot.web.health import Checkup
    from reviewbot.web.metrics import Meters
    from reviewbot.web.pages import routes
    from reviewbot.web.parts import Parts, Settings
    from reviewbot.web.serve import Serving, bound
    from reviewbot.web.site import Site
    from reviewbot.wiring.serve import build

    logs.set_up()
    traces.set_up()
    door = bound(arguments.host, arguments.port)
    made = build(arguments.reviews, arguments.keep_days)
    meters, checkup = Meters(made.store, time.time), Checkup(made.store, made.checks)
    worker = made.worker(meters.ended)
    settings = Settings(made.public_url, made.admin, made.days)
    parts = Parts(made.hooks, made.store, made.decide, settings, made.checks, time.time, worker.wake)
    pages = routes(
        Site(
            made.store,
            settings,
            time.time,
            made.seal,
            made.signin,
            made.app.server,
            made.app.slug(),
            checkup.latest,
        )
    )
    app = application(parts, pages, meters=meters, checkup=checkup)
    serving = Serving(app, door)
    worker.start(serving.stop)
    try:
        serving.run()
    finally:
        idle = worker.stop(arguments.grace)
        made.store.close()
    if not idle:
        say("what was not finished is handed over")
        os._exit(EXIT_INCOMPLETE)  # threads that are in the middle of a step would be waited for
    return EXIT_CLEAN


def _port(text: str) -> int:
    return _number(text, 65_535)


def _count(text: str) -> int:
    return _number(text, 100_000)


def _number(text: str, most: int) -> int:
    from argparse import ArgumentTypeError

    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= most):
        raise ArgumentTypeError(f"{text!r} is no number between 1 and {most:,}")
    return int(text)
