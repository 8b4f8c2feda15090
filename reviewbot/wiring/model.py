"""The reader of a review: a model where a key is given or a provider is named, else nobody."""

from __future__ import annotations

import hashlib
import os
from contextlib import ExitStack

from reviewbot.core.errors import ConfigError
from reviewbot.core.options import DiffOptions
from reviewbot.core.reader import Nobody, Reader
from reviewbot.core.types import ModelTerms
from reviewbot.hosts.local import LocalSource
from reviewbot.wiring.hands import PLAIN, Around

TYPE_CHECKING = False  # typing's own costs 5 ms
if TYPE_CHECKING:
    from reviewbot.core.ports import Library, Model
    from reviewbot.hosts.git import Git
    from reviewbot.hosts.github.apisource import ApiSource
    from reviewbot.hosts.patch import PatchSource
    from reviewbot.llm.cassette import Kept
    from reviewbot.llm.dayledger import DayLedger

    AnySource = LocalSource | PatchSource | ApiSource

KEY = "ANTHROPIC_API_KEY"
BASE_URL = "ANTHROPIC_BASE_URL"
CASSETTE = "REVIEWBOT_CASSETTE"  # a folder of answers, in place of that in the state folder
ANSWERS = "answers"  # in the state folder: what was paid for once
SECRET = "nonce"
MOST_ANSWERS, MOST_BYTES = 5_000, 256_000_000  # that are kept


def is_on(options: DiffOptions, terms: ModelTerms) -> bool:
    """Nothing but these turns the model on: no profile on the disk, no variable of another program."""
    wanted = os.environ.get(KEY) or os.environ.get(CASSETTE) or terms.provider
    return options.model and bool(wanted)


def reader(
    options: DiffOptions,
    terms: ModelTerms,
    source: AnySource,
    closing: ExitStack,
    around: Around = PLAIN,
) -> Reader:
    """Raises ConfigError where a model is wanted and cannot be asked."""
    if not is_on(options, terms):
        return Nobody()
    from reviewbot.assets import prompts
    from reviewbot.core.ask.prompts import Prompts
    from reviewbot.core.ask.reader import ModelReader

    terms = terms._replace(
        thorough=options.thorough,
        max_usd=terms.max_usd if options.max_usd is None else options.max_usd,
        rounds=terms.rounds if isinstance(source, LocalSource) else 0,
    )
    return ModelReader(
        around.model(_model(terms, source, closing, around.answers)),
        _library(source),
        Prompts(prompts()),
        terms,
        _nonce(source, around.secret),
        options.progress,
    )


def _model(terms: ModelTerms, source: AnySource, closing: ExitStack, answers: Kept | None) -> Model:
    """Side by side around recorded, patient, within the budget: the budget sees each attempt."""
    from reviewbot.llm.anthropic import AnthropicModel, warm_up
    from reviewbot.llm.budget import Budget
    from reviewbot.llm.cassette import Cassette, Folder
    from reviewbot.llm.parallel import Parallel
    from reviewbot.llm.patience import Patient

    folder, given = os.environ.get(CASSETTE, ""), os.environ.get(KEY, "")
    if folder and not (given or terms.provider):
        return Cassette(None, Folder(folder))  # what was said then, and nothing else
    provider = terms.provider or "anthropic"
    key = given if provider == "anthropic" else ""
    if provider == "anthropic" and not key:
        raise ConfigError(
            "[model] provider names anthropic, and there is no key", f"set {KEY}, or use --no-model"
        )
    attempt = AnthropicModel(provider, key, os.environ.get(BASE_URL, "") if key else "")
    warm_up()
    patient = Patient(Budget(attempt, terms.max_usd, _day(terms, source)))
    if answers is not None:
        return Parallel(Cassette(patient, answers))
    return Parallel(Cassette(patient, Folder(folder)) if folder else _recorded(patient, closing))


def _recorded(model: Model, closing: ExitStack) -> Model:
    """With its answers kept, so that nobody pays twice for one (law 7)."""
    from reviewbot.gates import state
    from reviewbot.llm.cassette import Cassette

    closing.callback(state.shrink, ANSWERS, MOST_ANSWERS, MOST_BYTES)
    return Cassette(model, _State())


class _State:
    """Implements Kept in the state folder: an answer that somebody else can have put there is none."""

    def read(self, name: str) -> bytes | None:
        from reviewbot.gates import state

        return state.read(f"{ANSWERS}/{name}", MOST_BYTES)

    def write(self, name: str, content: bytes) -> None:
        from reviewbot.gates import state

        state.write(f"{ANSWERS}/{name}", content)


def _day(terms: ModelTerms, source: AnySource) -> DayLedger | None:
    from reviewbot.gates import state
    from reviewbot.llm.dayledger import DayLedger

    if not terms.max_usd_day:
        return None
    folder = state.folder("spent")
    if folder is None:
        why = "there is no folder to count in, or others can write in it"
        raise ConfigError(f"[model] max_usd_day: {why}", "set REVIEWBOT_STATE_DIR")
    place = _repository(source.git) if isinstance(source, LocalSource) else ""
    name = hashlib.sha256(os.fsencode(os.path.realpath(place))).hexdigest()[:16]
    return DayLedger(os.path.join(folder, f"{name}.json"), terms.max_usd_day)


def _repository(git: Git) -> str:
    """One folder for all work trees of a repository."""
    common = git.ask("rev-parse", "--git-common-dir").removesuffix(b"\n")
    return os.path.join(git.folder, os.fsdecode(common))


def _library(source: AnySource) -> Library:
    from reviewbot.hosts.library import GitLibrary, PatchLibrary
    from reviewbot.hosts.patch import PatchSource

    if isinstance(source, LocalSource):
        return GitLibrary(source)
    if isinstance(source, PatchSource):
        return PatchLibrary(source)
    from reviewbot.hosts.github.apisource import ApiLibrary

    return ApiLibrary(source)


def _nonce(source: AnySource, shared: bytes) -> str:
    """The mark of all data: the same for the same change on this machine, so that answers are found again;
    whoever wrote the change cannot know it."""
    about = [source.base, source.head or "", source.mode] if isinstance(source, LocalSource) else ["patch"]
    secret = shared or (b"" if os.environ.get(CASSETTE) else _secret())
    return hashlib.sha256(secret + "\0".join(about).encode()).hexdigest()[:16]


def _secret() -> bytes:
    from reviewbot.gates import state

    if (kept := state.read(SECRET)) and len(kept) == 32:
        return kept
    state.write(SECRET, made := os.urandom(32))
    return made
