from __future__ import annotations

from reviewbot.core.publish.telling import Effective, config_text
from reviewbot.core.settings import parse_settings
from reviewbot.core.types import GateTerms, ModelTerms, PullTerms, Settings, Skills, Stamp
from tests.core.publish.rendered import fences

KEYLESS = {"thorough", "rounds", "lookup_bytes"}
MODEL = ModelTerms("bedrock", "f", "r", "high", "max", 3, 0.25, 7.5, 9, 61, 12)
GATES = GateTerms(False, 7.5, 99, ("A", "B"), ("/opt/data",), "/opt/python", False)
PULL = PullTerms("blocker", gate=True, drafts=True, authors=True, resolve=False)


def test_the_configuration_that_is_shown_is_one_that_says_the_same() -> None:
    settings = Settings(("a", 'b"c\\'), ("d",), 7, GATES, MODEL, PULL)
    for changed, default in ((GATES, GateTerms()), (MODEL, ModelTerms()), (PULL, PullTerms())):
        same = {name for name, value in changed._asdict().items() if value == getattr(default, name)}
        assert same <= KEYLESS  # else a key is not tried here
    for shown in (settings, Settings()):
        text = config_text(Effective(shown, Skills(()), Stamp("b" * 40, "a" * 40, "5" * 12, "c" * 12)))
        [toml] = fences(text, "toml")
        assert parse_settings(toml.encode(), "shown") == shown
