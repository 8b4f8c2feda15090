"""The tables, and by what they are asked."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Double, Index, Integer, LargeBinary, MetaData, Table

from reviewbot.store.columns import Key, Packed, Repo, Words

metadata = MetaData()

# PostgreSQL may hold other tables beside ours.
version = Table("reviewbot_schema", metadata, Column("version", Integer, nullable=False))

deliveries = Table(
    "reviewbot_deliveries",
    metadata,
    Column("id", Key, primary_key=True),
    Column("event", Key, nullable=False),
    Column("action", Key, nullable=False),
    Column("installation", BigInteger),
    Column("repo", Repo, nullable=False),
    Column("number", BigInteger),
    Column("received", Double, nullable=False),
    Column("state", Key, nullable=False),
    Column("why", Words, nullable=False),
    Column("run", Key, nullable=False),
    Column("trigger", Packed),
    Column("claimed", Double),
)
Index("reviewbot_deliveries_state", deliveries.c.state, deliveries.c.received, deliveries.c.id)
Index("reviewbot_deliveries_received", deliveries.c.received)
Index("reviewbot_deliveries_repo", deliveries.c.repo, deliveries.c.received)
Index("reviewbot_deliveries_installation", deliveries.c.installation)

runs = Table(
    "reviewbot_runs",
    metadata,
    Column("id", Key, primary_key=True),
    Column("repo", Repo, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("installation", BigInteger),
    Column("kind", Key, nullable=False),
    Column("why", Words, nullable=False),
    Column("title", Words(500), nullable=False),
    Column("author", Key, nullable=False),
    Column("url", Words, nullable=False),
    Column("head", Key, nullable=False),
    Column("base", Key, nullable=False),
    Column("state", Key, nullable=False),
    Column("verdict", Key, nullable=False),
    Column("created", Double, nullable=False),
    Column("begun", Double),
    Column("ended", Double),
    Column("worker", Key, nullable=False),
    Column("usd", Double, nullable=False),
    Column("error", Words(4_000), nullable=False),
    Column("cancel", Words, nullable=False),
    Column("ticks", Integer, nullable=False),
)
Index("reviewbot_runs_state", runs.c.state, runs.c.created)
Index("reviewbot_runs_pull", runs.c.repo, runs.c.number, runs.c.state)
Index("reviewbot_runs_created", runs.c.created)
Index("reviewbot_runs_installation", runs.c.installation)
# Holds all that the dashboard adds up.
Index("reviewbot_runs_repo", runs.c.repo, runs.c.created, runs.c.verdict, runs.c.usd)

# Beside the runs, so that lists of runs do not read it.
documents = Table(
    "reviewbot_documents",
    metadata,
    Column("run", Key, primary_key=True),
    Column("document", Packed),
    Column("facts", Packed),
)

ticks = Table(
    "reviewbot_ticks",
    metadata,
    Column("run", Key, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("stage", Key, nullable=False),
    Column("done", BigInteger, nullable=False),
    Column("total", BigInteger, nullable=False),
)

votes = Table(
    "reviewbot_votes",
    metadata,
    Column("repo", Repo, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("fingerprint", Key, primary_key=True),
    Column("kind", Key, primary_key=True),
    Column("slug", Key, nullable=False),
    Column("at", Double, nullable=False),
)
Index("reviewbot_votes_class", votes.c.repo, votes.c.slug, votes.c.kind)
Index("reviewbot_votes_at", votes.c.at)

workers = Table(
    "reviewbot_workers",
    metadata,
    Column("id", Key, primary_key=True),
    Column("host", Key, nullable=False),
    Column("version", Key, nullable=False),
    Column("boot", Key, nullable=False),
    Column("beat", Double, nullable=False),
)

answers = Table(
    "reviewbot_answers",
    metadata,
    Column("installation", BigInteger, primary_key=True, autoincrement=False),  # 0: of none
    Column("repo", Repo, primary_key=True),
    Column("name", Key, primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("size", Integer, nullable=False),
    Column("at", Double, nullable=False),
)
Index("reviewbot_answers_at", answers.c.at, answers.c.size)

installations = Table(
    "reviewbot_installations",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("account", Key, nullable=False),
)

# Of an installation that has left for good no more than this is kept.
away = Table(
    "reviewbot_away",
    metadata,
    Column("installation", BigInteger, primary_key=True, autoincrement=False),
    Column("why", Key, nullable=False),  # uninstalled | suspended
    Column("at", Double, nullable=False),
)

repositories = Table(
    "reviewbot_repositories",
    metadata,
    Column("repo", Repo, primary_key=True),
    Column("installation", BigInteger, nullable=False),
)
Index("reviewbot_repositories_installation", repositories.c.installation)

sessions = Table(
    "reviewbot_sessions",
    metadata,
    Column("token", Key, primary_key=True),  # hashed by the caller
    Column("login", Key, nullable=False),
    Column("opened", Double, nullable=False),
    Column("expires", Double, nullable=False),
)
Index("reviewbot_sessions_login", sessions.c.login, sessions.c.opened)
Index("reviewbot_sessions_expires", sessions.c.expires)
