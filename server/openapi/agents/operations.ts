import type { z } from 'zod';
import { API_ERRORS } from '@steadyhand/contracts';
import type { Components } from '../components.ts';
import type { Content, Operation, Parameter, Reference, ResponseObject } from '../document.ts';
import { errorAnswer } from './shapes.ts';

/** What is told of a route; the rest is the same for all of them. */
export interface Described {
  readonly tag: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: Body;
  readonly answer: Answer;
  /**
   * Statuses beside 400 (a rule is broken), 401 and 403 (not let in), 429 (too many wrong keys), and 413 of those that take a
   * body.
   */
  readonly errors?: readonly number[];
}

interface Body {
  readonly required: boolean;
  readonly schema: z.ZodType;
  /** Of JSON alone. */
  readonly example?: unknown;
  /** Default `application/json`. */
  readonly mediaType?: string;
}

interface Answer {
  readonly description: string;
  readonly content: (components: Components) => Content;
}

/** @param required whether an empty body is refused */
export function json(schema: z.ZodType, example: unknown, required = true): Body {
  return { required, schema, example };
}

export function answers(schema: z.ZodType): Answer {
  return {
    description: 'Success',
    content: (components) => ({ 'application/json': { schema: components.of(schema) } }),
  };
}

export function bytesOf(mediaTypes: readonly string[]): Answer {
  return {
    description: 'The bytes',
    content: () => Object.fromEntries(mediaTypes.map((type) => [type, {}])),
  };
}

/** Server-sent events that carry values of this schema. */
export function eventStream(schema: z.ZodType): Answer {
  return {
    description: 'Server-sent events: `id` is the event’s id, `event` its type, `data` the event as JSON',
    content: (components) => ({
      'text/event-stream': {
        schema: {
          type: 'string',
          contentMediaType: 'text/event-stream',
          contentSchema: components.of(schema),
        },
      },
    }),
  };
}

/** JSON, or server-sent events where the request asks for them. */
export function jsonOrStream(whole: z.ZodType, event: z.ZodType): Answer {
  return {
    description: 'Success; with `stream: true` server-sent events whose name is their type',
    content: (components) => ({
      ...answers(whole).content(components),
      ...eventStream(event).content(components),
    }),
  };
}

/** The whole of an operation. */
export function describe(
  components: Components,
  operationId: string,
  summary: string,
  { tag, description, parameters, body, answer, errors = [] }: Described,
): Operation {
  const statuses = new Set([400, 401, 403, 429, ...(body === undefined ? [] : [413]), ...errors]);
  const responses: Record<string, ResponseObject | Reference> = {
    200: { description: answer.description, headers: REQUEST_ID, content: answer.content(components) },
  };
  for (const status of [...statuses].toSorted((a, b) => a - b)) {
    responses[status] = { $ref: `#/components/responses/Error${status}` };
  }
  return {
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    operationId,
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: {
              [body.mediaType ?? 'application/json']: {
                schema: components.of(body.schema),
                ...(body.example === undefined ? {} : { example: body.example }),
              },
            },
          },
        }),
    responses,
  };
}

const REQUEST_ID = {
  'request-id': { description: 'The request’s id, also in the log', schema: { type: 'string' } },
};

/** One answer for each status of the table of errors. */
export function errorResponses(components: Components): Readonly<Record<string, ResponseObject>> {
  const schema = components.of(errorAnswer);
  return Object.fromEntries(
    Object.entries(API_ERRORS).map(([type, { status, retryable, when }]) => [
      `Error${status}`,
      {
        description: `\`${type}\`: ${when}`,
        headers: {
          ...REQUEST_ID,
          'x-should-retry': {
            description: 'Whether the same request may succeed later',
            schema: { type: 'string', enum: ['true', 'false'] },
          },
          ...(retryable
            ? { 'retry-after': { description: 'Seconds, where known', schema: { type: 'string' } } }
            : {}),
        },
        content: { 'application/json': { schema } },
      },
    ]),
  );
}
