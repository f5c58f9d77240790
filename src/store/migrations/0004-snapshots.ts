// Migration 4: what each stream has come to, for whoever would have to read it from its beginning. One for each; it may go at any time.

export const snapshots = `
CREATE TABLE snapshots (
  stream INTEGER PRIMARY KEY REFERENCES streams,
  version INTEGER NOT NULL,    -- of the last entry that it takes in
  shape TEXT NOT NULL,         -- by which its writer knows what it can read
  checksum INTEGER NOT NULL,   -- CRC-32 of the text
  text ANY NOT NULL
) STRICT;
`;
