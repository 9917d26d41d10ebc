import { Where } from '../common/where.ts';

/** Conditions in PostgreSQL's SQL. */
export class PostgresWhere extends Where {
  /** Adds no condition for undefined; an empty list matches no rows. */
  in(column: string, choices: readonly string[] | undefined): this {
    return choices === undefined ? this : this.and(`${column} = ANY(?)`, choices);
  }

  /** A part of the name, in any case, or the beginning of the id. */
  named(search: string | undefined): this {
    if (search === undefined) return this;
    return this.and('(strpos(name, ?) > 0 OR starts_with(id, ?))', search.toLowerCase(), search);
  }
}
