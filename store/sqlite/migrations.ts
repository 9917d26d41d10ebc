/** The steps of the schema, in order; `user_version` counts the applied ones. A released step is never edited. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    agent_version INTEGER NOT NULL,
    status TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    archived_at TEXT,
    epoch INTEGER NOT NULL,
    cursor INTEGER NOT NULL,
    head TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_creation ON sessions (created_at, id);

  -- position is the order of appending over all sessions: it never repeats, not even after a deletion
  CREATE TABLE events (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    internal TEXT,
    ref TEXT,
    key TEXT NOT NULL,
    idx INTEGER NOT NULL,
    hash TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (session, seq),
    UNIQUE (session, id),
    UNIQUE (session, key, idx)
  ) STRICT;
  CREATE INDEX events_by_ref ON events (session, ref) WHERE ref IS NOT NULL;
  CREATE TRIGGER events_never_change BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
  CREATE TRIGGER events_never_go_alone BEFORE DELETE ON events
    WHEN EXISTS (SELECT 1 FROM sessions WHERE id = OLD.session)
    BEGIN SELECT RAISE(ABORT, 'events go only with their session'); END;

  -- one row a step, so that a step without events is known too
  CREATE TABLE appends (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    cursor INTEGER NOT NULL,
    PRIMARY KEY (session, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE outbox (
    position INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    UNIQUE (session, seq)
  ) STRICT;

  CREATE TABLE effects (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    intent TEXT NOT NULL,
    outcome TEXT,
    begun_at TEXT NOT NULL,
    finished_at TEXT,
    PRIMARY KEY (scope, key)
  ) STRICT;

  CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    latest INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    archived_at TEXT
  ) STRICT;
  CREATE INDEX agents_by_creation ON agents (created_at, id);
  CREATE TABLE agent_versions (
    id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (id, version)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE environments (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    archived_at TEXT,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX environments_by_creation ON environments (created_at, id);
  `,
  `
  -- ids sort by age; blob is null once the bytes of an expired file were taken away
  CREATE TABLE files (
    id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    filename TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    blob TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX files_by_blob ON files (blob) WHERE blob IS NOT NULL;
  CREATE INDEX files_by_expiry ON files (expires_at) WHERE expires_at IS NOT NULL AND blob IS NOT NULL;
  `,
  `
  -- status: incoming while its requests are written, leaving while they are deleted, else the API's own;
  -- unanswered: what requests without a result are counted as once the batch has ended
  CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    requests INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    cancel_initiated_at TEXT,
    ended_at TEXT,
    unanswered TEXT,
    succeeded INTEGER NOT NULL DEFAULT 0,
    errored INTEGER NOT NULL DEFAULT 0,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX batches_not_ended ON batches (status) WHERE status <> 'ended';
  -- params stand last: lists of results pass over them without reading them
  CREATE TABLE batch_requests (
    batch TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    custom_id TEXT NOT NULL,
    params BLOB NOT NULL,
    PRIMARY KEY (batch, position)
  ) STRICT;
  CREATE TABLE batch_results (
    batch TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    type TEXT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (batch, position)
  ) STRICT;
  `,
  `
  -- scope: the session that the file belongs to and goes with; origin: where in its sandbox it comes from; stamp: what told
  -- then whether the content had changed
  ALTER TABLE files ADD COLUMN scope TEXT;
  ALTER TABLE files ADD COLUMN origin TEXT;
  ALTER TABLE files ADD COLUMN stamp TEXT;
  CREATE INDEX files_by_scope ON files (scope, origin) WHERE scope IS NOT NULL;
  `,
  `
  -- sealed: values of the session's secrets, encrypted with a key that is not in the store
  CREATE TABLE session_secrets (
    session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    sealed BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- outcome: what came of the step, as JSON; null where the events say all
  ALTER TABLE appends ADD COLUMN outcome TEXT;
  `,
  `
  -- what a session's record keeps of its log from now on (LogSummary in sessions/log), of the logs that there are
  UPDATE sessions SET data = json_set(data, '$.log', json_object(
    'open_tool_uses', json((
      SELECT json_group_array(id) FROM (
        SELECT asked.id FROM events AS asked
        WHERE asked.session = sessions.id AND asked.type IN ('agent.tool_use', 'agent.custom_tool_use')
          AND NOT EXISTS (
            SELECT 1 FROM events AS answer
            WHERE answer.session = asked.session AND answer.ref = asked.id
              AND answer.type IN ('agent.tool_result', 'user.custom_tool_result')
          )
        ORDER BY asked.seq
      )
    )),
    'last_message', (
      SELECT coalesce(max(seq), 0) FROM events WHERE session = sessions.id AND type = 'user.message'
    ),
    'last_interrupt', (
      SELECT coalesce(max(seq), 0) FROM events WHERE session = sessions.id AND type = 'user.interrupt'
    ),
    'seen', (
      SELECT coalesce(max(json_extract(internal, '$.reply.cursor')), 0) FROM events WHERE session = sessions.id
    ),
    'network_request', coalesce((
      SELECT json_extract(payload, '$.number') FROM events
      WHERE session = sessions.id AND type = 'sandbox.network_request' ORDER BY seq DESC LIMIT 1
    ), 0)
  ));
  `,
  `
  -- deleting_at: the session is gone for everybody; what is left of it is being removed
  ALTER TABLE sessions ADD COLUMN deleting_at TEXT;
  CREATE INDEX sessions_deleting ON sessions (deleting_at) WHERE deleting_at IS NOT NULL;
  DROP TRIGGER events_never_go_alone;
  CREATE TRIGGER events_never_go_alone BEFORE DELETE ON events
    WHEN EXISTS (SELECT 1 FROM sessions WHERE id = OLD.session AND deleting_at IS NULL)
    BEGIN SELECT RAISE(ABORT, 'events go only with their session'); END;

  -- which session's events and effects name which blob
  CREATE TABLE blob_uses (
    scope TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (scope, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blob_uses_by_hash ON blob_uses (hash);
  -- the rows from before there were uses: those above seen and up to last are still to be read
  CREATE TABLE blob_uses_unread (
    source TEXT PRIMARY KEY,
    seen INTEGER NOT NULL,
    last INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO blob_uses_unread SELECT 'events', 0, max(position) FROM events HAVING max(position) IS NOT NULL;
  INSERT INTO blob_uses_unread SELECT 'effects', 0, max(rowid) FROM effects HAVING max(rowid) IS NOT NULL;
  `,
  `
  -- when a session's chain was last walked as a whole, and where it broke
  CREATE TABLE session_checks (
    session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    checked_at TEXT NOT NULL,
    broken_at INTEGER,
    reason TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX session_checks_broken ON session_checks (session) WHERE reason IS NOT NULL;
  CREATE INDEX session_checks_by_time ON session_checks (checked_at);
  `,
  `
  -- what was used and must not be used again, such as the tickets of viewers; expires_at in ms since 1970
  CREATE TABLE once_only (
    key TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX once_only_by_expiry ON once_only (expires_at);
  `,
  `
  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- who delivers a session's events has it until then (milliseconds since 1970), for the events up to that seq
  CREATE TABLE outbox_claims (
    session TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    until INTEGER NOT NULL,
    up_to INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- bytes in an object store, of blobs and of files: written while they are uploaded, present, leaving until they are
  -- deleted. touched_at in ms since 1970: the time of grace runs from then; null once a row refers to them
  CREATE TABLE objects (
    name TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    hash TEXT,
    state TEXT NOT NULL,
    touched_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX objects_present ON objects (kind, hash) WHERE state = 'present';
  CREATE INDEX objects_moving ON objects (state) WHERE state <> 'present';
  `,
  `
  -- what a snapshot of a sandbox says of itself, as JSON
  ALTER TABLE files ADD COLUMN details TEXT;
  `,
];
