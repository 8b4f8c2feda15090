"""The tables' version: a new database is made at the newest, an older one is brought there step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, inspect, select, text, update

from reviewbot.core.errors import ConfigError
from reviewbot.store.tables import metadata, version

FIRST = 1
# What brings a database to the version of its number, one statement each, for both databases. A step that
# was released is never changed.
STEPS: Mapping[int, Sequence[str]] = {
    2: (
        # Whose code the answers quote was not kept: they are asked for again.
        "DROP TABLE reviewbot_answers",
        "CREATE TABLE reviewbot_answers (installation BIGINT NOT NULL, repo TEXT NOT NULL, "
        "name TEXT NOT NULL, content BYTEA NOT NULL, size INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL, "
        "PRIMARY KEY (installation, repo, name))",
        "CREATE INDEX reviewbot_answers_at ON reviewbot_answers (at, size)",
        "CREATE TABLE reviewbot_away (installation BIGINT NOT NULL PRIMARY KEY, why TEXT NOT NULL, "
        "at DOUBLE PRECISION NOT NULL)",
        "UPDATE reviewbot_deliveries SET repo = lower(repo) WHERE repo <> lower(repo)",
        "UPDATE reviewbot_runs SET repo = lower(repo) WHERE repo <> lower(repo)",
        "INSERT INTO reviewbot_votes (repo, number, fingerprint, kind, slug, at) "
        "SELECT lower(repo), number, fingerprint, kind, slug, at FROM reviewbot_votes "
        "WHERE repo <> lower(repo) ON CONFLICT DO NOTHING",
        "DELETE FROM reviewbot_votes WHERE repo <> lower(repo)",
        "INSERT INTO reviewbot_repositories (repo, installation) SELECT lower(repo), installation "
        "FROM reviewbot_repositories WHERE repo <> lower(repo) ON CONFLICT DO NOTHING",
        "DELETE FROM reviewbot_repositories WHERE repo <> lower(repo)",
    ),
}

_LOCK = 7_203_114_951  # of PostgreSQL, while one process migrates


def migrate(connection: Connection, steps: Mapping[int, Sequence[str]] = STEPS) -> None:
    """In the transaction of `connection`, so that it is done whole or not. Raises ConfigError for a
    database of a newer reviewbot."""
    newest = max(steps, default=FIRST)
    if connection.dialect.name == "postgresql":
        if (form := connection.execute(text("SHOW server_encoding")).scalar()) != "UTF8":
            raise ConfigError(f"the database keeps text as {form}", "make one with ENCODING 'UTF8'")
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    if not inspect(connection).has_table(version.name):
        metadata.create_all(connection)
        connection.execute(version.insert().values(version=newest))
        return
    found = connection.execute(select(version.c.version)).scalar_one()
    if found > newest:
        raise ConfigError(
            f"the database is of version {found}, this reviewbot knows {newest}",
            "install the newer reviewbot, or name another REVIEWBOT_DATABASE_URL",
        )
    for step in range(found + 1, newest + 1):
        for statement in steps[step]:
            connection.execute(text(statement))
    if found < newest:
        connection.execute(update(version).values(version=newest))
