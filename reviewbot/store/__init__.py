"""What the App remembers, in SQLite or PostgreSQL: the only room that speaks SQL.

`opened.py` opens it, `place.py` is where a SQLite file may lie, `database.py` has the transactions and
what ends them, `tables.py` the columns, `schema.py` their versions, `deletion.py` what goes again; each other
file is one kind of row.
"""

from reviewbot.store.installations import SUSPENDED, Installations
from reviewbot.store.opened import Store
from reviewbot.store.place import sqlite_url
from reviewbot.store.sessions import Session

__all__ = ["SUSPENDED", "Installations", "Session", "Store", "sqlite_url"]
