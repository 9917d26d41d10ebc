import { CorruptError } from '../contract/errors.ts';
import type { SessionRecord, StoredEvent, TimeRange } from '../contract/events.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { AgentRecord, EnvironmentRecord, ListRequest } from '../contract/records.ts';
import type { Row } from './database.ts';

/** Columns are read as `unknown`; the schema is STRICT, so these functions only state the type that it guarantees. */
export const text = (row: Row, column: string): string => row[column] as string;
export const maybeText = (row: Row, column: string): string | null => row[column] as string | null;
export const integer = (row: Row, column: string): number => row[column] as number;
export const json = (row: Row, column: string): Json => parsed(row, column) as Json;
const object = (row: Row, column: string): JsonObject => parsed(row, column) as JsonObject;

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

type Bindable = string | number;

/** Collects conditions that are joined by AND, and their values. */
export class Where {
  readonly #conditions: string[] = [];
  readonly values: Bindable[] = [];

  and(condition: string, ...values: Bindable[]): this {
    this.#conditions.push(condition);
    this.values.push(...values);
    return this;
  }

  /** Adds no condition for undefined; an empty list matches no rows. */
  in(column: string, choices: readonly Bindable[] | undefined): this {
    return choices === undefined
      ? this
      : this.and(`${column} IN (${choices.map(() => '?').join(', ')})`, ...choices);
  }

  /** What a member of the record's JSON is; a record that cannot be read has none. */
  member(name: string, condition: string, ...values: Bindable[]): this {
    const value = `CASE WHEN json_valid(data) THEN json_extract(data, '$.${name}') END`;
    return this.and(condition.replace('@', value), ...values);
  }

  /** A part of the name, or the beginning of the id. */
  named(search: string | undefined): this {
    if (search === undefined) return this;
    const condition = '(instr(lower(@), lower(?)) > 0 OR substr(id, 1, length(?)) = ?)';
    return this.member('name', condition, search, search, search);
  }

  times(column: string, range: TimeRange | undefined): this {
    if (range?.gt !== undefined) this.and(`${column} > ?`, range.gt);
    if (range?.gte !== undefined) this.and(`${column} >= ?`, range.gte);
    if (range?.lt !== undefined) this.and(`${column} < ?`, range.lt);
    if (range?.lte !== undefined) this.and(`${column} <= ?`, range.lte);
    return this;
  }

  get sql(): string {
    return this.#conditions.length === 0 ? '' : `WHERE ${this.#conditions.join(' AND ')}`;
  }
}

/** The conditions and the order of lists by time of creation. */
export function creationOrder(request: ListRequest, where: Where): string {
  const descending = (request.order ?? 'desc') === 'desc';
  if (request.includeArchived !== true) where.and('archived_at IS NULL');
  where.times('created_at', request.createdAt);
  if (request.after !== undefined) {
    where.and(
      `(created_at, id) ${descending ? '<' : '>'} (?, ?)`,
      request.after.created_at,
      request.after.id,
    );
  }
  const direction = descending ? 'DESC' : 'ASC';
  return `${where.sql} ORDER BY created_at ${direction}, id ${direction} LIMIT ?`;
}
