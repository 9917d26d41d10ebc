import type Database from 'libsql';

interface Statement {
  /** The library's own handle. */
  stmt: unknown;
  get(...values: unknown[]): unknown;
}

/**
 * Prepares a statement anew once its `get` has failed: in libsql 0.5.29 every further `get` of it would fail, or find nothing, whatever
 * is asked, until the process ends. `all`, `iterate` and `run` go on by themselves.
 */
export function renewStatements(db: Database.Database): void {
  const prepare = db.prepare.bind(db) as unknown as (sql: string) => Statement;
  const renewed = (sql: string): Statement => {
    const statement = prepare(sql);
    const get = statement.get.bind(statement);
    statement.get = (...values: unknown[]) => {
      try {
        return get(...values);
      } catch (error) {
        if (db.open) statement.stmt = prepare(sql).stmt;
        throw error;
      }
    };
    return statement;
  };
  db.prepare = renewed as unknown as typeof db.prepare;
}
