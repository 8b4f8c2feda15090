"""Check runs and their annotations."""

from __future__ import annotations

from tests.fakes.github.answers import REPO, Answer, Refused, Request, answers
from tests.fakes.github.content_answers import commit_of
from tests.fakes.github.model import Json, app

RUN = f"{REPO}/check-runs/{{check_run_id}}"


def may_check(request: Request) -> list[Json]:
    """The annotations of the request; refused for a token that is no App's."""
    if not request.fake.app:
        raise Refused(403, "You must authenticate via a GitHub App.")
    request.may_write("checks")
    annotations: list[Json] = (request.body.get("output") or {}).get("annotations", [])
    return annotations


@answers("POST", f"{REPO}/check-runs")
def begun(request: Request) -> Answer:
    annotations = may_check(request)
    repo, number = request.repository, request.fake.next_id()
    if repo.bare.commit(request.body["head_sha"]) is None:
        raise Refused(422, f"No commit found for SHA: {request.body['head_sha']}")
    url = f"{repo.url}/check-runs/{number}"
    run: Json = {
        "id": number,
        "node_id": f"CR_{number}",
        "name": request.body["name"],
        "head_sha": request.body["head_sha"],
        "url": url,
        "html_url": f"{repo.html_url}/runs/{number}",
        "details_url": request.body.get("details_url", repo.html_url),
        "external_id": request.body.get("external_id", ""),
        "status": "queued",
        "conclusion": None,
        "started_at": request.body.get("started_at", request.fake.now()),
        "completed_at": None,
        "check_suite": {"id": number + 1_000_000},
        "app": app(request.fake),
        "pull_requests": [],
        "output": {
            **dict.fromkeys(("title", "summary", "text")),
            "annotations_count": 0,
            "annotations_url": f"{url}/annotations",
        },
    }
    repo.check_runs.append(run)
    repo.annotations[number] = []
    change(request, run, annotations)
    return Answer(run, 201)


def change(request: Request, run: Json, annotations: list[Json]) -> None:
    """What creation and update share; annotations are added to those that are there."""
    body, repo = request.body, request.repository
    for key in ("name", "status", "conclusion", "details_url", "external_id", "started_at", "completed_at"):
        if key in body:
            run[key] = body[key]
    if "conclusion" in body:
        run["status"] = "completed"
        run["completed_at"] = body.get("completed_at", request.fake.now())
    for key in ("title", "summary", "text"):
        if key in (body.get("output") or {}):
            run["output"][key] = body["output"][key]
    for item in annotations:
        link = f"{repo.html_url}/blob/{run['head_sha']}/{item['path']}"
        blank = {"start_column": None, "end_column": None, "title": None, "raw_details": None}
        repo.annotations[run["id"]].append({**blank, **item, "blob_href": link})
    run["output"]["annotations_count"] = len(repo.annotations[run["id"]])


def found_run(request: Request) -> Json:
    for run in request.repository.check_runs:
        if run["id"] == int(request.names["check_run_id"]):
            return run
    raise Refused(404, "Not Found")


@answers("GET", RUN)
def one(request: Request) -> Answer:
    return Answer(found_run(request))


@answers("PATCH", RUN)
def updated(request: Request) -> Answer:
    annotations = may_check(request)
    run = found_run(request)
    change(request, run, annotations)
    return Answer(run)


@answers("GET", f"{RUN}/annotations")
def annotated(request: Request) -> Answer:
    return request.page(request.repository.annotations[found_run(request)["id"]])


@answers("GET", f"{REPO}/commits/{{ref}}/check-runs")
def of_commit(request: Request) -> Answer:
    """Newest first; of runs with the same name only the newest, unless all are asked for."""
    sha = commit_of(request.repository, request.names["ref"], 422)
    found = [run for run in request.repository.check_runs[::-1] if run["head_sha"] == sha]
    if name := request.query.get("check_name"):
        found = [run for run in found if run["name"] == name]
    if status := request.query.get("status"):
        found = [run for run in found if run["status"] == status]
    if request.query.get("filter", "latest") == "latest":
        found = list({run["name"]: run for run in found[::-1]}.values())
    return request.page(found, key="check_runs")
