// Migration 1: streams with their leases, entries, blobs, inbox, snapshots, outcomes, notes and logs.

/**
 * Times are milliseconds since 1970. Texts that hold JSON are of type text, because their digests and checksums are of
 * the text. `last_write` names the last write of a stream, so that a write can be repeated after a lost connection.
 */
export const journal = `
CREATE TABLE reconverge.streams (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  title text NOT NULL,
  created_at bigint NOT NULL,
  version integer NOT NULL DEFAULT 0,     -- of the last entry
  epoch integer NOT NULL DEFAULT 1,       -- raised whenever the lease changes hands
  status text NOT NULL DEFAULT '',
  summary text NOT NULL DEFAULT '{}',     -- JSON
  last_write text NOT NULL,
  held_until bigint,                      -- the lease; NULL: nobody holds it
  host text,
  pid integer,
  nonce text,
  started_at bigint                       -- the host's mark of when the process began
) WITH (fillfactor = 70);                 -- room for the new versions of a row that changes often

CREATE TABLE reconverge.entries (
  stream bigint NOT NULL REFERENCES reconverge.streams ON DELETE CASCADE,
  version integer NOT NULL,
  type smallint NOT NULL,
  at bigint NOT NULL,
  cause integer NOT NULL,
  payload text NOT NULL,                  -- JSON
  PRIMARY KEY (stream, version)
);

CREATE TABLE reconverge.blobs (
  digest text PRIMARY KEY,
  text text NOT NULL
);

CREATE TABLE reconverge.blob_uses (
  digest text NOT NULL REFERENCES reconverge.blobs,
  stream bigint NOT NULL REFERENCES reconverge.streams ON DELETE CASCADE,
  PRIMARY KEY (digest, stream)
);
CREATE INDEX blob_uses_stream ON reconverge.blob_uses (stream);

CREATE TABLE reconverge.inbox (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  stream bigint NOT NULL REFERENCES reconverge.streams ON DELETE CASCADE,
  id text NOT NULL,                       -- idempotency key
  command text NOT NULL,                  -- JSON
  by text NOT NULL,
  why text NOT NULL,
  at bigint NOT NULL,
  write text NOT NULL,                    -- as last_write
  taken integer,                          -- the stream's version after the append that answered it
  answer text,                            -- JSON
  UNIQUE (stream, id)
);
CREATE INDEX inbox_pending ON reconverge.inbox (stream, position) WHERE taken IS NULL;

CREATE TABLE reconverge.snapshots (
  stream bigint PRIMARY KEY REFERENCES reconverge.streams ON DELETE CASCADE,
  version integer NOT NULL,               -- of the last entry that is folded in
  shape text NOT NULL,
  checksum bigint NOT NULL,               -- CRC-32 of the text
  text text NOT NULL
);

CREATE TABLE reconverge.outcomes (
  id text PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  text text NOT NULL                      -- JSON
);

CREATE TABLE reconverge.notes (
  id text PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  text text NOT NULL                      -- JSON
);

CREATE TABLE reconverge.logs (
  stream bigint NOT NULL REFERENCES reconverge.streams ON DELETE CASCADE,
  number integer NOT NULL,
  at bigint NOT NULL,
  severity smallint NOT NULL,             -- 5 debug, 9 info, 13 warn, 17 error
  step text NOT NULL,
  attempt integer NOT NULL,
  delivery integer NOT NULL,
  call integer NOT NULL,                  -- within the attempt; 0: the attempt is one call
  source text NOT NULL,
  trace text NOT NULL,                    -- W3C trace context; '': none
  message text NOT NULL,
  data text NOT NULL,                     -- JSON; '': none
  PRIMARY KEY (stream, number)
);

-- Each write answers {"value": …}, or {"refused": reason} and has then changed nothing.
CREATE FUNCTION reconverge.create_stream(w json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  kept reconverge.streams;
BEGIN
  INSERT INTO reconverge.streams (id, title, created_at, last_write, held_until, host, pid, nonce, started_at)
  VALUES (w->>'id', w->>'title', (w->>'createdAt')::bigint, w->>'write', (w->>'until')::bigint,
    w->'holder'->>'host', (w->'holder'->>'pid')::integer, w->'holder'->>'nonce', (w->'holder'->>'startedAt')::bigint)
  ON CONFLICT (id) DO NOTHING;
  IF FOUND THEN RETURN '{"value":1}'; END IF;
  SELECT * INTO kept FROM reconverge.streams WHERE id = w->>'id';
  IF kept.last_write = w->>'write' THEN RETURN '{"value":1}'; END IF;
  RETURN '{"refused":"exists"}';
END $$;

CREATE FUNCTION reconverge.append(w json, longest integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  kept reconverge.streams;
  after integer := (w->>'expected')::integer + json_array_length(w->'entries');
BEGIN
  SELECT * INTO kept FROM reconverge.streams WHERE id = w->>'stream' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN '{"refused":"unknown"}'; END IF;
  IF kept.last_write = w->>'write' THEN RETURN '{"value":1}'; END IF;
  IF kept.epoch <> (w->>'epoch')::integer THEN RETURN '{"refused":"epoch"}'; END IF;
  IF after > longest THEN RETURN '{"refused":"full"}'; END IF;
  IF kept.version <> (w->>'expected')::integer THEN RETURN '{"refused":"version"}'; END IF;
  UPDATE reconverge.streams SET version = after, last_write = w->>'write',
    status = coalesce(w->>'status', status), summary = coalesce(w->>'summary', summary)
  WHERE key = kept.key;
  INSERT INTO reconverge.entries (stream, version, type, at, cause, payload)
  SELECT kept.key, e.version, e.type, e.at, e.cause, e.payload FROM json_to_recordset(w->'entries')
    AS e (version integer, type smallint, at bigint, cause integer, payload text);
  IF json_array_length(w->'blobs') > 0 THEN
    -- The removal of unused blobs waits for appends with blobs, and they wait for it.
    PERFORM pg_advisory_xact_lock_shared(hashtext('reconverge.blobs'));
    INSERT INTO reconverge.blobs (digest, text)
    SELECT b.digest, b.text FROM json_to_recordset(w->'blobs') AS b (digest text, text text) ORDER BY b.digest
    ON CONFLICT DO NOTHING;
    INSERT INTO reconverge.blob_uses (digest, stream)
    SELECT b.digest, kept.key FROM json_to_recordset(w->'blobs') AS b (digest text) ON CONFLICT DO NOTHING;
  END IF;
  IF json_array_length(w->'taken') > 0 THEN
    UPDATE reconverge.inbox SET taken = after, answer = t.answer
    FROM json_to_recordset(w->'taken') AS t (id text, answer text)
    WHERE inbox.stream = kept.key AND inbox.id = t.id AND inbox.taken IS NULL;
  END IF;
  RETURN '{"value":1}';
END $$;

CREATE FUNCTION reconverge.add_logs(w json, longest integer) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  owner bigint;
  last integer;
BEGIN
  SELECT key INTO owner FROM reconverge.streams WHERE id = w->>'stream' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN '{"value":0}'; END IF;
  SELECT coalesce(max(number), 0) INTO last FROM reconverge.logs WHERE stream = owner;
  INSERT INTO reconverge.logs
  SELECT owner, last + n, (l->>'at')::bigint, (l->>'severity')::smallint, l->'origin'->>'step',
    (l->'origin'->>'attempt')::integer, (l->'origin'->>'delivery')::integer, (l->'origin'->>'call')::integer,
    l->'origin'->>'source', l->'origin'->>'trace', l->>'message', l->>'data'
  FROM json_array_elements(w->'lines') WITH ORDINALITY AS each (l, n) WHERE last + n <= longest;
  RETURN '{"value":1}';
END $$;

-- The writes of one tick, as one transaction.
CREATE FUNCTION reconverge.write_group(writes json, longest integer, flush boolean) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  w json;
  answers json[] := '{}';
BEGIN
  IF flush THEN PERFORM set_config('synchronous_commit', 'on', true); END IF;
  FOR w IN SELECT * FROM json_array_elements(writes) LOOP
    answers := answers || CASE w->>'kind'
      WHEN 'create' THEN reconverge.create_stream(w)
      WHEN 'append' THEN reconverge.append(w, longest)
      ELSE reconverge.add_logs(w, longest)
    END;
  END LOOP;
  RETURN array_to_json(answers);
END $$;
`;
