import { z } from 'zod';
import { API_ERRORS, type ApiErrorBody } from '@steadyhand/contracts';
import type { Page, TwoWayPage } from '@steadyhand/sessions';
import { type Components, named } from './components.ts';
import type { Content } from './document.ts';
import type { Body, DeepReadonly, Written } from './route.ts';

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

/** What bodies and answers hold that are no plain JSON, and how JSON bodies are declared. */

export function jsonContent(schema: z.ZodType): (components: Components) => Content {
  return (components) => ({ 'application/json': { schema: components.of(schema) } });
}

/** A JSON body that the schema checks. */
export function json<T, I>(schema: z.ZodType<T, I>, example: unknown): Body<T, I> {
  return {
    required: true,
    schema,
    content: (components) => ({ 'application/json': { schema: components.of(schema), example } }),
  };
}

/** The same of a body that may be left out. */
export function optional<T, I>(body: Body<T, I>): Body<T, I> {
  return { ...body, required: false };
}

/** A body in another form, which the route reads itself. */
export function form(mediaType: string, schema: z.ZodType): Body<never, never> {
  return {
    required: true,
    content: (components) => ({ [mediaType]: { schema: components.of(schema) } }),
  };
}

/** JSON that the handler writes piece by piece. */
export function jsonPieces<S extends z.ZodType>(schema: S): Written<DeepReadonly<z.output<S>>> {
  return { content: jsonContent(schema) };
}

export function bytesOf(...mediaTypes: readonly string[]): Written<Uint8Array> {
  return {
    description: 'The bytes',
    content: () => Object.fromEntries(mediaTypes.map((type) => [type, {}])),
  };
}

/** Server-sent events that carry values of this schema. */
export function eventStream<S extends z.ZodType>(schema: S): Written<DeepReadonly<z.output<S>>> {
  return {
    description: 'Server-sent events: `id` is the event’s id, `event` its type, `data` the event as JSON',
    content: (components) => text('text/event-stream', components, schema),
  };
}

/** JSON, or server-sent events where the request asks for them. */
export function jsonOrStream<S extends z.ZodType>(
  whole: S,
  event: z.ZodType,
): Written<DeepReadonly<z.output<S>>> {
  return {
    description: 'Success; with `stream: true` server-sent events whose name is their type',
    content: (components) => ({
      ...jsonContent(whole)(components),
      ...text('text/event-stream', components, event),
    }),
  };
}

/** A text of this type, in which values of the schema stand. */
export function text(mediaType: string, components: Components, schema: z.ZodType): Content {
  return {
    [mediaType]: {
      schema: { type: 'string', contentMediaType: mediaType, contentSchema: components.of(schema) },
    },
  };
}
