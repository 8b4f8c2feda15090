"""What counts as handing something out, and what a swallowed failure before it costs."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from reviewbot.core.rehearse import splice
from reviewbot.core.types import Grade, Text
from reviewbot.detectors.contract import Hit
from reviewbot.detectors.shell.launches import bare
from reviewbot.detectors.shell.publications import Publication, publication
from reviewbot.detectors.shell.script import ShellFile
from reviewbot.detectors.swallowed_failure import DETECTOR, find_shell, published_examples

R, D, U, P, I = Publication  # noqa: E741


@pytest.mark.parametrize(
    ("command", "does"),
    [
        ("make release", R),
        ("make VERSION=1 -C project publish-docs", R),
        ("docker run --rm -v /src builder make release", R),
        ("npm publish --access public", R),
        ("twine upload dist/*", R),
        ("python3 -m twine upload dist/*", R),
        ("python setup.py sdist upload", R),
        ("uv publish", R),
        ("cargo publish", R),
        ("gh release create v1 dist/app", R),
        ("bash scripts/release.sh 1.2", R),
        ("goreleaser release", R),
        ("make deploy-prod", D),
        ("yarn deploy:prod", D),
        ("npm run deploy", D),
        ("kubectl -n shop apply -f k8s/", D),
        ("kubectl create -f job.yaml", D),
        ("kubectl rollout restart deployment/shop", D),
        ("helm upgrade --install shop ./chart", D),
        ("terraform apply -auto-approve", D),
        ("ansible-playbook -i hosts site.yml", D),
        ("gcloud run deploy shop --image shop:1", D),
        ("aws lambda update-function-code --function-name f --zip-file fileb://f.zip", D),
        ("sudo -u deploy ./deploy.sh prod", D),
        ("mkdocs gh-deploy", D),
        ("rsync -az --delete public/ deploy@web:/srv/www/", U),
        ("scp -P 22 site.tgz web:/tmp", U),
        ("aws s3 sync dist/ s3://site --delete", U),
        ("gsutil -m cp -r out gs://site/", U),
        ("hf upload team/model .", U),
        ("git push origin main", P),
        ("git -C site push --force", P),
        ("docker push app:1", P),
        ("docker buildx build --push -t app .", P),
        ("make docker-push", P),
        ("skopeo copy docker://a docker://b", P),
        ("sudo make -j8 install", I),
        ("make prefix=/opt all install", I),
        ("cmake --build build --target install", I),
        ("python3 setup.py develop", I),
        ("pip install -e .[dev]", I),
    ],
)
def test_a_publication_is_recognised_and_holds_a_trigger(command, does):
    assert publication(bare(shlex.split(command))) is does
    assert any(trigger in command for trigger in DETECTOR.triggers["shell"])


@pytest.mark.parametrize(
    "command",
    [
        "",
        "make",
        "make -n release",
        "make -C deploy all",
        "make release-notes",
        "make check-release",
        "make install-deps",
        "npm run build",
        "npm install",
        "twine check dist/*",
        "docker build -t app .",
        "docker run app make test",
        "kubectl get pods",
        "kubectl apply --dry-run=client -f k8s/",
        "kubectl create namespace shop",
        "helm lint chart",
        "terraform plan",
        "ansible-playbook --check site.yml",
        "rsync -a web:/srv/www/ backup/",
        "rsync -a src/ copy/",
        "rsync -avn public/ web:/srv/www/",
        "scp web:/tmp/log .",
        "aws s3 ls s3://site",
        "aws s3 cp s3://site/a a",
        "aws s3 cp s3://a/x s3://b/x",
        "git push --dry-run",
        "git push origin --delete old",
        "git pull",
        "goreleaser release --snapshot",
        "pip install requests",
        "pip install -r ./requirements.txt",
        "python3 publish_metrics.py",
        "bash deploy_lib.sh",
        "python3 release_notes.py",
    ],
)
def test_what_only_looks_like_it_is_none(command):
    assert publication(bare(shlex.split(command))) is None


def hits(code: str) -> list[Hit]:
    return list(find_shell(ShellFile(Text("release.sh", code))))


@pytest.mark.parametrize(
    ("step", "then", "outcome", "cost"),
    [
        (
            'git checkout "$TAG"',
            "make release",
            "takes whatever revision was there",
            "What is released is another revision, under the name of this one.",
        ),
        (
            "git apply fix.patch",
            "sudo make install",
            "takes the unpatched code",
            "What is installed is unpatched code, which passes for patched.",
        ),
        (
            "cp prod.yaml k8s/app.yaml",
            "kubectl apply -f k8s/",
            "goes without it, or with an old one",
            "What is deployed lacks these files, or has old ones.",
        ),
        (
            'python3 render.py --out "$OUT_DIR"',
            'rsync -a "$OUT_DIR/" web:/srv/',
            "takes it as it was before",
            "What is uploaded is what was there before, under the name of what was to be made.",
        ),
    ],
)
def test_a_publication_is_spoken_of_in_its_own_words(step, then, outcome, cost):
    (hit,) = hits(f"{step}\n{then}\n")
    assert (hit.grade, hit.cost) == (Grade.STRONG, cost)
    assert f"`{then}` at line 2" in hit.failure
    assert hit.failure.endswith(f"then {outcome}.")
    assert "GPU" not in hit.failure + hit.cost + hit.fix


@pytest.mark.parametrize(
    ("build", "then"),
    [
        ('docker build -t "$IMAGE" .', 'docker push "$IMAGE"'),
        ("docker build -t team/app:1 .", "docker push team/app:1"),
        ("python3 -m build", "twine upload dist/*"),
        ("python3 setup.py sdist", "python3 -m twine upload dist/*"),
        ("npm run build", "npm publish"),
        ("npm run build", "aws s3 sync ./build s3://site"),
        ("hugo --minify", "rsync -a public/ web:/srv/"),
        ("mkdocs build", "scp -r site web:/srv/"),
    ],
)
def test_a_build_before_its_publication_is_a_hint(build, then):
    (hit,) = hits(f"{build}\n{then}\n")
    assert hit.grade is Grade.HINT
    assert hit.failure.endswith("then takes what an earlier build left there.")


@pytest.mark.parametrize(
    "code",
    [
        "npm run build\nrsync -a docs/ web:/srv/\n",
        "docker build -t a:1 .\ndocker push b:1\n",
        "npm run build\nsrun ./bench.sh build\n",
        'scp a.tgz "$OUT_HOST:/srv/"\nscp b.tgz "$OUT_HOST:/srv/"\n',
        'cp "$OUT_FILE" last.txt\nscp "$OUT_FILE" web:/srv/\n',
        "python3 render.py --out public\nrsync -a assets/ web:/srv/\n",
        'git push\ngit checkout "$BRANCH"\n',
        'git checkout "$TAG" && make release\n',
    ],
)
def test_nothing_is_said_of_what_a_publication_does_not_take(code):
    assert hits(code) == []


def test_a_launch_behind_a_publication_still_counts():
    (hit,) = hits("cp base.yaml recipe.yaml\nscp log.txt web:/srv/\nsrun ./bench.sh\n")
    assert "`srun ./bench.sh` at line 3" in hit.failure
    assert hit.cost.startswith("GPU hours")


def test_the_claim_calls_a_publication_by_its_name():
    (hit,) = hits('git checkout "$TAG"\ndocker push "app:$TAG"\n')
    texts = [claim.text for claim in hit.claims]
    assert 'Line 2 is the push: `docker push "app:$TAG"`.' in texts
    assert "The push reads `TAG` at line 2." in texts


@pytest.mark.parametrize(
    ("launch", "cost"),
    [
        ("docker run --rm app report", "A run"),
        ("docker run --gpus all app report", "GPU hours"),
        ("srun app", "GPU hours"),
    ],
)
def test_a_container_without_a_gpu_costs_a_run(launch, cost):
    (hit,) = hits(f'git checkout "$TAG"\n{launch}\n')
    assert hit.cost == f"{cost} on another revision, reported as this one."


# --- executed -----------------------------------------------------------------------------

FAILING = ("git", "cp", "python3", "npm", "patch", "envsubst")
PUBLISHING = ("make", "docker", "kubectl", "aws", "twine", "rsync", "sudo")


@pytest.mark.parametrize("example", published_examples.BAD, ids=lambda e: e.why)
def test_a_bad_example_publishes_behind_its_failed_step_and_mended_it_does_not(example, tmp_path: Path):
    tools = tmp_path / "bin"
    (tmp_path / "project").mkdir()
    (tmp_path / "manifests").mkdir()
    tools.mkdir()
    for names, body in (
        (FAILING, "exit 1"),
        (PUBLISHING, '[ "$1" != build ] || exit 1\necho PUBLISHED'),
    ):
        for name in names:
            (tools / name).write_text(f"#!/bin/sh\n{body}\n")
            (tools / name).chmod(0o755)
    env = {"PATH": f"{tools}:/usr/bin:/bin", "TAG": "v1", "IMAGE": "app", "BUCKET": "b", "WEB_HOST": "web"}

    def published(code: str) -> bool:
        done = subprocess.run(
            ["bash", "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=30
        )
        return "PUBLISHED" in done.stdout

    text = Text("release.sh", example.code)
    for hit in reversed(hits(example.code)):
        assert hit.edit
        text = splice(text, hit.edit)
    assert published(example.code)
    assert not published(text.content)
