"""The SDK's client for a provider. It costs seconds to import, so nothing here is imported above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reviewbot.core.errors import ConfigError

if TYPE_CHECKING:
    import anthropic

    Client = (
        anthropic.Anthropic
        | anthropic.AnthropicBedrock
        | anthropic.AnthropicVertex
        | anthropic.AnthropicFoundry
    )


def missing(error: ImportError) -> str:
    """In words, for whom the package was not installed."""
    wanted = "'reviewbot[llm]'" if error.name in ("anthropic", "httpx2") else "'anthropic[bedrock,vertex]'"
    return f"{error.name or error} is not installed, which the model needs: pip install {wanted}"


def checked_key(key: str) -> str:
    """Without the line end that a file or a store of secrets leaves. Raises ConfigError where it is none."""
    key = key.strip()
    if not key:
        raise ConfigError("the model has no key", "set ANTHROPIC_API_KEY")
    if not all("!" <= character <= "~" for character in key):
        raise ConfigError("the model's key holds characters that no key has", "copy it anew")
    return key


def open_client(provider: str, key: str, base_url: str, timeout: float) -> Client:
    """For `anthropic` the key decides, and nothing that lies on the disk. The others take what is not
    given (an empty text) from the variables of their cloud; what is missing then raises, in the SDK's words.

    timeout: seconds in which the provider must send something.
    """
    import anthropic

    settings = _settings(base_url, timeout)
    if provider == "bedrock":
        return anthropic.AnthropicBedrock(api_key=key or None, **settings)
    if provider == "vertex":
        return anthropic.AnthropicVertex(access_token=key or None, **settings)
    if provider == "foundry":
        return anthropic.AnthropicFoundry(api_key=key or None, **settings)
    return open_anthropic(key, base_url, timeout)


def open_anthropic(key: str, base_url: str, timeout: float) -> anthropic.Anthropic:
    """The client of the provider itself, or of a gateway that speaks like it."""
    import anthropic

    # The SDK sends a bearer; many gateways want the other.
    return anthropic.Anthropic(
        api_key=key, default_headers={"x-api-key": key}, **_settings(base_url, timeout)
    )


def _settings(base_url: str, timeout: float) -> dict[str, Any]:
    import anthropic
    import httpx2

    # A connection that waits for the next question may be closed under it, and then nobody knows whether
    # the question was answered and is to be paid; beside an answer a new one takes no time.
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
    return {
        "base_url": base_url.rstrip("/").removesuffix("/v1") or None,  # the SDK adds its own /v1
        "timeout": anthropic.Timeout(timeout, connect=min(timeout, 10.0)),
        "max_retries": 0,
        # Where a redirect leads would get the key too: the SDK strips only the header that it knows.
        "http_client": anthropic.DefaultHttpxClient(follow_redirects=False, limits=limits),
    }
