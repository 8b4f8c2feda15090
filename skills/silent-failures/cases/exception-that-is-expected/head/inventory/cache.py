"""Stock counts, kept between two runs."""

import json
import logging

log = logging.getLogger(__name__)


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def refresh(path, fetch):
    counts = load(path)
    for shelf in fetch.shelves():
        try:
            counts[shelf] = fetch.count(shelf)
        except KeyError:
            pass
        except Exception:
            log.exception("shelf %s was not counted", shelf)
            raise
    return counts
