-- Times are milliseconds since 1970, UTC.
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    team INTEGER NOT NULL,
    email TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX accounts_email ON accounts (email);
CREATE INDEX accounts_team ON accounts (team);
