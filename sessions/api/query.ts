import { z } from 'zod';
import type { ListPlace, TimeRange } from '@steadyhand/store';
import { InvalidRequestError, parse } from './validate.ts';

/** The parameters of a query by name: what each may be, and what is meant where it is left out. */
export type QueryShape = Readonly<Record<string, z.ZodType>>;

const MAX_LIMIT = 1000;
const BOUNDS = ['gt', 'gte', 'lt', 'lte'] as const;

export const limit = (fallback: number): z.ZodDefault<z.ZodInt> =>
  z.int().min(1).max(MAX_LIMIT).default(fallback);
export const page = z.string().describe('The `next_page` of the page before').optional();
export const afterId = z.string().describe('The `last_id` of the page before').optional();
export const beforeId = z.string().describe('The `first_id` of the page behind').optional();
export const includeArchived = z.boolean().default(false);
export const search = z
  .string()
  .describe('Ours: only those whose name holds this text, or whose id begins with it')
  .optional();
export const order = (fallback: 'asc' | 'desc'): z.ZodDefault<z.ZodEnum<{ asc: 'asc'; desc: 'desc' }>> =>
  z.enum(['asc', 'desc']).default(fallback);

/** `created_at[gte]` and its like. */
export function createdAt<B extends (typeof BOUNDS)[number]>(
  ...bounds: readonly B[]
): { readonly [N in `created_at[${B}]`]: z.ZodOptional<z.ZodISODateTime> } {
  const entries = bounds.map((bound) => [`created_at[${bound}]`, z.iso.datetime().optional()]);
  return Object.fromEntries(entries) as ReturnType<typeof createdAt<B>>;
}

/** Reads the parameters of a query string as they were declared, in the API's phrasing where they are wrong. */
export class Query<S extends QueryShape> {
  readonly #params: URLSearchParams;
  readonly #shape: S;

  /** @throws {InvalidRequestError} for a parameter that is not among the declared ones; `beta` always is */
  constructor(params: URLSearchParams, shape: S) {
    for (const name of params.keys()) {
      const base = name.replace(/\[\d*\]$/, '');
      if (base !== 'beta' && !Object.hasOwn(shape, base))
        throw new InvalidRequestError(`${base}: Extra inputs are not permitted`);
    }
    this.#params = params;
    this.#shape = shape;
  }

  /** The last value of a parameter. Empty counts as not given. */
  text(name: keyof S & string): string | undefined {
    const value = this.#params.getAll(name).at(-1);
    return value === '' ? undefined : value;
  }

  integer<N extends keyof S & string>(name: N): z.output<S[N]> {
    const value = this.text(name);
    const number = value !== undefined && /^[+-]?\d+$/.test(value) ? Number(value) : undefined;
    if (value !== undefined && number === undefined) {
      throw new InvalidRequestError(
        `${name}: Input should be a valid integer, unable to parse string as an integer`,
      );
    }
    return this.#checked(name, number);
  }

  boolean<N extends keyof S & string>(name: N): z.output<S[N]> {
    const value = this.text(name);
    if (value === undefined) return this.#checked(name, undefined);
    if (value === 'true' || value === '1') return this.#checked(name, true);
    if (value === 'false' || value === '0') return this.#checked(name, false);
    throw new InvalidRequestError(`${name}: Input should be a valid boolean, unable to interpret input`);
  }

  /** A parameter that is one of a few words. */
  choice<N extends keyof S & string>(name: N): z.output<S[N]> {
    return this.#checked(name, this.text(name));
  }

  /** A repeated parameter: `types[]=a&types[]=b`, `types=a&types=b` or `types[0]=a`. */
  texts(name: keyof S & string): readonly string[] | undefined {
    const values = [...this.#params]
      .filter(([key]) => key.replace(/\[\d*\]$/, '') === name)
      .map(([, value]) => value);
    return values.length === 0 ? undefined : values;
  }

  /** A repeated parameter of a few words. */
  list<N extends keyof S & string>(name: N): z.output<S[N]> {
    return this.#checked(name, this.texts(name));
  }

  /** `created_at[gt]` and its like, as the store compares them. */
  createdAt(): TimeRange {
    const entries = BOUNDS.flatMap((bound) => {
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

  #checked<N extends keyof S & string>(name: N, value: unknown): z.output<S[N]> {
    return parse(z.object({ [name]: this.#shape[name] }), { [name]: value })[name] as z.output<S[N]>;
  }
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

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

export function encodePage(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

const place: z.ZodType<ListPlace> = z.strictObject({ created_at: z.string(), id: z.string() });

/** One page of a list that is ordered by creation. It reads one record more to know whether there is a next page. */
export async function creationPage<R extends ListPlace, T>(
  query: Query<{ readonly limit: ReturnType<typeof limit>; readonly page: typeof page }>,
  list: (request: { readonly limit: number; readonly after?: ListPlace }) => Promise<readonly R[]>,
  view: (record: R) => T,
): Promise<Page<T>> {
  const most = query.integer('limit');
  const after = query.page(place);
  const found = await list({ limit: most + 1, ...(after === undefined ? {} : { after }) });
  const shown = found.slice(0, most);
  const last = shown.at(-1);
  const more = found.length > most && last !== undefined;
  return {
    data: shown.map(view),
    next_page: more ? encodePage({ created_at: last.created_at, id: last.id }) : null,
  };
}
