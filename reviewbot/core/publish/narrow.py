"""The answer to `review path/…`: what one review says of some files. The summary stays that of all."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from reviewbot.core.globs import BadPattern, glob_of, glob_regex
from reviewbot.core.publish.headline import headline
from reviewbot.core.publish.standing import ours
from reviewbot.core.publish.summary import alone, not_done, unreviewed
from reviewbot.core.publish.table import Row, defects
from reviewbot.core.report.markup import code, prose
from reviewbot.core.types import Review, Said


def answer(review: Review, paths: Sequence[str], said: Said) -> str:
    """Markdown. paths: as they were written: files, folders, globs. said: where the links lead."""
    named = ", ".join(map(code, paths))
    try:
        asked = [re.compile(glob_regex(glob_of(path.removeprefix("./")))) for path in paths]
    except BadPattern as error:
        return f"{prose(str(error))}."
    chosen = {f.path for f in review.change.files if any(glob.fullmatch(f.path) for glob in asked)}
    if not chosen:
        return f"No changed file of this pull request is {named}."
    return "\n\n".join(_said(_only(review, chosen), f"Of {named}", said))


def _only(review: Review, paths: Collection[str]) -> Review:
    return review._replace(
        findings=tuple(f for f in review.findings if f.candidate.site.path in paths),
        rejections=tuple(r for r in review.rejections if r.candidate.site.path in paths),
        uncovered=tuple(u for u in review.uncovered if u.path in paths),
        change=review.change._replace(files=tuple(f for f in review.change.files if f.path in paths)),
    )


def _said(review: Review, of_what: str, said: Said) -> Iterator[str]:
    """As the summary says it; in full only what has no conversation of its own."""
    urls = {name: thread.remarks[0].url for thread, own in ours(said) for name in own.fingerprints}
    found = [f for f in review.findings if not f.preexisting]
    rows = [Row(f, urls.get(f.fingerprint, ""), "" if f.decides else "worth a second look") for f in found]
    yield f"{of_what}: {headline(review).markdown}"
    yield from not_done(review)
    if rows:
        yield from defects(rows)
    yield from unreviewed(review)
    yield from alone(rows)
