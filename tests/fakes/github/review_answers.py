"""Reviews and review comments, with the rules of hunks and GitHub's own words of refusal."""

from __future__ import annotations

from typing import Any

from tests.fakes.github.answers import PULL, REPO, Answer, Refused, Request, answers, text_of
from tests.fakes.github.bare import HEADER, Row
from tests.fakes.github.comment_answers import found_comment, own_comment
from tests.fakes.github.model import FakePull, Json

REVIEW = f"{PULL}/reviews/{{review_id}}"
COMMENT = f"{REPO}/pulls/comments/{{comment_id}}"
THREAD = "Pull request review thread"
STATES = {"COMMENT": "COMMENTED", "APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED"}


def side_rows(rows: list[Row], side: str) -> dict[int, Row]:
    """Line number to row, of those that are on a side."""
    numbered = ((row.left if side == "LEFT" else row.right, row) for row in rows)
    return {number: row for number, row in numbered if number is not None}


def misplaced(comment: Json, rows: dict[str, list[Row]]) -> list[str]:
    """What is wrong with the place of a line comment, in the words of GitHub after its subject."""
    if comment["path"] not in rows:
        return ["path is invalid", "diff hunk can't be blank"]
    mine = rows[comment["path"]]
    if "line" not in comment:
        known = comment.get("position") in {row.position for row in mine}
        return [] if known else ["line must be part of the diff", "diff hunk can't be blank"]
    side = comment.get("side") or "RIGHT"
    end = side_rows(mine, side).get(comment["line"])
    if end is None:
        return ["line must be part of the diff", "diff hunk can't be blank"]
    if comment.get("start_line") is None:
        return []
    start_side = comment.get("start_side") or side
    start = side_rows(mine, start_side).get(comment["start_line"])
    if start_side == side and comment["start_line"] >= comment["line"]:
        return ["start line must precede the end line."]
    if start is None or start.hunk != end.hunk:
        return ["start line must be part of the same hunk as the line."]
    return ["start line must precede the end line."] if start.position >= end.position else []


def placed(comment: Json, commit: str, rows: list[Row], patch: str) -> Json:
    """The keys of a review comment that say where it stands."""
    side = comment.get("side") or "RIGHT"
    if "line" in comment:
        row = side_rows(rows, side)[comment["line"]]
    else:
        row = next(row for row in rows if row.position == comment["position"])
        side = "LEFT" if row.right is None else "RIGHT"
    line = row.left if side == "LEFT" else row.right
    start = comment.get("start_line")
    return {
        "path": comment["path"],
        "side": side,
        "line": line,
        "original_line": line,
        "start_line": start,
        "original_start_line": start,
        "start_side": None if start is None else comment.get("start_side", side),
        "position": row.position,
        "original_position": row.position,
        "commit_id": commit,
        "original_commit_id": commit,
        "subject_type": "line",
        "diff_hunk": hunk(patch, row.position),
    }


def hunk(patch: str, position: int) -> str:
    """From the header before `position` to it."""
    lines = patch.split("\n")[: position + 1]
    start = max(number for number, line in enumerate(lines) if HEADER.match(line))
    return "\n".join(lines[start:])


def reviewed_commit(pull: FakePull, sha: str | None, refusal: Any) -> str:
    """The commit a review is of. What GitHub says of a commit from elsewhere is not known."""
    head = pull.head_sha
    if sha is None or sha == head:
        return head
    bare = pull.repository.bare
    if bare.commit(sha) != sha or not bare.is_ancestor(sha, head):
        raise refusal
    return sha


def patches(pull: FakePull, commit: str) -> dict[str, str]:
    bare = pull.repository.bare
    base = bare.merge_base(pull.base_sha, commit) or pull.base_sha
    return {item.path: item.patch or "" for item in bare.files(base, commit)}


def begun(pull: FakePull, author: str, comment: Json) -> Json:
    """A comment at the head with a review of its own, not yet in a thread."""
    commit = pull.head_sha
    rows = pull.rows(commit)
    if wrong := misplaced(comment, rows):
        raise ValueError(", ".join(wrong))
    place = placed(comment, commit, rows[comment["path"]], patches(pull, commit)[comment["path"]])
    review = new_review(pull, commit, "", "COMMENTED", author)
    pull.reviews.append(review)
    return pull.review_comment(author, comment["body"], {**place, "pull_request_review_id": review["id"]})


