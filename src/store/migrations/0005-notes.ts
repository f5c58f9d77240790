// Migration 5: notes about things outside the store, such as the features that a model's server refuses. A note may be deleted at any time.

export const notes = `
CREATE TABLE notes (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  text ANY NOT NULL            -- JSON
) STRICT;
`;
