-- When an account was deleted; NULL: it was not.
ALTER TABLE accounts ADD COLUMN deleted_at INTEGER;

-- The address of a deleted account may be used again.
DROP INDEX accounts_email;
CREATE UNIQUE INDEX accounts_email ON accounts (email) WHERE deleted_at IS NULL;
