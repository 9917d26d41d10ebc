import { componentRef, type ResponseObject, type Schema } from '../document.ts';

/** The schemas that FastAPI puts into every description, in its words. */
export const VALIDATION_SCHEMAS: Readonly<Record<string, Schema>> = {
  HTTPValidationError: {
    properties: {
      detail: { items: componentRef('ValidationError'), type: 'array', title: 'Detail' },
    },
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

export const VALIDATION_ERROR: ResponseObject = {
  description: 'Validation Error',
  content: { 'application/json': { schema: componentRef('HTTPValidationError') } },
};

const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds after which asking again makes sense',
    schema: { type: 'integer' },
  },
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

/** An error with its schema; a 503 says when to return. @param meaning in this route, where the status says too little */
export function failure(status: number, schema: string, meaning?: string): ResponseObject {
  const words = WORDS[status] ?? String(status);
  return {
    description: meaning === undefined ? words : `${words}: ${meaning}`,
    ...(status === 503 ? { headers: RETRY_AFTER } : {}),
    content: { 'application/json': { schema: componentRef(schema) } },
  };
}

/** FastAPI's name for an operation: the function's, the path's and the method's. */
export function operationId(name: string, path: string, method: string): string {
  return `${name}${path}`.replaceAll(/\W/g, '_') + `_${method}`;
}

/** FastAPI's summary: the function's name in words. */
export function summaryOf(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
