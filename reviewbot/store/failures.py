"""What goes wrong with a database, told apart from what is wrong with a statement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from reviewbot.core.errors import StoreDown

REMEDY = "see its log, its disk and REVIEWBOT_DATABASE_URL"


@contextmanager
def told() -> Iterator[None]:
    """Raises StoreDown for what a database does; what we asked wrongly is not caught."""
    try:
        yield
    except exc.TimeoutError as error:
        raise StoreDown("the database: no connection became free", REMEDY) from error
    except exc.DBAPIError as error:
        if _asked_wrongly(error):
            raise
        # Only the driver's own words: the statement and its values are not for a log.
        words = " ".join(str(error.orig).split()) or type(error.orig).__name__
        raise StoreDown(f"the database: {words[:300]}", REMEDY) from error


def _asked_wrongly(error: exc.DBAPIError) -> bool:
    wrong = (exc.IntegrityError, exc.DataError, exc.ProgrammingError, exc.NotSupportedError)
    return isinstance(error, wrong) and not error.connection_invalidated
