"""Puts the answers of a survey beside the names of those who answered."""

import logging

log = logging.getLogger(__name__)


def join(names, answers):
    if len(names) != len(answers):
        log.warning("length mismatch: %d names, %d answers", len(names), len(answers))
        raise ValueError("answers do not belong to these names")
    return dict(zip(names, answers))
