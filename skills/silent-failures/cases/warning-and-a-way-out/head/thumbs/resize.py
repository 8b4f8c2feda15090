"""Thumbnails of the same size for all pictures."""

import logging

log = logging.getLogger(__name__)
WIDTH = 256


def thumbnail(picture, cache=None):
    if cache is None:
        log.warning("no cache: expected one in production")
    if picture.width % 2 != 0:
        log.warning("width %d is not a multiple of 2, cropping", picture.width)
        picture = picture.crop(0, 0, picture.width - 1, picture.height)
    for count, row in enumerate(picture.rows()):
        if count % 1000 == 0:
            log.warning("still at row %d, expected to be faster", count)
        row.prepare()
    return picture.resize(WIDTH)
