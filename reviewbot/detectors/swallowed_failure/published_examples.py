"""The same rule where what follows hands something out: a release, an upload, a deployment."""

from __future__ import annotations

from reviewbot.detectors.contract import Example

BAD = (
    Example(
        why="Without the tag the release is made of what was there.",
        lines=(2,),
        path="release.sh",
        code="""\
cd project || exit 1
git checkout "$TAG"
make release
""",
    ),
    Example(
        why="The fix is missing from what is installed for all.",
        lines=(2,),
        path="install.sh",
        code="""\
#!/bin/sh
patch -p1 < fixes/overflow.patch
./configure --prefix=/opt/tool
make -j8
sudo make install
""",
    ),
    Example(
        why="The rendered manifest is missing, or that of the last deployment.",
        lines=(1, 2),
        path="deploy.sh",
        code="""\
envsubst < app.yaml.in > manifests/app.yaml
cp overlays/prod.yaml manifests/
kubectl apply -f manifests/
""",
    ),
    Example(
        why="The upload takes the folder, whatever is in it.",
        lines=(1, 3),
        path="site.sh",
        code="""\
python3 render.py --out public
push_site() { aws s3 sync public/ "s3://$BUCKET" --delete; }
cp robots.txt public/robots.txt
push_site
""",
    ),
    Example(
        why="Hints: what an earlier build left may be there, or nothing, and then the upload fails.",
        lines=(1, 3, 5),
        path="publish.sh",
        code="""\
docker build -t "$IMAGE" .
docker push "$IMAGE"
python3 -m build
twine upload dist/*
npm run build
rsync -a --delete build/ "$WEB_HOST:/srv/www/"
""",
    ),
)

GOOD = (
    Example(
        why="It stops.",
        path="release.sh",
        code="""\
git checkout "$TAG" || exit 1
git apply fix.patch && make release
npm run build && rsync -a dist/ web:/srv/www/
""",
    ),
    Example(
        why="errexit is on.",
        path="release.sh",
        code="""\
set -e
git checkout "$TAG"
docker build -t "$IMAGE" .
docker push "$IMAGE"
""",
    ),
    Example(
        why="These hand nothing out.",
        path="release.sh",
        code="""\
git checkout "$TAG"
make release-notes
make check-release
git push --dry-run
kubectl apply --dry-run=server -f manifests/
rsync -a "$WEB_HOST:/srv/www/" backup/
pip install -r requirements.txt
python3 publish_metrics.py
""",
    ),
    Example(
        why="Two uploads to one host depend on nothing but themselves.",
        path="upload.sh",
        code="""\
scp app.tar.gz "$DEPLOY_FILE_HOST:/srv/"
scp app.conf "$DEPLOY_FILE_HOST:/srv/"
aws s3 cp notes.txt "s3://$OUT_BUCKET/"
aws s3 cp index.html "s3://$OUT_BUCKET/"
""",
    ),
    Example(
        why="What is handed out is the source of the copy, or another folder.",
        path="upload.sh",
        code="""\
cp "$OUT_FILE" "$HOME/last/"
scp "$OUT_FILE" web:/srv/
npm run build
rsync -a docs/ web:/srv/docs/
""",
    ),
    Example(
        why="The checkout comes behind the push.",
        path="release.sh",
        code="""\
git push origin main
git checkout "$BRANCH"
""",
    ),
    Example(
        why="The build is looked for.",
        path="upload.sh",
        code="""\
python3 render.py --out "$OUT_DIR"
[ -f "$OUT_DIR/index.html" ] || exit 1
aws s3 sync "$OUT_DIR" s3://site
""",
    ),
)
