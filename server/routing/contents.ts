import type { z } from 'zod';
import type { Components } from './components.ts';
import type { Content } from './document.ts';
import type { Body, DeepReadonly, Written } from './route.ts';

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
