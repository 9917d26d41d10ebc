import { Where } from '../common/where.ts';

/** Conditions in SQLite's SQL. */
export class SqliteWhere extends Where {
  /** Adds no condition for undefined; an empty list matches no rows. */
  in(column: string, choices: readonly string[] | undefined): this {
    return choices === undefined
      ? this
      : this.and(`${column} IN (${choices.map(() => '?').join(', ')})`, ...choices);
  }

  /** What a member of the record's JSON is; a record that cannot be read has none. */
  member(name: string, condition: string, ...values: string[]): this {
    const value = `CASE WHEN json_valid(data) THEN json_extract(data, '$.${name}') END`;
    return this.and(condition.replace('@', value), ...values);
  }

  /** A part of the name, or the beginning of the id. */
  named(search: string | undefined): this {
    if (search === undefined) return this;
    const condition = '(instr(lower(@), lower(?)) > 0 OR substr(id, 1, length(?)) = ?)';
    return this.member('name', condition, search, search, search);
  }
}
