"""Where two commits parted, when no clone at hand knows it."""

from __future__ import annotations

from urllib.parse import quote

from reviewbot.core.errors import UsageError
from reviewbot.hosts.github.client import Client
from reviewbot.hosts.github.failures import Refused, of_form


def parted(client: Client, repo: str, base: str, head: str) -> str:
    """The id of the merge base of two commits or branches of owner/name. Raises UsageError where GitHub knows
    none."""
    place = f"{quote(base, safe='')}...{quote(head, safe='')}"
    try:
        row = client.get(f"/repos/{quote(repo)}/compare/{place}", per_page=1)
    except Refused as error:
        if error.status != 404:
            raise
        raise UsageError(
            f"GitHub knows no common ancestor of {base} and {head[:12]} in {repo}",
            "see that both are still there: a branch may have been renamed, a commit forced away",
        ) from error
    with of_form("the merge base"):
        return str(row["merge_base_commit"]["sha"])
