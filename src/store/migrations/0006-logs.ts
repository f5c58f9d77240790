// Migration 6: the log lines of attempts. A line may be deleted at any time: no run is read from its log.

/**
 * A line's position is the stream's key times 2^24 plus its number, as for entries, so that the lines of a stream lie
 * together. Its writer is kept once for all of its lines.
 */
export const logs = `
CREATE TABLE log_origins (
  key INTEGER PRIMARY KEY,
  stream INTEGER NOT NULL REFERENCES streams,
  step TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  delivery INTEGER NOT NULL,
  call INTEGER NOT NULL,       -- within the attempt; 0: the attempt is one call
  source TEXT NOT NULL,        -- '': the capability itself
  trace TEXT NOT NULL,         -- W3C trace context; '': none
  UNIQUE (stream, step, attempt, delivery, call, source, trace)
) STRICT;

CREATE TABLE logs (
  position INTEGER PRIMARY KEY,
  origin INTEGER NOT NULL REFERENCES log_origins,
  elapsed INTEGER NOT NULL,    -- milliseconds since the stream's created_at
  severity INTEGER NOT NULL,   -- 5 debug, 9 info, 13 warn, 17 error
  message ANY NOT NULL,
  data ANY NOT NULL            -- JSON; '': none
) STRICT;
`;
