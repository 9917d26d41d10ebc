import type { Database, Statement } from 'libsql';
import type { temporal } from '@temporalio/proto';
import { type Attribute, predefinedAttributes, rawFields, systemAttributes } from './attribute-types.ts';
import { type Bound, type CompiledQuery, compileQuery } from './query-compiler.ts';
import type { QueryScope } from './query-scope.ts';
import { invalidQuery } from './query-values.ts';
import type { SearchAttributeRegistry } from './search-attribute-registry.ts';
import type { VisibilityRecord } from './visibility-record.ts';
import { columns, toExecutionInfo, toRow, type VisibilityRow } from './visibility-row.ts';
import { closeOrder, fieldSql, openClose, orderBy, schema } from './visibility-schema.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';

interface ListRequest {
  readonly namespace: string;
  /** The query; an empty one finds all runs. */
  readonly query: string;
  /** The number of runs at most; 1000 when absent, zero or negative. */
  readonly pageSize?: number;
  readonly nextPageToken?: Uint8Array;
  /** What is listed instead of workflows. */
  readonly scope?: QueryScope;
}

interface ListResult {
  readonly executions: temporal.api.workflow.v1.IWorkflowExecutionInfo[];
  /** The token of the next page; it is empty when no run is left. */
  readonly nextPageToken: Uint8Array;
}

interface CountResult {
  readonly count: number;
  readonly groups: readonly { readonly status: number; readonly count: number }[];
}

const defaultPageSize = 1000;
const key = 'namespace = ? AND run_id = ?';

/** The runs as they can be searched, in the engine's database. A run is found as soon as it is written. */
export class VisibilityStore {
  readonly #db: Database;
  readonly #registry: SearchAttributeRegistry;
  readonly #upsert: Statement<unknown[]>;
  readonly #delete: Statement<unknown[]>;

