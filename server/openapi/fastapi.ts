import type { Components } from '../routing/components.ts';
import { componentRef, type Operation, type ResponseObject, type Schema } from '../routing/document.ts';
import type { Route } from '../routing/route.ts';
import { answered, operationOf, parametersOf } from './operations.ts';

/** The schemas that FastAPI puts into every description, in its words. */
export const VALIDATION_SCHEMAS: Readonly<Record<string, Schema>> = {
  HTTPValidationError: {
    properties: { detail: { items: componentRef('ValidationError'), type: 'array', title: 'Detail' } },
    type: 'object',
    title: 'HTTPValidationError',
  },
  ValidationError: {
    properties: {
      loc: { items: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, type: 'array', title: 'Location' },
      msg: { type: 'string', title: 'Message' },
      type: { type: 'string', title: 'Error Type' },
      input: { title: 'Input' },
      ctx: { type: 'object', title: 'Context' },
    },
    type: 'object',
    required: ['loc', 'msg', 'type'],
    title: 'ValidationError',
  },
  HTTPException: {
    properties: { detail: { type: 'string', title: 'Detail' } },
    type: 'object',
    required: ['detail'],
    title: 'HTTPException',
  },
};

const VALIDATION_ERROR: ResponseObject = {
  description: 'Validation Error',
  content: { 'application/json': { schema: componentRef('HTTPValidationError') } },
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds after which asking again makes sense', schema: { type: 'integer' } },
};

const WORDS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

type Meanings = Readonly<Record<number, string | undefined>>;

const KEY_ERRORS: Meanings = {
  401: 'the key is missing or wrong',
  403: 'a page of another site',
  429: 'too many wrong keys came from this address',
};

/** A route outside the agent API, as FastAPI would describe it. */
export function inferenceOperation(route: Route, components: Components): Operation {
  const { id, path, method, params, declaration } = route;
  const { headers, query, answer, errors = {}, open, unready } = declaration;
  const parameters = [
    ...parametersOf(params, 'path', components, titleOf),
    ...parametersOf(headers, 'header', components),
    ...parametersOf(query, 'query', components, titleOf),
  ];
  const success = answered(answer, components, 'Successful Response');
  const responses: Record<string, ResponseObject> = { 200: success };
  const meanings = Object.entries({ ...(open === true ? {} : KEY_ERRORS), ...(errors as Meanings) });
  const schema = path.startsWith('/v2') ? 'ProtocolError' : 'HTTPException';
  for (const [status, meaning] of meanings) {
    responses[status] = status === '422' ? VALIDATION_ERROR : failure(Number(status), schema, meaning);
  }
  if (unready === true) responses[503] = { ...success, description: 'Not ready' };
  // FastAPI's name for an operation: the function's, the path's and the method's.
  const operationId = `${`${id}${path}`.replaceAll(/\W/g, '_')}_${method}`;
  return {
    ...operationOf(route, { operationId, parameters, responses }, components),
    ...(open === true ? { security: [] } : {}),
  };
}

/** An error with its schema; a 503 says when to return. @param meaning in this route, where the status says too little */
function failure(status: number, schema: string, meaning?: string): ResponseObject {
  const words = WORDS[status] ?? String(status);
  return {
    description: meaning === undefined ? words : `${words}: ${meaning}`,
    ...(status === 503 ? { headers: RETRY_AFTER } : {}),
    content: { 'application/json': { schema: componentRef(schema) } },
  };
}

/** FastAPI's title of a parameter: its name in words. */
function titleOf(name: string): object {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { title: words.join(' ') };
}
