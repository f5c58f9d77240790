// Migration 1: streams with their leases, entries, blobs and inbox.

/**
 * An entry's key is one integer, so that an entry of 100 bytes costs 24 more on disk and not 37: its position is
 * the stream's key times 2^24 plus the version. `stream` and `version` read it for people and take no room.
 * Columns that may be long are ANY: text, or the bytes of the deflated text.
 */
export const journal = `
CREATE TABLE streams (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  created_at INTEGER NOT NULL, -- milliseconds since 1970
  version INTEGER NOT NULL,    -- of the last entry
  epoch INTEGER NOT NULL,      -- raised whenever the lease changes hands
  status TEXT NOT NULL,
  summary TEXT NOT NULL        -- JSON
) STRICT;

CREATE TABLE leases (
  stream INTEGER PRIMARY KEY REFERENCES streams,
  until INTEGER NOT NULL,      -- milliseconds since 1970
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  nonce TEXT NOT NULL,
  started_at INTEGER           -- the host's mark of when the process began
) STRICT;

CREATE TABLE entries (
  position INTEGER PRIMARY KEY,
  type INTEGER NOT NULL,
  elapsed INTEGER NOT NULL,    -- milliseconds since the stream's created_at
  cause INTEGER NOT NULL,
  payload ANY NOT NULL,        -- JSON
  stream INTEGER AS (position >> 24) VIRTUAL,
  version INTEGER AS (position & 16777215) VIRTUAL
) STRICT;

CREATE TABLE blobs (
  digest TEXT PRIMARY KEY,
  text ANY NOT NULL
) STRICT;

CREATE TABLE inbox (
  position INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES streams,
  id TEXT NOT NULL,            -- idempotency key
  command TEXT NOT NULL,       -- JSON
  by TEXT NOT NULL,
  why TEXT NOT NULL,
  at INTEGER NOT NULL,         -- milliseconds since 1970
  taken INTEGER,               -- the stream's version after the append that answered it
  UNIQUE (stream, id)
) STRICT;

CREATE INDEX inbox_pending ON inbox (stream, position) WHERE taken IS NULL;
`;
