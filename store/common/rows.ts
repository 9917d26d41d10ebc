import { CorruptError } from '../contract/errors.ts';
import type { SessionRecord, StoredEvent } from '../contract/events.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { AgentRecord, EnvironmentRecord } from '../contract/records.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Columns are read as `unknown`; the schema is strict, so these functions only state the type that it guarantees. */
export const text = (row: Row, column: string): string => row[column] as string;
export const maybeText = (row: Row, column: string): string | null => row[column] as string | null;
export const integer = (row: Row, column: string): number => row[column] as number;
export const json = (row: Row, column: string): Json => parsed(row, column) as Json;
export const maybeObject = (row: Row, column: string): JsonObject | null =>
  row[column] === null ? null : object(row, column);
export const object = (row: Row, column: string): JsonObject => parsed(row, column) as JsonObject;

function parsed(row: Row, column: string): unknown {
  try {
    return JSON.parse(text(row, column));
  } catch (error) {
    const named = [row['session'], row['scope'], row['id']].filter((each) => typeof each === 'string');
    const at = typeof row['seq'] === 'number' ? `, event ${row['seq']}` : '';
    throw new CorruptError(`${named[0] ?? 'a row'}${at}: the stored ${column} cannot be read`, {
      cause: error,
    });
  }
}

/** What a row says; undefined where there is no row. */
export function maybe<T>(row: Row | undefined, view: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : view(row);
}

/** Reads a row; undefined where its content is damaged. */
export function unlessCorrupt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CorruptError) return undefined;
    throw error;
  }
}

export function timestamp(now: number): string {
  return new Date(now).toISOString();
}

export function toEvent(row: Row): StoredEvent {
  return {
    session: text(row, 'session'),
    seq: integer(row, 'seq'),
    id: text(row, 'id'),
    type: text(row, 'type'),
    payload: object(row, 'payload'),
    internal: row['internal'] === null ? null : object(row, 'internal'),
    ref: maybeText(row, 'ref'),
    key: text(row, 'key'),
    index: integer(row, 'idx'),
    hash: text(row, 'hash'),
    created_at: text(row, 'created_at'),
  };
}

export function toSession(row: Row): SessionRecord {
  return {
    id: text(row, 'id'),
    agent_id: text(row, 'agent_id'),
    agent_version: integer(row, 'agent_version'),
    status: text(row, 'status'),
    created_at: text(row, 'created_at'),
    updated_at: text(row, 'updated_at'),
    archived_at: maybeText(row, 'archived_at'),
    epoch: integer(row, 'epoch'),
    cursor: integer(row, 'cursor'),
    head: text(row, 'head'),
    data: object(row, 'data'),
  };
}

export function toAgent(row: Row): AgentRecord {
  return { ...toEnvironment(row), version: integer(row, 'version') };
}

export function toEnvironment(row: Row): EnvironmentRecord {
  return {
    id: text(row, 'id'),
    created_at: text(row, 'created_at'),
    updated_at: text(row, 'updated_at'),
    archived_at: maybeText(row, 'archived_at'),
    data: object(row, 'data'),
  };
}
