"""The repository and what is in it: contents, trees, blobs, commits, pushes."""

from __future__ import annotations

import base64

from tests.fakes.github import shapes
from tests.fakes.github.answers import REPO, Answer, Refused, Request, answers
from tests.fakes.github.model import FakeRepository, Json

KINDS = {"100644": "file", "100755": "file", "120000": "symlink", "160000": "submodule", "040000": "dir"}
MOST_BYTES_IN_JSON = 1_000_000


@answers("GET", REPO)
def repository(request: Request) -> Answer:
    return Answer(shapes.repository(request.repository))


@answers("GET", f"{REPO}/commits/{{ref}}")
def commit(request: Request) -> Answer:
    repo = request.repository
    return Answer(shapes.commit(repo, commit_of(repo, request.names["ref"], 422)))


def commit_of(repo: FakeRepository, name: str, status: int = 404) -> str:
    found = repo.bare.commit(name)
    if found is None:
        raise Refused(status, f"No commit found for the ref {name}")
    return found


@answers("GET", f"{REPO}/contents/{{path}}")
def contents(request: Request) -> Answer:
    repo, path = request.repository, request.names["path"].strip("/")
    sha = commit_of(repo, request.query.get("ref", repo.default_branch))
    rows = tree(repo, sha, f"{path}/")
    if rows:
        return Answer([content(repo, sha, row) for row in rows])
    if not (rows := tree(repo, sha, path)):
        raise Refused(404, "Not Found")
    if "raw" in request.headers.get("accept", ""):
        return Answer(repo.bare.bytes("cat-file", "blob", rows[0]["sha"]))
    shown = content(repo, sha, rows[0])
    if shown["type"] == "file":
        data = repo.bare.bytes("cat-file", "blob", shown["sha"])
        small = len(data) <= MOST_BYTES_IN_JSON
        shown["content"] = base64.encodebytes(data).decode() if small else ""
        shown["encoding"] = "base64" if small else "none"
    if shown["type"] == "symlink":
        shown["target"] = repo.bare.git("cat-file", "blob", shown["sha"])
    if shown["type"] == "submodule":
        shown["submodule_git_url"] = repo.html_url
    return Answer(shown)


def tree(repo: FakeRepository, sha: str, path: str = "", recursive: bool = False) -> list[Json]:
    """Rows of git ls-tree: mode, type, sha, size, path."""
    options = ["-z", "-l", "--full-tree", *(["-r", "-t"] if recursive else [])]
    lines = repo.bare.git("ls-tree", *options, sha, *(["--", path] if path else [])).split("\0")
    found = []
    for line in filter(None, lines):
        facts, _, name = line.partition("\t")
        mode, kind, blob, size = facts.split()
        row: Json = {"path": name, "mode": mode, "type": kind, "sha": blob}
        if size != "-":
            row["size"] = int(size)
        found.append(row)
    return found


def content(repo: FakeRepository, sha: str, row: Json) -> Json:
    path = row["path"]
    url = f"{repo.url}/contents/{path}?ref={sha}"
    git_url = f"{repo.url}/git/blobs/{row['sha']}"
    html_url = f"{repo.html_url}/blob/{sha}/{path}"
    return {
        "type": KINDS[row["mode"]],
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": row["sha"],
        "size": row.get("size", 0),
        "url": url,
        "git_url": git_url,
        "html_url": html_url,
        "download_url": None,
        "_links": {"self": url, "git": git_url, "html": html_url},
    }


@answers("GET", f"{REPO}/git/trees/{{tree_sha}}")
def trees(request: Request) -> Answer:
    repo, name = request.repository, request.names["tree_sha"]
    try:
        sha = repo.bare.git("rev-parse", "--verify", "-q", "--end-of-options", f"{name}^{{tree}}")
    except LookupError:
        raise Refused(404, "Not Found") from None
    rows = tree(repo, sha, recursive="recursive" in request.query)
    for row in rows:
        row["url"] = f"{repo.url}/git/{row['type']}s/{row['sha']}"
    return Answer({"sha": sha, "url": f"{repo.url}/git/trees/{sha}", "tree": rows, "truncated": False})


@answers("GET", f"{REPO}/git/blobs/{{file_sha}}")
def blob(request: Request) -> Answer:
    repo, sha = request.repository, request.names["file_sha"]
    try:
        data = repo.bare.bytes("cat-file", "blob", sha)
    except LookupError:
        raise Refused(404, "Not Found") from None
    if "raw" in request.headers.get("accept", ""):
        return Answer(data)
    text = base64.encodebytes(data).decode()
    facts = {"sha": sha, "node_id": f"B_{sha[:12]}", "size": len(data), "url": f"{repo.url}/git/blobs/{sha}"}
    return Answer({**facts, "content": text, "encoding": "base64"})


@answers("GET", f"{REPO}/activity")
def activity(request: Request) -> Answer:
    """Pushes, newest first; the cursors `before` and `after` are not known."""
    query, found = request.query, request.repository.activity
    ref = query.get("ref")
    if ref:
        found = [item for item in found if item["ref"] in (ref, f"refs/heads/{ref}")]
    if kind := query.get("activity_type"):
        found = [item for item in found if item["activity_type"] == kind]
    if query.get("direction") == "asc":
        found = found[::-1]
    return Answer(found[: min(int(query.get("per_page", 30)), 100)])