  constructor(db: Database, registry: SearchAttributeRegistry) {
    this.#db = db;
    this.#registry = registry;
    db.exec(schema);
    const places = columns.map(() => '?').join(', ');
    const updates = columns.map((column) => `${column} = excluded.${column}`).join(', ');
    this.#upsert = db.prepare(
      `INSERT INTO visibility (${columns.join(', ')}) VALUES (${places})
       ON CONFLICT (namespace, run_id) DO UPDATE SET ${updates}`,
    );
    this.#delete = db.prepare(`DELETE FROM visibility WHERE ${key}`);
    registry.onRemoved((namespace, { field }) => {
      db.prepare(
        `UPDATE visibility SET fields = json_remove(fields, '$.${field}')
         WHERE namespace = ? AND ${fieldSql(field)} IS NOT NULL`,
      ).run(namespace);
    });
  }

  /** Writes a run's row whole; it has to be called in the transaction that changes the run. */
  upsert(record: VisibilityRecord): void {
    this.#upsert.run(...toRow(record, (name) => this.#registry.settable(record.namespace, name)));
  }

  delete(namespace: string, runId: string): void {
    this.#delete.run(namespace, runId);
  }

  /**
   * Lists the runs that a query finds: open ones first, then by close time and start time, the newest first.
   *
   * @throws RpcError INVALID_ARGUMENT when the query or the page token is not valid
   */
  list({ namespace, query, pageSize = 0, nextPageToken, scope }: ListRequest): ListResult {
    const compiled = this.#compile(namespace, query, scope);
    const size = pageSize > 0 ? pageSize : defaultPageSize;
    const after = nextPageToken?.length ? decodePageToken(nextPageToken) : undefined;
    const page: { sql: string; bound: Bound[] } = { sql: '', bound: [] };
    if (after !== undefined) {
      const close = after.closeTime === null ? openClose : BigInt(after.closeTime);
      page.sql = `AND (${closeOrder} < ? OR (${closeOrder} = ? AND (start_time < ? OR (start_time = ? AND run_id > ?))))`;
      page.bound = [close, close, after.startTime, after.startTime, after.runId];
    }
    const rows = this.#prepare(
      `SELECT * FROM visibility WHERE namespace = ? AND ${compiled.sql} ${page.sql}
       ORDER BY ${orderBy} LIMIT ?`,
    ).all(namespace, ...compiled.bound, ...page.bound, size + 1) as VisibilityRow[];
    const shown = rows.slice(0, size);
    const last = rows.length > size ? shown.at(-1) : undefined;
    const isKnown = (name: string): boolean => this.#registry.settable(namespace, name) !== undefined;
    return {
      executions: shown.map((row) => toExecutionInfo(row, isKnown)),
      nextPageToken:
        last === undefined
          ? new Uint8Array()
          : encodePageToken({ closeTime: last.close_time, startTime: last.start_time, runId: last.run_id }),
    };
  }

  /**
   * Counts the runs that a query finds, by status when it says `GROUP BY ExecutionStatus`.
   *
   * @throws RpcError INVALID_ARGUMENT when the query is not valid
   */
  count({ namespace, query, scope }: Pick<ListRequest, 'namespace' | 'query' | 'scope'>): CountResult {
    const compiled = this.#compile(namespace, query, scope);
    const rows = this.#prepare(
      `SELECT status, count(*) AS count FROM visibility WHERE namespace = ? AND ${compiled.sql}
       GROUP BY status ORDER BY status`,
    ).all(namespace, ...compiled.bound) as { status: number; count: number }[];
    const count = rows.reduce((sum, row) => sum + row.count, 0);
    return { count, groups: compiled.groupByStatus ? rows : [] };
  }

  /** Prepares a statement. A valid query can exceed limits of SQLite (depth, length, bound values). */
  #prepare(sql: string): Statement<unknown[]> {
    try {
      return this.#db.prepare(sql);
    } catch (error) {
      throw invalidQuery(`too complex: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #compile(namespace: string, query: string, scope?: QueryScope): CompiledQuery {
    const custom = this.#registry.custom(namespace);
    const resolve = (name: string): Attribute | undefined =>
      custom.get(name) ??
      scope?.attributes.get(name) ??
      systemAttributes.get(name) ??
      predefinedAttributes.get(name) ??
      rawFields.get(name);
    if (!scope) return compileQuery(query, resolve);
    const all = compileQuery(scope.condition, resolve);
    if (query.trim() === '') return all;
    const named = new Set<string>();
    const resolveNamed = (name: string): Attribute | undefined => {
      const attribute = resolve(name);
      if (attribute) named.add(name);
      return attribute;
    };
    const wanted = compileQuery(query, resolveNamed, { division: true });
    for (const name of named) if (!custom.has(name)) scope.admit(name);
    return { ...wanted, sql: `${all.sql} AND ${wanted.sql}`, bound: [...all.bound, ...wanted.bound] };
  }
}

/** Says where a page ended, by the sort key of its last run in microseconds. `closeTime` is null for an open run. */
interface PagePosition {
  readonly closeTime: number | null;
  readonly startTime: number;
  readonly runId: string;
}

function encodePageToken({ closeTime, startTime, runId }: PagePosition): Uint8Array {
  return Buffer.from(JSON.stringify({ CloseTime: closeTime, StartTime: startTime, RunID: runId }));
}

/** @throws RpcError INVALID_ARGUMENT for bytes that `encodePageToken` did not make */
function decodePageToken(token: Uint8Array): PagePosition {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(token).toString('utf8'));
  } catch {
    throw invalidArgument('invalid NextPageToken');
  }
  const { CloseTime, StartTime, RunID } = (content ?? {}) as Record<string, unknown>;
  const closeTime = CloseTime ?? null;
  if ((closeTime !== null && !isTime(closeTime)) || !isTime(StartTime) || typeof RunID !== 'string') {
    throw invalidArgument('invalid NextPageToken');
  }
  return { closeTime, startTime: StartTime, runId: RunID };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
