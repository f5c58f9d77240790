// Migration 3: what became of each run, for whoever learns from it.

export const outcomes = `
CREATE TABLE outcomes (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  text ANY NOT NULL            -- JSON
) STRICT;
`;
