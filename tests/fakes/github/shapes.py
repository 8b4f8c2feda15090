"""REST shapes of repositories, pull requests, files and commits; the description fills in the rest."""

from __future__ import annotations

from tests.fakes.github.bare import Entry
from tests.fakes.github.model import FakePull, FakeRepository, Json


def repository(repo: FakeRepository) -> Json:
    fake = repo.fake
    owner, name = repo.name.split("/")
    role = "admin" if "contents" not in fake.lacking else "read"
    return {
        "id": repo.id,
        "node_id": f"R_{repo.id}",
        "name": name,
        "full_name": repo.name,
        "private": repo.private,
        "visibility": "private" if repo.private else "public",
        "archived": repo.archived,
        "owner": {**fake.user(owner), "type": "Organization"},
        "url": repo.url,
        "html_url": repo.html_url,
        "clone_url": f"{repo.html_url}.git",
        "git_url": f"{repo.html_url}.git",
        "default_branch": repo.default_branch,
        "fork": repo.parent is not None,
        "has_issues": True,
        "permissions": {"admin": False, "push": role == "admin", "pull": True},
    }


def issue_url(pull: FakePull) -> str:
    return f"{pull.repository.url}/issues/{pull.number}"


def brief(pull: FakePull) -> Json:
    """A pull request as lists have it."""
    fake, repo = pull.fake, pull.repository
    head_repo = pull.fork or repo
    gone = pull.fork_deleted or head_repo.hidden
    merged_at = fake.now() if pull.merged else None
    head = {
        "label": f"{head_repo.owner}:{pull.head}",
        "ref": pull.head,
        "sha": pull.head_sha,
        "repo": None if gone else repository(head_repo),
        "user": None if gone else fake.user(head_repo.owner),
    }
    base = {
        "label": f"{repo.owner}:{pull.base}",
        "ref": pull.base,
        "sha": pull.base_sha,
        "repo": repository(repo),
        "user": fake.user(repo.owner),
    }
    return {
        "id": pull.id,
        "node_id": f"PR_{pull.id}",
        "number": pull.number,
        "title": pull.title,
        "body": pull.body,
        "state": pull.state,
        "locked": pull.locked,
        "draft": pull.draft,
        "user": fake.user(pull.author),
        "url": pull.url,
        "html_url": pull.html_url,
        "diff_url": f"{pull.html_url}.diff",
        "patch_url": f"{pull.html_url}.patch",
        "issue_url": issue_url(pull),
        "comments_url": f"{issue_url(pull)}/comments",
        "review_comments_url": f"{pull.url}/comments",
        "review_comment_url": f"{repo.url}/pulls/comments{{/number}}",
        "commits_url": f"{pull.url}/commits",
        "statuses_url": f"{repo.url}/statuses/{pull.head_sha}",
        "created_at": pull.created_at,
        "updated_at": fake.now(),
        "closed_at": fake.now() if pull.state == "closed" else None,
        "merged_at": merged_at,
        "merge_commit_sha": None,
        "head": head,
        "base": base,
    }


def whole(pull: FakePull) -> Json:
    """A pull request asked for by its number."""
    changed = pull.repository.bare.files(pull.merge_base, pull.head_sha)
    return {
        **brief(pull),
        "merged": pull.merged,
        "mergeable": None,
        "mergeable_state": "unknown",
        "comments": len(pull.comments),
        "review_comments": len(pull.review_comments),
        "commits": len(pull.repository.bare.commits(pull.merge_base, pull.head_sha)),
        "additions": sum(item.additions for item in changed),
        "deletions": sum(item.deletions for item in changed),
        "changed_files": len(changed),
    }


def file(repo: FakeRepository, commit: str, item: Entry) -> Json:
    shown: Json = {
        "sha": item.sha,
        "filename": item.path,
        "status": item.status,
        "additions": item.additions,
        "deletions": item.deletions,
        "changes": item.additions + item.deletions,
        "blob_url": f"{repo.html_url}/blob/{commit}/{item.path}",
        "raw_url": f"{repo.html_url}/raw/{commit}/{item.path}",
        "contents_url": f"{repo.url}/contents/{item.path}?ref={commit}",
    }
    if item.previous is not None:
        shown["previous_filename"] = item.previous
    if item.patch is not None:
        shown["patch"] = item.patch
    return shown


def commit(repo: FakeRepository, sha: str) -> Json:
    layout = "%T%x00%P%x00%an%x00%ae%x00%aI%x00%B"
    tree, parents, name, email, date, message = repo.bare.git("show", "-s", f"--format={layout}", sha).split(
        "\0"
    )
    person = {"name": name, "email": email, "date": date}
    url = f"{repo.url}/commits/{sha}"
    return {
        "sha": sha,
        "node_id": f"C_{sha[:12]}",
        "url": url,
        "html_url": f"{repo.html_url}/commit/{sha}",
        "comments_url": f"{url}/comments",
        "author": None,
        "committer": None,
        "commit": {
            "author": person,
            "committer": person,
            "message": message.rstrip("\n"),
            "tree": {"sha": tree, "url": f"{repo.url}/git/trees/{tree}"},
            "url": f"{repo.url}/git/commits/{sha}",
            "comment_count": 0,
        },
        "parents": [{"sha": item, "url": f"{repo.url}/commits/{item}"} for item in parents.split()],
    }
