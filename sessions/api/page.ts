import { z } from 'zod';
import type { ListPlace } from '@steadyhand/store';
import type { limit as limitOf, page, Query } from './query.ts';

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
  query: Query<{ readonly limit: ReturnType<typeof limitOf>; readonly page: typeof page }>,
  list: (request: { readonly limit: number; readonly after?: ListPlace }) => Promise<readonly R[]>,
  view: (record: R) => T,
): Promise<Page<T>> {
  const limit = query.integer('limit');
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
