"""Issue comments, and the reactions to comments of both kinds."""

from __future__ import annotations

from tests.fakes.github import shapes
from tests.fakes.github.answers import REPO, Answer, Refused, Request, answers, text_of
from tests.fakes.github.model import FakePull, Json

COMMENTS = f"{REPO}/issues/{{issue_number}}/comments"
COMMENT = f"{REPO}/issues/comments/{{comment_id}}"


@answers("GET", f"{REPO}/issues/{{issue_number}}")
def issue(request: Request) -> Answer:
    pull = request.pull
    both = shapes.brief(pull)
    kept = (
        "id",
        "node_id",
        "number",
        "title",
        "body",
        "state",
        "locked",
        "user",
        "html_url",
        "created_at",
        "updated_at",
    )
    links = {
        "url": pull.url,
        "html_url": pull.html_url,
        "diff_url": both["diff_url"],
        "patch_url": both["patch_url"],
    }
    url = shapes.issue_url(pull)
    rest = {
        "url": url,
        "comments_url": f"{url}/comments",
        "comments": len(pull.comments),
        "pull_request": links,
    }
    return Answer({**{key: both[key] for key in kept}, "closed_at": both["closed_at"], "labels": [], **rest})


@answers("GET", COMMENTS)
def listed(request: Request) -> Answer:
    found = request.pull.comments
    if since := request.query.get("since"):
        found = [comment for comment in found if comment["updated_at"] >= since]
    return request.page(found)


@answers("POST", COMMENTS)
def written(request: Request) -> Answer:
    request.may_write("issues", "pull_requests")
    request.may_talk()
    text = text_of(request.body, "IssueComment")
    return Answer(
        request.pull.comment(request.fake.me, text, type=request.fake.user(request.fake.me)["type"]), 201
    )


def found_comment(request: Request, kind: str) -> tuple[FakePull, Json]:
    """The comment of `kind` (comments or review_comments) that the path names, and its pull request."""
    for pull in request.repository.pulls.values():
        for comment in getattr(pull, kind):
            if comment["id"] == int(request.names["comment_id"]):
                return pull, comment
    raise Refused(404, "Not Found")


def own_comment(request: Request, kind: str) -> tuple[FakePull, Json]:
    """A comment that may be changed: the fake gives no right to the comments of others."""
    pull, comment = found_comment(request, kind)
    if comment["user"]["login"] != request.fake.me:
        raise Refused(403, "Resource not accessible by integration")
    return pull, comment


@answers("GET", COMMENT)
def one(request: Request) -> Answer:
    return Answer(found_comment(request, "comments")[1])


@answers("PATCH", COMMENT)
def edited(request: Request) -> Answer:
    request.may_write("issues", "pull_requests")
    _, comment = own_comment(request, "comments")
    comment["body"], comment["updated_at"] = text_of(request.body, "IssueComment"), request.fake.now()
    return Answer(comment)


@answers("DELETE", COMMENT)
def deleted(request: Request) -> Answer:
    request.may_write("issues", "pull_requests")
    pull, comment = own_comment(request, "comments")
    pull.comments.remove(comment)
    return Answer(None, 204)


def reactions_listed(request: Request, kind: str) -> Answer:
    _, comment = found_comment(request, kind)
    found = request.fake.reactions.get(comment["node_id"], [])
    wanted = request.query.get("content")
    return request.page([item for item in found if wanted in (None, item["content"])])


def reacted(request: Request, kind: str, *permissions: str) -> Answer:
    request.may_write(*permissions)
    pull, comment = found_comment(request, kind)
    content = request.body["content"]
    new = pull.react(comment, request.fake.me, content)
    given = request.fake.reactions[comment["node_id"]]
    mine = [item for item in given if item["user"]["login"] == request.fake.me and item["content"] == content]
    return Answer(mine[0], 201 if new else 200)


@answers("GET", f"{COMMENT}/reactions")
def comment_reactions(request: Request) -> Answer:
    return reactions_listed(request, "comments")


@answers("POST", f"{COMMENT}/reactions")
def comment_reacted(request: Request) -> Answer:
    return reacted(request, "comments", "issues")


@answers("GET", f"{REPO}/pulls/comments/{{comment_id}}/reactions")
def review_comment_reactions(request: Request) -> Answer:
    return reactions_listed(request, "review_comments")


@answers("POST", f"{REPO}/pulls/comments/{{comment_id}}/reactions")
def review_comment_reacted(request: Request) -> Answer:
    return reacted(request, "review_comments", "pull_requests")
