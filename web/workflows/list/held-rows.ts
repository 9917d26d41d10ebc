/** Rows that stay where they are while somebody looks at them. */
export interface HeldRows<R> {
  /** What was asked for. */
  readonly of: string;
  /** The answer that was taken in last. */
  readonly answer: unknown;
  readonly rows: readonly R[];
  /** How many have come since that are not among the rows. */
  readonly arrivals: number;
}

/**
 * Takes in a newer answer: rows that are shown change in place, and stay even where the answer leaves them out; rows that are
 * new are counted. An answer to another question replaces them all.
 */
export function holdRows<R>(
  held: HeldRows<R> | undefined,
  of: string,
  answer: readonly R[],
  keyOf: (row: R) => string,
): HeldRows<R> {
  if (held === undefined || held.of !== of) return { of, answer, rows: answer, arrivals: 0 };
  const fresh = new Map(answer.map((row) => [keyOf(row), row]));
  const shown = new Set(held.rows.map(keyOf));
  return {
    of,
    answer,
    rows: held.rows.map((row) => fresh.get(keyOf(row)) ?? row),
    arrivals: answer.filter((row) => !shown.has(keyOf(row))).length,
  };
}
