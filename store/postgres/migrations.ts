/** A step of the schema. A released step is never edited. */
export interface Migration {
  readonly sql: string;
  /**
   * Programs that do not know the step cannot work beside it. Without this mark the step only adds, so that the
   * programs of two versions run side by side while one replaces the other.
   */
  readonly isBreaking?: boolean;
}

/** The steps of the schema, in order. Text is compared by its bytes, as in SQLite, whatever the database's locale. */
export const MIGRATIONS: readonly Migration[] = [
  {
    sql: `
    CREATE TABLE settings (
      name TEXT COLLATE "C" PRIMARY KEY,
      value TEXT NOT NULL
    );

    -- what was used and must not be used again, such as the tickets of viewers; expires_at in ms since 1970
    CREATE TABLE once_only (
      key TEXT COLLATE "C" PRIMARY KEY,
      expires_at BIGINT NOT NULL
    );
    CREATE INDEX once_only_by_expiry ON once_only (expires_at);

    CREATE TABLE sessions (
      id TEXT COLLATE "C" PRIMARY KEY,
      agent_id TEXT COLLATE "C" NOT NULL,
      agent_version INTEGER NOT NULL,
      -- taken out of data, for lists
      environment_id TEXT COLLATE "C",
      status TEXT COLLATE "C" NOT NULL,
      created_at TEXT COLLATE "C" NOT NULL,
      updated_at TEXT COLLATE "C" NOT NULL,
      archived_at TEXT COLLATE "C",
      epoch INTEGER NOT NULL,
      cursor INTEGER NOT NULL,
      head TEXT NOT NULL,
      data TEXT NOT NULL,
      -- the session is gone for everybody; what is left of it is being removed
      deleting_at TEXT COLLATE "C"
    );
    CREATE INDEX sessions_by_creation ON sessions (created_at, id);
    CREATE INDEX sessions_by_agent ON sessions (agent_id, created_at, id);
    CREATE INDEX sessions_by_status ON sessions (status, created_at, id);
    CREATE INDEX sessions_deleting ON sessions (deleting_at) WHERE deleting_at IS NOT NULL;

    -- no foreign keys here: who writes these rows holds the row of their session
    CREATE TABLE events (
      session TEXT COLLATE "C" NOT NULL,
      seq INTEGER NOT NULL,
      id TEXT COLLATE "C" NOT NULL,
      type TEXT COLLATE "C" NOT NULL,
      payload TEXT NOT NULL,
      internal TEXT,
      ref TEXT COLLATE "C",
      key TEXT COLLATE "C" NOT NULL,
      idx INTEGER NOT NULL,
      hash TEXT NOT NULL,
      created_at TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (session, seq)
    );
    CREATE UNIQUE INDEX events_by_id ON events (session, id);
    CREATE INDEX events_by_ref ON events (session, ref) WHERE ref IS NOT NULL;
    CREATE FUNCTION events_never_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'events are never changed'; END $$;
    CREATE TRIGGER events_never_change BEFORE UPDATE ON events
      FOR EACH ROW EXECUTE FUNCTION events_never_change();
    CREATE FUNCTION events_never_go_alone() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM sessions WHERE id = OLD.session AND deleting_at IS NULL) THEN
          RAISE EXCEPTION 'events go only with their session';
        END IF;
        RETURN OLD;
      END $$;
    CREATE TRIGGER events_never_go_alone BEFORE DELETE ON events
      FOR EACH ROW EXECUTE FUNCTION events_never_go_alone();

    -- one row a step, so that a step without events is known too; its events end at cursor
    CREATE TABLE appends (
      session TEXT COLLATE "C" NOT NULL,
      key TEXT COLLATE "C" NOT NULL,
      cursor INTEGER NOT NULL,
      events INTEGER NOT NULL,
      outcome TEXT,
      PRIMARY KEY (session, key)
    );

    -- position tells which waits longest; it is not the order of commits
    CREATE TABLE outbox (
      position BIGINT GENERATED ALWAYS AS IDENTITY,
      session TEXT COLLATE "C" NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (session, seq)
    );
    CREATE INDEX outbox_by_age ON outbox (position);
    -- who delivers a session's events has it until then, for the events up to that seq
    CREATE TABLE outbox_claims (
      session TEXT COLLATE "C" PRIMARY KEY,
      until TIMESTAMPTZ NOT NULL,
      up_to INTEGER NOT NULL
    );

    CREATE TABLE session_secrets (
      session TEXT COLLATE "C" PRIMARY KEY,
      sealed BYTEA NOT NULL
    );

    -- when a session's chain was last walked as a whole (null: never), where it broke, and until when a process has it for
    -- a walk; every session has a row from its beginning
    CREATE TABLE session_checks (
      session TEXT COLLATE "C" PRIMARY KEY,
      checked_at TEXT COLLATE "C",
      broken_at INTEGER,
      reason TEXT,
      claimed_until TIMESTAMPTZ
    );
    CREATE INDEX session_checks_broken ON session_checks (session) WHERE reason IS NOT NULL;
    CREATE INDEX session_checks_by_time ON session_checks (checked_at NULLS FIRST);

    CREATE TABLE effects (
      scope TEXT COLLATE "C" NOT NULL,
      key TEXT COLLATE "C" NOT NULL,
      intent TEXT NOT NULL,
      outcome TEXT,
      begun_at TEXT COLLATE "C" NOT NULL,
      finished_at TEXT COLLATE "C",
      -- the attempt that wrote the intent, which knows itself again after a lost answer
      attempt TEXT NOT NULL,
      PRIMARY KEY (scope, key)
    );

    CREATE TABLE agents (
      id TEXT COLLATE "C" PRIMARY KEY,
      latest INTEGER NOT NULL,
      created_at TEXT COLLATE "C" NOT NULL,
      archived_at TEXT COLLATE "C"
    );
    CREATE INDEX agents_by_creation ON agents (created_at, id);
    -- name is taken out of data, in lower case, for the search
    CREATE TABLE agent_versions (
      id TEXT COLLATE "C" NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      updated_at TEXT COLLATE "C" NOT NULL,
      name TEXT COLLATE "C",
      data TEXT NOT NULL,
      PRIMARY KEY (id, version)
    );

    CREATE TABLE environments (
      id TEXT COLLATE "C" PRIMARY KEY,
      created_at TEXT COLLATE "C" NOT NULL,
      updated_at TEXT COLLATE "C" NOT NULL,
      archived_at TEXT COLLATE "C",
      name TEXT COLLATE "C",
      data TEXT NOT NULL
    );
    CREATE INDEX environments_by_creation ON environments (created_at, id);

    -- bytes in an object store: writing while they are uploaded, present, leaving until they are deleted. touched_at: the
    -- time of grace runs from then; null once something was found to refer to them
    CREATE TABLE objects (
      name TEXT COLLATE "C" PRIMARY KEY,
      hash TEXT COLLATE "C",
      state TEXT COLLATE "C" NOT NULL,
      touched_at TIMESTAMPTZ
    );
    CREATE UNIQUE INDEX objects_present ON objects (hash) WHERE state = 'present';
    CREATE INDEX objects_unsettled ON objects (touched_at) WHERE state = 'present' AND touched_at IS NOT NULL;
    CREATE INDEX objects_moving ON objects (state) WHERE state <> 'present';
    -- which session's events and effects refer to which blob
    CREATE TABLE blob_uses (
      scope TEXT COLLATE "C" NOT NULL,
      hash TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (scope, hash)
    );
    CREATE INDEX blob_uses_by_hash ON blob_uses (hash);

    -- blob is null once the bytes of an expired file were taken away
    CREATE TABLE files (
      id TEXT COLLATE "C" PRIMARY KEY,
      created_at TEXT COLLATE "C" NOT NULL,
      expires_at TEXT COLLATE "C",
      filename TEXT NOT NULL,
      mime_type TEXT NOT NULL,
      size_bytes BIGINT NOT NULL,
      blob TEXT COLLATE "C",
      scope TEXT COLLATE "C",
      origin TEXT COLLATE "C",
      stamp TEXT
    );
    CREATE INDEX files_by_blob ON files (blob) WHERE blob IS NOT NULL;
    CREATE INDEX files_by_expiry ON files (expires_at) WHERE expires_at IS NOT NULL AND blob IS NOT NULL;
    CREATE INDEX files_by_scope ON files (scope, origin) WHERE scope IS NOT NULL;

    -- status: incoming while its requests are written, leaving while they are deleted, else the API's own;
    -- unanswered: what requests without a result are counted as once the batch has ended
    CREATE TABLE batches (
      id TEXT COLLATE "C" PRIMARY KEY,
      status TEXT COLLATE "C" NOT NULL,
      requests INTEGER NOT NULL,
      created_at TEXT COLLATE "C" NOT NULL,
      expires_at TEXT COLLATE "C" NOT NULL,
      cancel_initiated_at TEXT COLLATE "C",
      ended_at TEXT COLLATE "C",
      unanswered TEXT COLLATE "C",
      succeeded INTEGER NOT NULL DEFAULT 0,
      errored INTEGER NOT NULL DEFAULT 0,
      data TEXT NOT NULL
    );
    CREATE INDEX batches_not_ended ON batches (status) WHERE status <> 'ended';
    CREATE TABLE batch_requests (
      batch TEXT COLLATE "C" NOT NULL,
      position INTEGER NOT NULL,
      custom_id TEXT NOT NULL,
      params BYTEA NOT NULL,
      PRIMARY KEY (batch, position)
    );
    CREATE TABLE batch_results (
      batch TEXT COLLATE "C" NOT NULL,
      position INTEGER NOT NULL,
      type TEXT COLLATE "C" NOT NULL,
      result TEXT NOT NULL,
      PRIMARY KEY (batch, position)
    );
    `,
  },
  {
    sql: `
    -- who works at what, so that nobody else does; a holder that is silent has nothing any more
    CREATE UNLOGGED TABLE leases (
      key TEXT COLLATE "C" PRIMARY KEY,
      holder TEXT COLLATE "C" NOT NULL
    );
    CREATE UNLOGGED TABLE lease_holders (
      id TEXT COLLATE "C" PRIMARY KEY,
      seen_at TIMESTAMPTZ NOT NULL
    );

    -- what is left of a key's limits, null for all; at in ms since 1970; streams: by process, how many until when
    CREATE UNLOGGED TABLE rate_levels (
      key TEXT COLLATE "C" PRIMARY KEY,
      requests DOUBLE PRECISION,
      input DOUBLE PRECISION,
      output DOUBLE PRECISION,
      at DOUBLE PRECISION,
      streams JSONB NOT NULL DEFAULT '{}'
    );
    `,
  },
  {
    sql: `
    CREATE TABLE sandboxes (
      id TEXT COLLATE "C" PRIMARY KEY,
      config TEXT NOT NULL,
      -- where it is; number counts the placements that it has had
      machine TEXT COLLATE "C",
      held BOOLEAN NOT NULL DEFAULT false,
      number INTEGER NOT NULL DEFAULT 0,
      deleted BOOLEAN NOT NULL DEFAULT false,
      lost TEXT,
      damage TEXT
    );
    CREATE INDEX sandboxes_by_machine ON sandboxes (machine) WHERE machine IS NOT NULL AND lost IS NULL;
    CREATE INDEX sandboxes_lost ON sandboxes (id) WHERE lost IS NOT NULL;
    CREATE TABLE sandbox_interrupts (
      sandbox TEXT COLLATE "C" NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
      key TEXT COLLATE "C" NOT NULL,
      PRIMARY KEY (sandbox, key)
    );
    CREATE TABLE sandbox_machines (
      id TEXT COLLATE "C" PRIMARY KEY,
      state TEXT NOT NULL,
      seen_at TIMESTAMPTZ NOT NULL
    );
    CREATE TABLE sandbox_line (
      position BIGINT GENERATED ALWAYS AS IDENTITY,
      sandbox TEXT COLLATE "C" PRIMARY KEY REFERENCES sandboxes (id) ON DELETE CASCADE,
      asked_at TIMESTAMPTZ NOT NULL
    );
    `,
  },
  {
    sql: `
    -- what a snapshot of a sandbox says of itself, as JSON
    ALTER TABLE files ADD COLUMN details TEXT;
    `,
  },
];
