"""Where this program was installed from, as pip has written it down (PEP 610)."""

from __future__ import annotations

import json
import re

_GITHUB = re.compile(r"(?:git\+)?(?:https://|ssh://git@)github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?/?")


def repository() -> tuple[str, str] | None:
    """`OWNER/REPO` on GitHub and the full commit id that was installed; None where it came from
    elsewhere."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        text = distribution("reviewbot").read_text("direct_url.json")
    except PackageNotFoundError:  # a checkout that was never installed
        return None
    return read_origin(text or "{}")


def read_origin(text: str) -> tuple[str, str] | None:
    """The same of the text of `direct_url.json`."""
    try:
        said = json.loads(text)
        url, commit = said["url"], said["vcs_info"]["commit_id"]
    except (ValueError, KeyError, TypeError):  # a folder, an archive, or a file that pip has not written
        return None
    found = _GITHUB.fullmatch(url) if isinstance(url, str) else None
    if not found or not isinstance(commit, str) or not re.fullmatch(r"[0-9a-f]{40}", commit):
        return None
    return f"{found[1]}/{found[2]}", commit
