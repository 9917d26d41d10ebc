import type { Components } from '../components.ts';
import {
  componentRef,
  type Content,
  type Method,
  type Operation,
  type Parameter,
  type ResponseObject,
} from '../document.ts';
import { failure, operationId, summaryOf, VALIDATION_ERROR } from './fastapi.ts';
import type { z } from 'zod';

/** What is told of a route; names and errors follow FastAPI. */
export interface Described {
  readonly tag: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: Content;
  readonly answer: ResponseObject;
  /** Statuses, and what they mean here where their words say too little. 422 is FastAPI's own. */
  readonly errors?: Readonly<Record<number, string | undefined>>;
  /** Whether an empty body is refused; default true. */
  readonly bodyRequired?: boolean;
  /** The component of a 503 that is no error but the same answer with a no in it. */
  readonly unready?: string;
  /** Open without the key. */
  readonly open?: boolean;
  /** The component that errors have: FastAPI's, or the protocol's. */
  readonly errorSchema?: string;
}

export function jsonAnswer(components: Components, schema: z.ZodType): ResponseObject {
  return {
    description: 'Successful Response',
    content: { 'application/json': { schema: components.of(schema) } },
  };
}

/** @param name as FastAPI's function would be called; with path and method it is the operation's id */
export function described(name: string, path: string, method: Method, told: Described): Operation {
  const { tag, description, parameters, body, answer, errors = {}, open = false } = told;
  const { errorSchema = 'HTTPException', bodyRequired = true, unready } = told;
  const responses: Record<string, ResponseObject> = { 200: answer };
  for (const [status, meaning] of Object.entries(open ? errors : { ...KEY_ERRORS, ...errors })) {
    responses[status] = status === '422' ? VALIDATION_ERROR : failure(Number(status), errorSchema, meaning);
  }
  if (unready !== undefined) {
    responses[503] = {
      description: 'Not ready',
      content: { 'application/json': { schema: componentRef(unready) } },
    };
  }
  return {
    tags: [tag],
    summary: summaryOf(name),
    ...(description === undefined ? {} : { description }),
    operationId: operationId(name, path, method),
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: bodyRequired, content: body } }),
    responses,
    ...(open ? { security: [] } : {}),
  };
}

const KEY_ERRORS = {
  401: 'the key is missing or wrong',
  403: 'a page of another site',
  429: 'too many wrong keys came from this address',
};
