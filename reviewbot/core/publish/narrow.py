"""The answer to `review path/…`: what one review says of some files. The summary stays that of all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reviewbot.core.globs import BadPattern, glob_of, glob_regex
from reviewbot.core.report.markdown import render
from reviewbot.core.report.markup import code, prose
from reviewbot.core.types import Review


def answer(review: Review, paths: Sequence[str]) -> str:
    """Markdown. paths: as they were written: files, folders, globs."""
    named = ", ".join(map(code, paths))
    try:
        asked = [re.compile(glob_regex(glob_of(path.removeprefix("./")))) for path in paths]
    except BadPattern as error:
        return f"{prose(str(error))}."
    chosen = {f.path for f in review.change.files if any(glob.fullmatch(f.path) for glob in asked)}
    if not chosen:
        return f"No changed file of this pull request is {named}."
    of_them = review._replace(
        findings=tuple(f for f in review.findings if f.candidate.site.path in chosen),
        rejections=tuple(r for r in review.rejections if r.candidate.site.path in chosen),
        uncovered=tuple(u for u in review.uncovered if u.path in chosen),
        change=review.change._replace(files=tuple(f for f in review.change.files if f.path in chosen)),
    )
    return f"Of {named} alone:\n\n{render(of_them)}"
