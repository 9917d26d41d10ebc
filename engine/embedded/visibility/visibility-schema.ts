import { customFields, IndexedValueType } from './attribute-types.ts';

/** The close time of a run that has none: open runs come before all closed ones. */
export const openClose = 9_223_372_036_854_775_807n;
/** The fixed order of listings, as an expression that the indexes below contain word for word. */
export const closeOrder = `coalesce(close_time, ${openClose})`;
export const orderBy = `${closeOrder} DESC, start_time DESC, run_id`;

/**
 * Makes the expression of a search attribute in a row's JSON document. Field names are the engine's, never a caller's.
 */
export function fieldSql(field: string): string {
  return `json_extract(fields, '$.${field}')`;
}

/**
 * The table. Its times are in microseconds, its duration in nanoseconds. `fields` is the JSON document that conditions
 * on search attributes read (by field, with times in nanoseconds and texts as words); `attributes` and `memo` are the
 * protobuf messages that a listing returns.
 */
const table = `
  CREATE TABLE IF NOT EXISTS visibility (
    namespace TEXT NOT NULL,
    run_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    workflow_type TEXT NOT NULL,
    status INTEGER NOT NULL,
    start_time INTEGER NOT NULL,
    execution_time INTEGER NOT NULL,
    close_time INTEGER,
    execution_duration INTEGER,
    history_length INTEGER,
    history_size_bytes INTEGER,
    state_transition_count INTEGER,
    task_queue TEXT NOT NULL,
    parent_workflow_id TEXT,
    parent_run_id TEXT,
    root_workflow_id TEXT NOT NULL,
    root_run_id TEXT NOT NULL,
    fields TEXT,
    attributes TEXT,
    memo TEXT,
    UNIQUE (namespace, run_id)
  ) STRICT;
`;

/** An index. `rowsPerValue` is how many rows of a namespace have the same value in the second column. */
interface Index {
  readonly name: string;
  readonly columns: string;
  readonly where?: string;
  readonly rowsPerValue: number;
}

/** Each index serves a condition and the order at once, so that a page reads no more rows than it shows. */
const indexes: readonly Index[] = [
  { name: 'visibility_in_order', columns: `namespace, ${orderBy}`, rowsPerValue: 1 },
  { name: 'visibility_by_workflow', columns: `namespace, workflow_id, ${orderBy}`, rowsPerValue: 2 },
  ...customFields(IndexedValueType.Keyword).map((field) => ({
    name: `visibility_by_${field}`,
    columns: `namespace, ${fieldSql(field)}, ${orderBy}`,
    where: `${fieldSql(field)} IS NOT NULL`,
    rowsPerValue: 10,
  })),
];

/**
 * Without statistics SQLite's planner may choose an index by which it reads a whole namespace to find one workflow id.
 * These describe a grown table; they are written by hand because ANALYZE on an empty table would give none.
 */
const statistics = indexes.map(({ name, columns, rowsPerValue }) => {
  const more = columns.split(', ').length - 2;
  return `('visibility', '${name}', '1000000 10000 ${rowsPerValue}${' 1'.repeat(Math.max(0, more))}')`;
});

export const schema = `
  ${table}
  ${indexes
    .map(
      ({ name, columns, where }) =>
        `CREATE INDEX IF NOT EXISTS ${name} ON visibility (${columns})${where === undefined ? '' : ` WHERE ${where}`};`,
    )
    .join('\n')}
  ANALYZE sqlite_schema;
  DELETE FROM sqlite_stat1 WHERE tbl = 'visibility';
  INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('visibility', 'sqlite_autoindex_visibility_1', '1000000 10000 1'),
    ${statistics.join(', ')};
  ANALYZE sqlite_schema;
`;
