"""Which shell commands hand something to others: a release, a deployment, an upload, an installation.

They are launches of their own kind: what they cost on a wrong input is not hours, but what others get.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum

from reviewbot.core.patterns import pattern
from reviewbot.detectors.shell.launches import name_tokens, script_of


class Publication(Enum):
    """What a command does for others, as a noun."""

    RELEASE = "release"
    DEPLOYMENT = "deployment"
    UPLOAD = "upload"
    PUSH = "push"
    INSTALLATION = "installation"


_Rule = Callable[[Sequence[str]], Publication | None]

_DOES = {
    **dict.fromkeys(("release", "publish"), Publication.RELEASE),
    "deploy": Publication.DEPLOYMENT,
    "upload": Publication.UPLOAD,
    "push": Publication.PUSH,
}
# `make release-notes`, `make check-release` and `make build-release` hand nothing to anybody.
_ONLY_NEAR = pattern(
    r"notes?|changelog|version|check|tests?|lint|verify|validate|status|build|prep\w*|pre|clean|undo|rollback"
    r"|local\w*|dry|dryrun|env|deps|results?|metrics?|logs?|report\w*|events?|message|topic|common|lib|config|utils?"
)
_TRIED = pattern(
    r"--(?:dry-?run|noop|check|syntax-check|list-\w+|snapshot|skip-publish|help|version)(?:=(?!none|false).*)?"
)
_REMOTE = pattern(r"[^/:]+:(?!//).*|rsync://.*", re.DOTALL)
_BUCKET = pattern(r"(?:s3|gs|az|abfss?|hf|oss|cos)://|https://")
_HERE = pattern(r"\.{1,2}(?:/.*|\[.*\])?", re.DOTALL)
_WITH_VALUE = ("-C", "-f", "-I")  # of `make` and its like
_MODULES = ("twine", "pip", "poetry", "flit")  # behind `python -m`
_FEW = 40  # words behind `docker run` in which its command is looked for


def publication(command: Sequence[str]) -> Publication | None:
    """What a command hands out; None for all others. `command` is `bare`."""
    if not command or any(map(_TRIED.fullmatch, command[1:])):
        return None
    name, arguments = command[0], command[1:]
    script = script_of(command)
    if script in _MODULES:
        name, arguments = script, arguments[arguments.index(script) + 1 :]
    rule = _RULES.get(name)
    if rule or not script:
        return rule(arguments) if rule else None
    return _setup(arguments) if script.endswith("setup.py") else _does(name_tokens(script), last=False)


def _does(tokens: Sequence[str], *, last: bool) -> Publication | None:
    """What a name promises that begins so, as `deploy_docs`, or, with `last`, ends so, as `docker-push`."""
    if not tokens or any(map(_ONLY_NEAR.fullmatch, tokens)):
        return None
    return _DOES.get(tokens[0]) or (_DOES.get(tokens[-1]) if last else None)


def _operands(arguments: Sequence[str], with_value: Sequence[str] = ()) -> list[str]:
    found, skip = [], False
    for argument in arguments:
        if not skip and not argument.startswith("-"):
            found.append(argument)
        skip = argument in with_value
    return found


def _targets(arguments: Sequence[str]) -> Publication | None:
    """Of `make` and its like."""
    if "-n" in arguments:
        return None
    operands = _operands(arguments, _WITH_VALUE)
    found = (
        _does(re.split(r"[-_:./]", target.lower()), last=True) for target in operands if "=" not in target
    )
    installs = Publication.INSTALLATION if "install" in operands else None
    return next(filter(None, found), installs)


def _verb(does: Publication, *verbs: str) -> _Rule:
    """A verb of one or two words at the beginning."""

    def rule(arguments: Sequence[str]) -> Publication | None:
        first = _operands(arguments)[:3]
        said = {*first[:2], " ".join(first[:2]), " ".join(first[1:3])}
        return does if said & set(verbs) else None

    return rule


def _any(does: Publication) -> _Rule:
    return lambda arguments: does


def _package(arguments: Sequence[str]) -> Publication | None:
    """Of npm and its like: `publish`, or a script of package.json."""
    operands = _operands(arguments)
    script = operands[1:2] if operands[:1] == ["run"] else operands[:1]
    return _does(re.split(r"[-_:.]", script[0].lower()), last=True) if script else None


def _container(arguments: Sequence[str]) -> Publication | None:
    operands = _operands(arguments)
    if "push" in operands[:2] or ("build" in operands[:2] and "--push" in arguments):
        return Publication.PUSH
    if operands[:1] == ["run"]:
        inside = next((i for i, word in enumerate(arguments[:_FEW]) if word in _MAKERS), _FEW)
        return _targets(arguments[inside + 1 :])
    return None


def _cluster(arguments: Sequence[str]) -> Publication | None:
    operands = _operands(arguments, ("-n", "--namespace", "--context"))
    applied = operands[:1] in (["apply"], ["replace"], ["patch"])
    changed = operands[:2] in (["set", "image"], ["rollout", "restart"])
    made = operands[:1] == ["create"] and ("-f" in arguments or "-k" in arguments)
    return Publication.DEPLOYMENT if applied or changed or made else None


def _git(arguments: Sequence[str]) -> Publication | None:
    operands = _operands(arguments, ("-C", "-c"))
    pushes = operands[:1] == ["push"] or operands[:2] == ["subtree", "push"]
    return Publication.PUSH if pushes and not {"-n", "-d", "--delete"} & set(arguments) else None


def _to_host(arguments: Sequence[str]) -> Publication | None:
    """`rsync` and `scp` whose last operand is on another machine."""
    last = _operands(arguments)[-1:]
    tried = any(re.fullmatch(r"-[a-zA-Z]*n[a-zA-Z]*", a) for a in arguments)
    return Publication.UPLOAD if last and _REMOTE.fullmatch(last[0]) and not tried else None


def _to_bucket(arguments: Sequence[str]) -> Publication | None:
    operands = _operands(arguments)
    if "deploy" in operands[:4] or {"update-function-code", "update-service"} & set(operands[:2]):
        return Publication.DEPLOYMENT
    copies = {"cp", "sync", "mv", "copy", "rsync", "mirror"} & set(operands[:3])
    buckets = [bool(_BUCKET.match(operand)) for operand in operands]
    return Publication.UPLOAD if copies and buckets[-1] and sum(buckets) == 1 else None


def _setup(arguments: Sequence[str]) -> Publication | None:
    operands = set(_operands(arguments))
    if "upload" in operands:
        return Publication.RELEASE
    return Publication.INSTALLATION if {"install", "develop"} & operands else None


def _pip(arguments: Sequence[str]) -> Publication | None:
    """Only of what lies here: another package is no part of what was prepared."""
    operands = _operands(arguments, ("-r", "-c", "--requirement", "--constraint"))
    here = operands[:1] == ["install"] and any(map(_HERE.fullmatch, operands[1:]))
    return Publication.INSTALLATION if here else None


def _cmake(arguments: Sequence[str]) -> Publication | None:
    installs = "--install" in arguments or ("--build" in arguments and "install" in arguments)
    return Publication.INSTALLATION if installs else None


CLUSTERS = ("kubectl", "oc", "helm")  # they launch by publishing, and by nothing else
_MAKERS = ("make", "gmake", "just", "rake", "task", "gradle", "gradlew", "mvn", "mvnw", "ninja", "meson")
_RULES: dict[str, _Rule] = {
    **dict.fromkeys((*_MAKERS, "inv", "invoke", "fab", "cap", "fastlane"), _targets),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _package),
    **dict.fromkeys(("docker", "podman", "nerdctl", "buildah", "docker-compose"), _container),
    **dict.fromkeys(("kubectl", "oc"), _cluster),
    **dict.fromkeys(("rsync", "scp"), _to_host),
    **dict.fromkeys(("aws", "gsutil", "gcloud", "azcopy", "s5cmd", "rclone", "mc"), _to_bucket),
    **dict.fromkeys(("pip", "pip3"), _pip),
    **dict.fromkeys(
        ("poetry", "flit", "hatch", "uv", "pdm", "cargo", "lerna", "maturin"),
        _verb(Publication.RELEASE, "publish", "upload"),
    ),
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), _verb(Publication.DEPLOYMENT, "apply")),
    **dict.fromkeys(
        (
            "cdk",
            "sam",
            "serverless",
            "sls",
            "firebase",
            "fly",
            "flyctl",
            "netlify",
            "wrangler",
            "eb",
            "vercel",
        ),
        _verb(Publication.DEPLOYMENT, "deploy", "publish"),
    ),
    **dict.fromkeys(("goreleaser", "semantic-release"), _any(Publication.RELEASE)),
    **dict.fromkeys(("skopeo", "crane", "oras"), _verb(Publication.PUSH, "copy", "push")),
    **dict.fromkeys(("hf", "huggingface-cli"), _verb(Publication.UPLOAD, "upload")),
    **dict.fromkeys(("gh", "glab"), _verb(Publication.RELEASE, "release create", "release upload")),
    "git": _git,
    "cmake": _cmake,
    "twine": _verb(Publication.RELEASE, "upload"),
    "gem": _verb(Publication.RELEASE, "push"),
    "helm": _verb(Publication.DEPLOYMENT, "install", "upgrade"),
    "ansible-playbook": _any(Publication.DEPLOYMENT),
    "pulumi": _verb(Publication.DEPLOYMENT, "up"),
    "mkdocs": _verb(Publication.DEPLOYMENT, "gh-deploy"),
    "mike": _verb(Publication.DEPLOYMENT, "deploy"),
}
