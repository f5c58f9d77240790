// Migration 3: the outcomes of runs, from which later runs learn.

export const outcomes = `
CREATE TABLE outcomes (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  text ANY NOT NULL            -- JSON
) STRICT;
`;
