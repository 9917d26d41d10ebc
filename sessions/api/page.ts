import { z } from 'zod';
import type { ListPlace, TimeRange } from '@steadyhand/store';
import { InvalidRequestError, parse } from './validate.ts';

/** A list as the SDK's `PageCursor` reads it. */
export interface Page<T> {
  readonly data: readonly T[];
  /** The value of `page` for the next page; null at the end. */
  readonly next_page: string | null;
}

/** A list as the SDK's `BidirectionalPageCursor` reads it. */
export interface TwoWayPage<T> extends Page<T> {
  readonly prev_page: string | null;
}

const MAX_LIMIT = 1000;

/** Reads the parameters of a query string. Errors have the API's phrasing. */
export class Query {
  readonly #params: URLSearchParams;

  /** @throws {InvalidRequestError} for a parameter that is not among the known ones; `beta` always is */
  constructor(params: URLSearchParams, known: readonly string[]) {
    for (const name of params.keys()) {
      const base = name.replace(/\[\d*\]$/, '');
      if (base !== 'beta' && !known.includes(base))
        throw new InvalidRequestError(`${base}: Extra inputs are not permitted`);
    }
    this.#params = params;
  }

  /** The last value of a parameter. Empty counts as not given. */
  text(name: string): string | undefined {
    const value = this.#params.getAll(name).at(-1);
    return value === undefined || value === '' ? undefined : value;
  }

  integer(name: string, bounds: { readonly min: number; readonly max?: number }): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const schema = z
      .int()
      .min(bounds.min)
      .max(bounds.max ?? Number.MAX_SAFE_INTEGER);
    const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isNaN(number)) {
      throw new InvalidRequestError(
        `${name}: Input should be a valid integer, unable to parse string as an integer`,
      );
    }
    return parse(z.object({ [name]: schema }), { [name]: number })[name];
  }

  boolean(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    throw new InvalidRequestError(`${name}: Input should be a valid boolean, unable to interpret input`);
  }

  /** A parameter that is one of a few words. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.text(name);
    return value === undefined
      ? undefined
      : parse(z.object({ [name]: z.enum(choices) }), { [name]: value })[name];
  }

  /** A repeated parameter: `types[]=a&types[]=b`, `types=a&types=b` or `types[0]=a`. */
  texts(name: string): readonly string[] | undefined {
    const values = [...this.#params]
      .filter(([key]) => key.replace(/\[\d*\]$/, '') === name)
      .map(([, value]) => value);
    return values.length === 0 ? undefined : values;
  }

  /** A repeated parameter of a few words. */
  list<T extends string>(name: string, choices: readonly T[]): readonly T[] | undefined {
    const values = this.texts(name);
    if (values === undefined) return undefined;
    return parse(z.object({ [name]: z.array(z.enum(choices)) }), { [name]: values })[name];
  }

  limit(fallback: number): number {
    return this.integer('limit', { min: 1, max: MAX_LIMIT }) ?? fallback;
  }

  /** `created_at[gt]` and its like, as the store compares them. */
  createdAt(): TimeRange {
    const entries = (['gt', 'gte', 'lt', 'lte'] as const).flatMap((bound) => {
      const name = `created_at[${bound}]`;
      const value = this.text(name);
      if (value === undefined) return [];
      const time = RFC3339.test(value) ? Date.parse(value) : Number.NaN;
      if (Number.isNaN(time)) throw new InvalidRequestError(`${name}: Input should be a valid datetime`);
      return [[bound, new Date(time).toISOString()] as const];
    });
    return Object.fromEntries(entries);
  }

  /** What `page` says, as `encodePage` wrote it. */
  page<T>(schema: z.ZodType<T>): T | undefined {
    const token = this.text('page');
    if (token === undefined) return undefined;
    try {
      return schema.parse(JSON.parse(Buffer.from(token, 'base64url').toString()));
    } catch {
      throw new InvalidRequestError('page: Invalid page token');
    }
  }
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

export const CREATED_AT = ['created_at[gt]', 'created_at[gte]', 'created_at[lt]', 'created_at[lte]'] as const;

export function encodePage(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

const place: z.ZodType<ListPlace> = z.strictObject({ created_at: z.string(), id: z.string() });

/** One page of a list that is ordered by creation. It reads one record more to know whether there is a next page. */
export async function creationPage<R extends ListPlace, T>(
  query: Query,
  list: (request: { readonly limit: number; readonly after?: ListPlace }) => Promise<readonly R[]>,
  view: (record: R) => T,
): Promise<Page<T>> {
  const limit = query.limit(20);
  const after = query.page(place);
  const found = await list({ limit: limit + 1, ...(after === undefined ? {} : { after }) });
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const more = found.length > limit && last !== undefined;
  return {
    data: shown.map(view),
    next_page: more ? encodePage({ created_at: last.created_at, id: last.id }) : null,
  };
}
