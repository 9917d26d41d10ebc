import { z } from 'zod';
import { API_ERRORS, type ApiErrorBody } from '@steadyhand/contracts';
import type { Page, TwoWayPage } from '@steadyhand/sessions';
import { named } from './components.ts';

/** Small shapes that several routes share. */

export const time = z.iso.datetime().describe('RFC 3339, UTC');
export const maybeTime = time.nullable();
export const count = z.int().min(0);
export const pairs = z.record(z.string(), z.string());
export const anyObject = z.record(z.string(), z.unknown());

export const nextPage = z
  .string()
  .nullable()
  .describe('Send it as `page` for what comes next; null at the end');

export interface IdPage<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** A schema that says less than the type of what it describes. */
export function loosely<T>(schema: z.ZodType): z.ZodType<T> {
  return schema as z.ZodType<T>;
}

/** A page of a list. */
export function pageOf<S extends z.ZodType>(item: S): z.ZodType<Page<z.output<S>>> {
  return z.object({ data: z.array(item), next_page: nextPage });
}

export function twoWayPageOf<S extends z.ZodType>(item: S): z.ZodType<TwoWayPage<z.output<S>>> {
  return z.object({ data: z.array(item), next_page: nextPage, prev_page: z.string().nullable() });
}

/** A page that is turned by the ids of its first and its last item. */
export function idPageOf<S extends z.ZodType>(item: S): z.ZodType<IdPage<z.output<S>>> {
  const id = z.string().nullable();
  return z.object({ data: z.array(item), has_more: z.boolean(), first_id: id, last_id: id });
}

/** A list that comes whole. */
export function wholeList<S extends z.ZodType>(
  item: S,
): z.ZodType<{ readonly data: readonly z.output<S>[] }> {
  return z.object({ data: z.array(item) });
}

export function deleted<const T extends string>(type: T): z.ZodType<{ id: string; type: T }> {
  return z.object({ id: z.string(), type: z.literal(type) });
}

/** Every error of the agent API. */
export const errorAnswer = z.object({
  type: z.literal('error'),
  error: z.object({
    type: z.string().describe(`One of: ${Object.keys(API_ERRORS).join(', ')}; or an upstream’s own`),
    message: z.string(),
    details: z.exactOptional(anyObject),
  }),
  request_id: z.string().describe('The same as in the `request-id` header and in the log'),
}) satisfies z.ZodType<ApiErrorBody & { request_id: string }>;

named({ error: errorAnswer });
