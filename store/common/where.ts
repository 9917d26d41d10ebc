import type { TimeRange } from '../contract/events.ts';
import type { ListRequest } from '../contract/records.ts';

/** A value that both databases take. */
export type Bindable = string | number | readonly string[];

/** Collects conditions that are joined by AND, and their values, for which `?` stands. */
export class Where {
  readonly #conditions: string[] = [];
  readonly values: Bindable[] = [];

  and(condition: string, ...values: Bindable[]): this {
    this.#conditions.push(condition);
    this.values.push(...values);
    return this;
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
