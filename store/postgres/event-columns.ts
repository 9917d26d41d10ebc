/**
 * Columns are named and never `*`: a column that a newer program adds would make the statements fail that the server has
 * prepared for this one.
 */
export const EVENT_COLUMNS = 'session, seq, id, type, payload, internal, ref, key, idx, hash, created_at';

export const SESSION_COLUMNS =
  'id, agent_id, agent_version, status, created_at, updated_at, archived_at, epoch, cursor, head, data';
