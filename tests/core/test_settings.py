"""The configuration: every fault names its file, its line and the remedy."""

from __future__ import annotations

import pytest

from reviewbot.core.errors import ConfigError
from reviewbot.core.settings import parse_settings
from reviewbot.core.types import GateTerms, ModelTerms, PullTerms, Settings


def test_an_empty_file_is_the_default():
    assert parse_settings(b"", "config.toml") == Settings()


def test_all_keys_are_read():
    data = b"""
        skills = {use = ["a"], disable = ["b"]}
        limits = {max_file_bytes = 9}
        [gates]
        execute = false
        timeout = 5
        memory = 512
        env = ["OUR_LEVEL"]
        binds = ["/opt/data"]
        python = "/opt/venv/bin/python3"
        cache = false
        [model]
        provider = "vertex"
        find = "a"
        refute = "b"
        find_effort = "low"
        refute_effort = "max"
        passes = 3
        max_usd = 2
        max_usd_day = 9
        inline = 1
        inline_confidence = 60
        table_confidence = 40
        [check]
        fail_on = "blocker"
        gate = true
        [pull]
        drafts = true
        authors = true
        resolve = false
    """
    gates = GateTerms(False, 5.0, 512, ("OUR_LEVEL",), ("/opt/data",), "/opt/venv/bin/python3", False)
    model = ModelTerms("vertex", "a", "b", "low", "max", 3, 2.0, 9.0, 1, 60, 40)
    pull = PullTerms("blocker", gate=True, drafts=True, authors=True, resolve=False)
    assert parse_settings(data, "config.toml") == Settings(
        use=("a",), disable=("b",), max_file_bytes=9, gates=gates, model=model, pull=pull
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[skils]\nuse = []", "config.toml:1: unknown key skils; did you mean skills?"),
        (
            b"[skills]\nuse = []\ndisabel = []",
            "config.toml:3: unknown key skills.disabel; did you mean disable?",
        ),
        (b"skills.xyz = 1", "config.toml:1: unknown key skills.xyz; known here: disable, use"),
        (b"\n[gates]\n# why\ntimeout = 'x'", "config.toml:4: gates.timeout: Input should be a valid number"),
        (
            b"[limits]\nmax_file_bytes = -1",
            "config.toml:2: limits.max_file_bytes: Input should be greater than 0",
        ),
        (b"[gates]\nexecut = true", "config.toml:2: unknown key gates.execut; did you mean execute?"),
        (b"[gates]\nexecute = 'no'", "config.toml:2: gates.execute: Input should be a valid boolean"),
        (b"[gates]\nmemory = 0", "config.toml:2: gates.memory: Input should be greater than 0"),
        (b"[gates]\nenv = ['A B']", "config.toml:2: gates.env: 'A B' is no name of a variable"),
        (b"[gates]\nenv = ['PATH']", "gates.env: PATH is the sandbox's own"),
        (b"[gates]\nenv = ['LD_PRELOAD']", "LD_PRELOAD is the sandbox's own"),
        (b"[gates]\nbinds = ['data']", "gates.binds: 'data' is no plain absolute path"),
        (b"[gates]\nbinds = ['/a/../etc']", "'/a/../etc' is no plain absolute path"),
        (b"[gates]\nbinds = ['/']", "/ cannot be shown in the sandbox"),
        (b"[gates]\nbinds = ['/proc/1']", "/proc/1 cannot be shown in the sandbox"),
        (b"[gates]\npython = 'python3'", "gates.python: 'python3' is no plain absolute path"),
        (b"[model]\npasses = 4", "config.toml:2: model.passes: Input should be 1, 2 or 3"),
        (b"[model]\nthorough = true", "config.toml:2: unknown key model.thorough"),
        (b"[model]\nrounds = 3", "config.toml:2: unknown key model.rounds"),
        (b"a = 1\nb =", "config.toml:2: not TOML"),
        (b"a = 1\n\xff", "config.toml:2: not UTF-8; save the file as UTF-8"),
    ],
)
def test_a_fault_names_its_line_and_the_remedy(data: bytes, message: str):
    with pytest.raises(ConfigError) as caught:
        parse_settings(data, "config.toml")
    assert message in str(caught.value)


def test_a_key_of_many_parts_is_refused_at_its_line():
    """40 kB of `a.a.a.…` took tomllib 14 seconds."""
    with pytest.raises(ConfigError, match=r"config\.toml:2: more than 1,000 dots in a line"):
        parse_settings(b"[skills]\n" + b"a." * 20_000 + b"b = 1\n", "config.toml")


def test_of_many_faults_the_first_are_named():
    """3,000 unknown keys took 9 seconds, and made one line of 1 MB."""
    keys = "".join(f"key{n} = 1\n" for n in range(3_000)).encode()
    with pytest.raises(ConfigError) as caught:
        parse_settings(keys, "config.toml")
    assert str(caught.value).count("unknown key") == 10
    assert "and 2,990 more" in str(caught.value)
