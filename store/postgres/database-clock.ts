/** An SQL expression of a time, and the values for its placeholders. */
type Time = readonly [sql: string, values: readonly number[]];

/**
 * The time by which bytes are kept and leases end. It is the server's, so that the clocks of several machines do not
 * matter; a test may give another one.
 */
export interface DatabaseClock {
  now(): Time;
  ago(ms: number): Time;
}

export function createDatabaseClock(now: (() => number) | undefined): DatabaseClock {
  if (now === undefined) {
    return { now: () => ['now()', []], ago: (ms) => [`now() - ? * interval '1 millisecond'`, [ms]] };
  }
  const at = (ms: number): Time => ['to_timestamp(? / 1000.0::double precision)', [ms]];
  return { now: () => at(now()), ago: (ms) => at(now() - ms) };
}
