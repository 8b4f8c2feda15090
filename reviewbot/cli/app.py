"""`reviewbot app create`: a GitHub App of one's own, made in a minute."""

from __future__ import annotations

import os
import re

from reviewbot.core.errors import EXIT_CLEAN, UsageError

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    import argparse

    from reviewbot.hosts.github.manifest import Made

EPILOG = """\
examples:
  reviewbot app create --url https://bot.example.org
  reviewbot app create --org acme --url https://bot.example.org --name acme-review

It opens a page on 127.0.0.1 (over ssh: -L 8123:127.0.0.1:8123 and --port 8123)
that leads to GitHub and back. The key and the settings are then written for you
alone into the state folder: REVIEWBOT_STATE_DIR, by default the platform's.

environment:
  GITHUB_API_URL, GITHUB_SERVER_URL   of a GitHub Enterprise Server
"""
_URL = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+(?:/[A-Za-z0-9._~/-]*)?")
_ORG = re.compile(r"[A-Za-z0-9-]{1,39}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,33}")


def declare(command: argparse.ArgumentParser) -> None:
    command.description = "Make the GitHub App that `reviewbot serve` works as."
    command.set_defaults(run=_usage)
    actions = command.add_subparsers(title="commands", metavar="COMMAND", required=True)
    create = actions.add_parser("create", help="make it on GitHub and save its key")
    create.description = "Make a GitHub App with the permissions that a review needs, and save its key."
    create.epilog = EPILOG
    create.set_defaults(run=_create, prog="reviewbot app create")
    create.add_argument("--org", default="", help="the organisation that owns it (default: you)")
    create.add_argument("--url", default="", help="where the server will be seen from GitHub")
    create.add_argument("--name", default="", help="its name, which is unique on all of GitHub")
    create.add_argument("--port", type=int, default=0, help="of the local page (default: any)")


def _usage(_: argparse.Namespace) -> int:
    raise UsageError("app does nothing by itself", "see reviewbot app --help")


def _create(arguments: argparse.Namespace) -> int:
    import secrets

    from reviewbot.hosts import output
    from reviewbot.hosts.github.client import places
    from reviewbot.hosts.github.makingpage import MakingPage
    from reviewbot.hosts.github.manifest import convert, form_address, manifest
    from reviewbot.hosts.statehome import state_home

    url = arguments.url.rstrip("/")
    _check(arguments, url)
    api, server = places()
    folder = state_home()  # before GitHub gives what could not be saved
    name = arguments.name or f"reviewbot-{secrets.token_hex(3)}"
    page = MakingPage(arguments.port)
    try:
        page.offer(form_address(server, arguments.org, page.state), manifest(name, url, page.back))
        output.show(f"Open {page.address} in a browser, and consent on GitHub.\n")
        made = convert(api, server, page.code())
    finally:
        page.close()
    output.show(_saved(made, folder, url))
    return EXIT_CLEAN


def _check(arguments: argparse.Namespace, url: str) -> None:
    if url and not _URL.fullmatch(url):
        raise UsageError(f"--url {url!r} is no plain address", "write https://bot.example.org")
    if arguments.org and not _ORG.fullmatch(arguments.org):
        raise UsageError(f"--org {arguments.org!r} is no organisation", "write its login")
    if arguments.name and not _NAME.fullmatch(arguments.name):
        raise UsageError(f"--name {arguments.name!r} is no App's name", "at most 34 letters, digits, - or _")
    if not 0 <= arguments.port < 65_536:
        raise UsageError(f"--port {arguments.port} is no port", "write one from 1 to 65535")


def _saved(made: Made, folder: str, url: str) -> str:
    """Writes the key and the settings; what to do next, for people."""
    from reviewbot.hosts.statehome import keep_secret

    key = keep_secret(folder, f"app-{made.id}.pem", made.pem)
    settings = keep_secret(folder, f"app-{made.id}.env", _settings(made, key, url))
    steps = [
        f"install it where it is to review: {made.page}/installations/new",
        f"start the server: set -a; . {settings}; set +a; reviewbot serve",
    ]
    if not url:
        steps.insert(1, "give GitHub the server's address, with /webhook, on the App's page, and activate it")
    lines = [f"The App {made.slug} ({made.id}) is made: {made.page}", f"  key       {key}"]
    lines += [f"  settings  {settings}", "Next:", *(f"  {n}. {step}" for n, step in enumerate(steps, 1))]
    return "\n".join(lines) + "\n"


def _settings(made: Made, key: str, url: str) -> str:
    """Lines that a shell, docker compose and systemd read alike: the values need no quotes but the path."""
    import shlex

    rows = {
        "REVIEWBOT_APP_ID": str(made.id),
        "REVIEWBOT_PRIVATE_KEY": shlex.quote(key),
        "REVIEWBOT_WEBHOOK_SECRET": made.webhook_secret,
        "REVIEWBOT_CLIENT_ID": made.client_id,
        "REVIEWBOT_CLIENT_SECRET": made.client_secret,
        "REVIEWBOT_PUBLIC_URL": url,
    }
    rows |= {name: os.environ.get(name, "") for name in ("GITHUB_API_URL", "GITHUB_SERVER_URL")}
    return "".join(f"{name}={value}\n" for name, value in rows.items() if value)
