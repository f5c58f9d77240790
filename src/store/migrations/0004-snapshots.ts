// Migration 4: a snapshot of each stream, so that readers can skip its beginning. A snapshot may be deleted at any time.

export const snapshots = `
CREATE TABLE snapshots (
  stream INTEGER PRIMARY KEY REFERENCES streams,
  version INTEGER NOT NULL,    -- of the last entry that it takes in
  shape TEXT NOT NULL,         -- by which its writer knows what it can read
  checksum INTEGER NOT NULL,   -- CRC-32 of the text
  text ANY NOT NULL
) STRICT;
`;