def new_review(pull: FakePull, commit: str, body: str, state: str, author: str | None = None) -> Json:
    fake, number = pull.fake, pull.fake.next_id()
    html_url = f"{pull.html_url}#pullrequestreview-{number}"
    review = {
        "id": number,
        "node_id": f"PRR_{number}",
        "user": fake.user(author or fake.me),
        "body": body,
        "state": state,
        "commit_id": commit,
        "html_url": html_url,
        "pull_request_url": pull.url,
        "author_association": "NONE",
        "_links": {"html": {"href": html_url}, "pull_request": {"href": pull.url}},
    }
    if state != "PENDING":
        review["submitted_at"] = fake.now()
    return review


def refuse(*words: str) -> Refused:
    return Refused(422, "Unprocessable Entity", errors=list(words))


def may_submit(request: Request, event: str, text: str) -> None:
    if event in ("COMMENT", "REQUEST_CHANGES") and not text.strip():
        raise refuse("Review body can't be blank")
    if request.pull.author == request.fake.me and event in ("APPROVE", "REQUEST_CHANGES"):
        raise refuse(
            f"Can not {event.lower().replace('_', ' ')} on your own pull request".replace(
                "approve on", "approve"
            )
        )


def long(text: str) -> None:
    if len(text) > 65536:
        raise refuse("body is too long (maximum is 65536 characters)")


@answers("GET", f"{PULL}/reviews")
def listed(request: Request) -> Answer:
    return request.page(request.pull.reviews)


@answers("POST", f"{PULL}/reviews")
def written(request: Request) -> Answer:
    """All or nothing: one comment in the wrong place and no part of the review is kept."""
    request.may_write("pull_requests")
    request.may_talk()
    pull, body = request.pull, request.body
    text, event = body.get("body") or "", body.get("event", "")
    long(text)
    may_submit(request, event, text)
    mine = [review for review in pull.reviews if review["user"]["login"] == request.fake.me]
    if any(review["state"] == "PENDING" for review in mine):
        raise refuse("User can only have one pending review per pull request")
    commit = reviewed_commit(pull, body.get("commit_id"), refuse("commit_id is not part of the pull request"))
    rows, found = pull.rows(commit), patches(pull, commit)
    comments = body.get("comments", [])
    for comment in comments:
        long(comment["body"])
    if wrong := {words: None for comment in comments for words in misplaced(comment, rows)}:
        raise refuse(", ".join(f"{THREAD} {words}" for words in wrong))
    review = new_review(pull, commit, text, STATES.get(event, "PENDING"))
    pull.reviews.append(review)
    made = []
    for comment in comments:
        place = placed(comment, commit, rows[comment["path"]], found[comment["path"]])
        place["pull_request_review_id"] = review["id"]
        made.append(pull.review_comment(request.fake.me, comment["body"], place))
    pull.pending[review["id"]] = made
    if event:
        publish(pull, review)
    return Answer(review)


def publish(pull: FakePull, review: Json) -> None:
    for comment in pull.pending.pop(review["id"], []):
        pull.open_thread(comment)


def found_review(request: Request) -> Json:
    for review in request.pull.reviews:
        if review["id"] == int(request.names["review_id"]):
            return review
    raise Refused(404, "Not Found")


@answers("GET", REVIEW)
def one(request: Request) -> Answer:
    return Answer(found_review(request))


@answers("PUT", REVIEW)
def edited(request: Request) -> Answer:
    request.may_write("pull_requests")
    review = found_review(request)
    long(request.body["body"])
    review["body"] = request.body["body"]
    return Answer(review)


@answers("DELETE", REVIEW)
def discarded(request: Request) -> Answer:
    request.may_write("pull_requests")
    review = found_review(request)
    if review["state"] != "PENDING":
        raise refuse("Can not delete a non-pending pull request review")
    request.pull.reviews.remove(review)
    request.pull.pending.pop(review["id"], None)
    return Answer(review)


@answers("POST", f"{REVIEW}/events")
def submitted(request: Request) -> Answer:
    request.may_write("pull_requests")
    review, event = found_review(request), request.body["event"]
    text = request.body.get("body") or review["body"]
    may_submit(request, event, text)
    review.update(body=text, state=STATES[event], submitted_at=request.fake.now())
    publish(request.pull, review)
    return Answer(review)


