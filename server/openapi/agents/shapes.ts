import { z } from 'zod';
import { API_ERRORS, type ApiErrorBody } from '@steadyhand/contracts';
import type { Limits } from '@steadyhand/sessions';

/** Small shapes that several answers share. */

export const time = z.iso.datetime().describe('RFC 3339, UTC');
export const maybeTime = time.nullable();
export const pairs = z.record(z.string(), z.string());
export const anyObject = z.record(z.string(), z.unknown());

export const limits: z.ZodType<Limits> = z.object({
  max_turns: z.int().min(1).nullable().describe('Model replies that answer one user message'),
  max_tokens: z.int().min(1).nullable().describe('Tokens read and written over the session’s life'),
});

/** A page of a list. */
export function pageOf(item: z.ZodType): z.ZodType {
  return z.object({ data: z.array(item), next_page: nextPage });
}

/** A list that comes whole. */
export function wholeList(item: z.ZodType): z.ZodType {
  return z.object({ data: z.array(item) });
}

export function twoWayPageOf(item: z.ZodType): z.ZodType {
  return z.object({ data: z.array(item), next_page: nextPage, prev_page: z.string().nullable() });
}

const nextPage = z.string().nullable().describe('Send it as `page` for what comes next; null at the end');

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
