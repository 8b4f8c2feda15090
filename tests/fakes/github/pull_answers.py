"""Pull requests, their files and commits, comparisons."""

from __future__ import annotations

from tests.fakes.github import shapes
from tests.fakes.github.answers import PULL, REPO, Answer, Refused, Request, answers
from tests.fakes.github.model import FakePull, FakeRepository

MOST_FILES, MOST_FILES_COMPARED, MOST_LINES = 3000, 300, 20_000


@answers("GET", f"{REPO}/pulls")
def listed(request: Request) -> Answer:
    query = request.query
    state = query.get("state", "open")
    found = [
        pull
        for pull in request.repository.pulls.values()
        if state in ("all", pull.state)
        and query.get("base", pull.base) == pull.base
        and query.get("head", label(pull)) == label(pull)
    ]
    newest_first = query.get("direction", "desc") == "desc"
    found.sort(key=lambda pull: pull.number, reverse=newest_first)
    page = request.page(found)
    return page._replace(body=[shapes.brief(pull) for pull in page.body])


def label(pull: FakePull) -> str:
    return f"{(pull.fork or pull.repository).owner}:{pull.head}"


@answers("GET", PULL)
def one(request: Request) -> Answer:
    if "diff" not in request.headers.get("accept", ""):
        return Answer(shapes.whole(request.pull))
    pull = request.pull
    changed = pull.repository.bare.files(pull.merge_base, pull.head_sha)
    diff = pull.repository.bare.bytes("diff", "-M", pull.merge_base, pull.head_sha)
    if len(changed) > MOST_FILES_COMPARED or diff.count(b"\n") > MOST_LINES:
        error = {"resource": "PullRequest", "field": "diff", "code": "too_large"}
        raise Refused(406, "Sorry, the diff exceeded the maximum that can be shown.", errors=[error])
    return Answer(diff)


@answers("GET", f"{PULL}/files")
def files(request: Request) -> Answer:
    pull = request.pull
    changed = pull.repository.bare.files(pull.merge_base, pull.head_sha)[:MOST_FILES]
    page = request.page(changed)
    return page._replace(body=[shapes.file(pull.repository, pull.head_sha, item) for item in page.body])


@answers("GET", f"{PULL}/commits")
def commits(request: Request) -> Answer:
    pull = request.pull
    page = request.page(pull.repository.bare.commits(pull.merge_base, pull.head_sha)[:250])
    return page._replace(body=[shapes.commit(pull.repository, sha) for sha in page.body])


@answers("GET", f"{REPO}/compare/{{basehead}}")
def compared(request: Request) -> Answer:
    """Files only on the first page, and at most 300 of them."""
    repo = request.repository
    names = request.names["basehead"].split("...")
    if len(names) != 2:
        raise Refused(404, "Not Found")
    old, new = (side(request, name) for name in names)
    base = repo.bare.merge_base(old, new)
    if base is None:
        raise Refused(404, f"No common ancestor between {names[0]} and {names[1]}.")
    ahead, behind = repo.bare.commits(base, new), repo.bare.commits(base, old)
    status = "identical" if old == new else "diverged" if ahead and behind else "ahead" if ahead else "behind"
    page = request.page(ahead, default=250)
    body = {
        "url": f"{repo.url}/compare/{request.names['basehead']}",
        "status": status,
        "ahead_by": len(ahead),
        "behind_by": len(behind),
        "total_commits": len(ahead),
        "base_commit": shapes.commit(repo, old),
        "merge_base_commit": shapes.commit(repo, base),
        "commits": [shapes.commit(repo, sha) for sha in page.body],
    }
    if request.query.get("page", "1") == "1":
        changed = repo.bare.files(base, new)[:MOST_FILES_COMPARED]
        body["files"] = [shapes.file(repo, new, item) for item in changed]
    return page._replace(body=body)


def side(request: Request, name: str) -> str:
    """The commit that one side of a comparison names: a branch, a tag, an id or `owner:branch` of a fork."""
    repo = request.repository
    owner, colon, branch = name.rpartition(":")
    if colon and owner != repo.owner:
        repo = fork_of(request, owner)
    found = repo.bare.commit(branch)
    if found and repo is not request.repository:
        request.repository.bare.git("fetch", "-q", str(repo.path), found)
    if found is None:
        raise Refused(404, "Not Found")
    return found


def fork_of(request: Request, owner: str) -> FakeRepository:
    forks = [pull.fork for pull in request.repository.pulls.values() if pull.fork and not pull.fork_deleted]
    for fork in forks:
        if fork.owner == owner:
            return fork
    raise Refused(404, "Not Found")