@answers("PUT", f"{REVIEW}/dismissals")
def dismissed(request: Request) -> Answer:
    request.may_write("pull_requests")
    review = found_review(request)
    if review["state"] not in ("APPROVED", "CHANGES_REQUESTED"):
        raise refuse("Can not dismiss a commented pull request review")
    review["state"] = "DISMISSED"
    return Answer(review)


@answers("GET", f"{REVIEW}/comments")
def comments_of(request: Request) -> Answer:
    number = found_review(request)["id"]
    found = [item for item in request.pull.review_comments if item["pull_request_review_id"] == number]
    return request.page(found or request.pull.pending.get(number, []))


@answers("GET", f"{PULL}/comments")
def comments(request: Request) -> Answer:
    found = request.pull.review_comments
    if since := request.query.get("since"):
        found = [comment for comment in found if comment["updated_at"] >= since]
    if request.query.get("direction") == "desc":
        found = found[::-1]
    return request.page(found)


@answers("POST", f"{PULL}/comments")
def commented(request: Request) -> Answer:
    request.may_write("pull_requests")
    request.may_talk()
    pull, body = request.pull, request.body
    text = text_of(body, "PullRequestReviewComment")
    if "in_reply_to" in body:
        return Answer(replied(request, text), 201)
    commit = reviewed_commit(
        pull, body.get("commit_id"), invalid("commit_id", "is not part of the pull request")
    )
    rows, found = pull.rows(commit), patches(pull, commit)
    if body.get("subject_type") == "file":
        if body["path"] not in rows:
            raise invalid("path", "is invalid")
        place = whole_file(body["path"], commit, found[body["path"]])
    else:
        for words in misplaced(body, rows):
            name = "start_line" if words.startswith("start") else words.split()[0]
            raise invalid(name, words.removeprefix("start line ").removeprefix("line ").removeprefix("path "))
        place = placed(body, commit, rows[body["path"]], found[body["path"]])
    review = new_review(pull, commit, "", "COMMENTED")
    pull.reviews.append(review)
    comment = pull.review_comment(request.fake.me, text, {**place, "pull_request_review_id": review["id"]})
    pull.open_thread(comment)
    return Answer(comment, 201)


def whole_file(path: str, commit: str, patch: str) -> Json:
    nowhere = dict.fromkeys(
        ("line", "original_line", "start_line", "original_start_line", "start_side"), None
    )
    return {
        **nowhere,
        "path": path,
        "side": "RIGHT",
        "position": 1,
        "original_position": 1,
        "commit_id": commit,
        "original_commit_id": commit,
        "subject_type": "file",
        "diff_hunk": "\n".join(patch.split("\n")[:4]),
    }


def invalid(name: str, words: str) -> Refused:
    key = f"pull_request_review_thread.{name}"
    error = {
        "resource": "PullRequestReviewComment",
        "code": "custom",
        "field": key,
        "message": f"{key} {words}",
    }
    return Refused(422, "Validation Failed", errors=[error])


def replied(request: Request, text: str) -> Json:
    """A reply to the first comment of a thread; a reply to a reply is refused."""
    for thread in request.pull.threads:
        if thread.comments[0]["id"] == request.body["in_reply_to"]:
            return request.pull.reply(thread, request.fake.me, text)
    raise invalid("in_reply_to", "is invalid")


@answers("GET", COMMENT)
def one_comment(request: Request) -> Answer:
    return Answer(found_comment(request, "review_comments")[1])


@answers("PATCH", COMMENT)
def comment_edited(request: Request) -> Answer:
    request.may_write("pull_requests")
    _, comment = own_comment(request, "review_comments")
    comment["body"] = text_of(request.body, "PullRequestReviewComment")
    comment["updated_at"] = request.fake.now()
    return Answer(comment)


@answers("DELETE", COMMENT)
def comment_deleted(request: Request) -> Answer:
    """With its last comment a thread goes."""
    request.may_write("pull_requests")
    pull, comment = own_comment(request, "review_comments")
    pull.review_comments.remove(comment)
    for thread in list(pull.threads):
        thread.comments = [item for item in thread.comments if item is not comment]
        if not thread.comments:
            pull.threads.remove(thread)
    return Answer(None, 204)
