"""Results that are kept between reviews: what is found again, and what never is."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.core.types import EXECUTING, GateResult, GateRun, GateSpec, GateStatus, Text
from reviewbot.gates import cache
from tests.gate_cases import plan

CHECK = plan({"a.sh": "echo\n"}, "shellcheck <each>").runs[0]
GATE = GateRun("s", GateSpec("./run.sh", ("./run.sh",), "executing"), EXECUTING, ("./run.sh",))
KEY = cache.key("k")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REVIEWBOT_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


def failed(run: GateRun = GATE, **more: Any) -> GateResult:
    return GateResult(run, GateStatus.FAILED, 1, 2.5, "said\n", **more)


def place(home: Path) -> Path:
    return home / "results" / KEY[0] / KEY


def test_only_what_was_kept_is_found(home: Path) -> None:
    assert cache.find(KEY, CHECK) is None
    cache.keep(KEY, failed(CHECK))
    found = cache.find(KEY, CHECK)
    assert found == failed(CHECK)._replace(seconds=0.0)
    assert cache.find(cache.key("l"), CHECK) is None
    assert place(home).stat().st_mode & 0o777 == 0o600


def test_the_note_of_a_check_is_that_of_the_run_that_asks(home: Path) -> None:
    cache.keep(KEY, failed(CHECK, reason="a note"))
    found = cache.find(KEY, CHECK._replace(reason="without -x"))
    assert found is not None
    assert found.reason == "without -x"


@given(
    output=st.text(st.characters(exclude_categories=())),
    files=st.lists(st.tuples(st.text(st.characters(exclude_categories=())), st.text())),
    names=st.lists(st.text()),
    argv=st.lists(st.text()),
    cut=st.integers(0),
)
def test_what_is_found_is_what_was_kept(
    output: str, files: list[tuple[str, str]], names: list[str], argv: list[str], cut: int
) -> None:
    named = tuple(Text(*file) for file in files)
    kept = GateResult(
        GATE, GateStatus.FAILED, 7, output=output, cut=cut, argv=tuple(argv), names=tuple(names), named=named
    )
    cache.keep(KEY, kept)
    found = cache.find(KEY, GATE)
    assert found is not None
    assert found._replace(reason="") == kept._replace(kept=True)


@given(st.lists(st.one_of(st.text(), st.lists(st.text())), min_size=1), st.lists(st.text(), min_size=1))
def test_other_parts_have_another_key(parts: list[str | list[str]], others: list[str]) -> None:
    assert (cache.key(*parts) == cache.key(*others)) == (parts == others)


def test_what_executes_is_a_day_old_at_most(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.keep(KEY, failed())
    cache.keep(cache.key("c"), failed(CHECK))
    now = time.time()
    for later, there in ((cache.DAY - 60, True), (cache.DAY + 60, False), (-60, False)):
        monkeypatch.setattr(time, "time", lambda at=now + later: at)
        assert (cache.find(KEY, GATE) is not None) is there
        assert cache.find(cache.key("c"), CHECK) is not None


Spoil = Callable[[bytes], bytes]


def signed(**changed: Any) -> Spoil:
    """An entry with other values, whole as far as its checksum tells."""

    def spoil(content: bytes) -> bytes:
        told = json.loads(content.partition(b"\n")[2]) | changed
        body = json.dumps({name: value for name, value in told.items() if value is not ...}).encode()
        return hashlib.sha256(body).hexdigest().encode() + b"\n" + body

    return spoil


def replaced(body: bytes) -> Spoil:
    return lambda _: hashlib.sha256(body).hexdigest().encode() + b"\n" + body


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: content.replace(b"said", b"sung"),
        lambda content: content.partition(b"\n")[2],
        lambda content: b"\xff\x00" * 100,
        replaced(b""),
        replaced(b"null"),
        replaced(b"[]"),
        replaced(b"\xff"),
        replaced(b"[" * 200_000),
        signed(key="other"),
        signed(status="refused"),
        signed(status="passed"),
        signed(status=None),
        signed(status="passed", exit=False),
        signed(exit=0),
        signed(exit="1"),
        signed(exit=None),
        signed(exit=True),
        signed(output=None),
        signed(reason=1),
        signed(at="now"),
        signed(at=None),
        signed(at=float("nan")),
        signed(named=None),
        signed(named=["ab"]),
        signed(named=[["a"]]),
        signed(named=[["a", 1]]),
        signed(named=[["a", "b", "c", "d"]]),
        signed(names="ab"),
        signed(names=[1]),
        signed(argv=[1]),
        signed(cut=None),
        signed(cut=True),
    ],
)
def test_what_is_not_as_it_was_written_is_not_found(home: Path, spoil: Spoil) -> None:
    cache.keep(KEY, failed())
    assert cache.find(KEY, GATE) is not None
    place(home).write_bytes(spoil(place(home).read_bytes()))
    assert cache.find(KEY, GATE) is None


@pytest.mark.parametrize(
    "field", ["key", "at", "status", "exit", "output", "reason", "cut", "argv", "names", "named"]
)
def test_every_field_has_to_be_there(home: Path, field: str) -> None:
    cache.keep(KEY, failed())
    place(home).write_bytes(signed(**{field: ...})(place(home).read_bytes()))
    assert cache.find(KEY, GATE) is None


def test_a_folder_that_others_can_write_is_not_used(home: Path) -> None:
    cache.keep(KEY, failed())
    place(home).parent.chmod(0o777)
    assert cache.find(KEY, GATE) is None


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REVIEWBOT_STATE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    cache.keep(KEY, failed())
    assert cache.find(KEY, GATE) is None


def test_a_result_that_is_too_long_is_not_kept(home: Path) -> None:
    cache.keep(KEY, failed()._replace(output="x" * cache.LARGEST))
    assert not home.exists()


def test_the_last_used_stay(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "ENTRIES", 3)
    keys = ["a01", "a02", "a03", "a04"]
    for number, key in enumerate(keys):
        cache.keep(key, failed())
        place = home / "results" / "a" / key
        os.utime(place, (number, number))
        if key == "a03":
            assert cache.find("a01", GATE) is not None  # it is the youngest now
    assert [cache.find(key, GATE) is not None for key in keys] == [True, False, True, True]


def test_the_size_is_bounded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "SIZE", 5_000)
    for number in range(9):
        cache.keep(f"a0{number}", failed()._replace(output="x" * 1_000))
    files = list((home / "results" / "a").iterdir())
    assert sum(file.stat().st_size for file in files) <= 5_000
    assert len(files) == 4


def test_many_at_one_time_find_whole_results_or_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "ENTRIES", 2)
    wrong: list[object] = []

    def work(own: str) -> None:
        for number in range(60):
            key = f"a0{number % 4}"
            cache.keep(key, failed()._replace(output=f"{own}\n" * 500))
            found = cache.find(key, GATE)
            if found is not None and len(set(found.output.split())) != 1:
                wrong.append(found)

    threads = [threading.Thread(target=work, args=(name,)) for name in "xyz"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert all(not file.name.startswith(".") for file in (home / "results" / "a").iterdir())
