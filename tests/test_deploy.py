"""What the Dockerfile, compose.yaml, the systemd unit and docs/app.md say, held against the code."""

from __future__ import annotations

import re
import shlex
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from reviewbot import cli

ROOT = Path(__file__).parent.parent
UNIT = ROOT / "deploy" / "reviewbot.service"
APP = (ROOT / "docs" / "app.md").read_text()
_NAME = re.compile(r"\b(?:REVIEWBOT|GITHUB|ANTHROPIC|OTEL)_[A-Z_]*[A-Z]\b")
# Read by the command line or the Action alone; set by the compose file for itself.
ELSEWHERE = {"GITHUB_TOKEN", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_WORKSPACE"}
ELSEWHERE |= {
    "GITHUB_ACTOR",
    "GITHUB_OUTPUT",
    "GITHUB_STEP_SUMMARY",
    "REVIEWBOT_CASSETTE",
    "REVIEWBOT_TRACEBACK",
}
OF_COMPOSE = {"REVIEWBOT_HOST"}


def instructions() -> list[tuple[str, str]]:
    """Of the Dockerfile: the word and its argument, lines joined."""
    text = re.sub(r"(?m)^#.*\n", "", (ROOT / "Dockerfile").read_text()).replace("\\\n", " ")
    return [(line.split(" ", 1)[0], " ".join(line.split()[1:])) for line in text.splitlines() if line]


def compose() -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return made


def unit() -> ConfigParser:
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNIT)
    return parser


def taken(argv: list[str]) -> Any:
    """As the command line takes them. Raises SystemExit where it does not."""
    return cli._parser(argv[0]).parse_args(argv)


class TestDockerfile:
    def test_it_runs_as_nobody_that_matters(self) -> None:
        last = [word for word, _ in instructions()]
        users = [argument for word, argument in instructions() if word == "USER"]
        assert users
        assert users[-1] not in ("root", "0")
        assert last.index("USER") > max(at for at, word in enumerate(last) if word == "RUN")

    @pytest.mark.parametrize("package", ["bubblewrap", "shellcheck", "git", "tini"])
    def test_it_has_what_reviews_need(self, package: str) -> None:
        final = (ROOT / "Dockerfile").read_text().rpartition("\nFROM ")[2]
        assert re.search(rf"apt-get install .*\b{package}\b", final)

    def test_what_it_copies_is_there_and_let_through(self) -> None:
        let = (ROOT / ".dockerignore").read_text().split()
        for word, argument in instructions():
            if word == "COPY" and not argument.startswith("--from"):
                for name in argument.split()[:-1]:
                    assert (ROOT / name).exists()
                    assert f"!{name}" in let

    def test_its_command_is_one(self) -> None:
        words = {
            word: yaml.safe_load(argument)
            for word, argument in instructions()
            if word in ("CMD", "ENTRYPOINT")
        }
        assert words["ENTRYPOINT"][-1] == "reviewbot"
        assert taken(words["CMD"]).host == "0.0.0.0"


class TestCompose:
    def test_two_workers_have_names_of_their_own(self) -> None:
        workers = {name: row for name, row in compose()["services"].items() if name.startswith("worker")}
        names = [row["environment"]["REVIEWBOT_WORKER"] for row in workers.values()]
        assert len(set(names)) == len(workers) == 2
        assert len({row["volumes"][0].partition(":")[0] for row in workers.values()}) == 2

    def test_they_share_one_postgresql(self) -> None:
        services = compose()["services"]
        assert services["database"]["image"].startswith("postgres:")
        urls = {
            row["environment"]["REVIEWBOT_DATABASE_URL"] for name, row in services.items() if "worker" in name
        }
        assert len(urls) == 1
        assert urls.pop().rpartition("@")[2] == "database/reviewbot"

    def test_it_waits_longer_than_the_server_does(self) -> None:
        grace = taken(["serve"]).grace
        services = compose()["services"]
        assert all(
            int(row["stop_grace_period"].rstrip("s")) > grace
            for name, row in services.items()
            if name.startswith("worker")
        )

    def test_the_proxy_knows_both(self) -> None:
        text = (ROOT / "deploy" / "Caddyfile").read_text()
        proxied = re.search(r"reverse_proxy (.*) \{", text)
        assert proxied
        named = {place.partition(":")[0] for place in proxied[1].split()}
        assert named == {name for name in compose()["services"] if name.startswith("worker")}

    def test_no_password_stands_in_it(self) -> None:
        text = (ROOT / "compose.yaml").read_text()
        assert all(
            "${" in line for line in text.splitlines() if "PASSWORD" in line and not line.startswith("#")
        )


class TestUnit:
    def test_its_command_is_one(self) -> None:
        program, *argv = shlex.split(unit()["Service"]["ExecStart"])
        assert program.endswith("/reviewbot")
        assert taken(argv).grace < int(unit()["Service"]["TimeoutStopSec"])

    def test_what_is_handed_over_is_no_failure(self) -> None:
        assert unit()["Service"]["SuccessExitStatus"] == "3"

    @pytest.mark.parametrize(
        "name", ["RestrictNamespaces", "PrivateUsers", "ProtectProc", "ProtectKernelTunables"]
    )
    def test_it_lets_gates_have_namespaces(self, name: str) -> None:
        assert name not in unit()["Service"]


class TestDocumentation:
    def test_it_names_all_that_the_server_reads(self) -> None:
        assert read_by_the_code() - ELSEWHERE - set(_NAME.findall(APP)) == set()

    def test_all_that_it_names_is_read(self) -> None:
        assert set(_NAME.findall(APP)) - OF_COMPOSE - read_by_the_code() == set()

    def test_the_commands_in_it_are_taken(self) -> None:
        found = re.findall(r"(?m)^\s+(?:\$ )?reviewbot (.*)$", APP)
        assert len(found) > 3
        for line in found:
            taken(shlex.split(line, comments=True))

    def test_the_files_that_it_names_are_there(self) -> None:
        for name in re.findall(r"`((?:deploy|bench|docs)/[\w./-]+|compose\.yaml|Dockerfile)`", APP):
            made_by_hand = name in ("deploy/reviewbot.env", "deploy/app.pem")
            assert made_by_hand or (ROOT / name).exists(), name


def read_by_the_code() -> set[str]:
    texts = [path.read_text() for path in (ROOT / "reviewbot").rglob("*.py") if "/demo/" not in str(path)]
    return {name for text in texts for name in _NAME.findall(text)} - {"REVIEWBOT_CLIENT_"}
