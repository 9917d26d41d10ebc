import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { OpenApiDocument, Operation, ResponseObject, Schema } from '../../server/routing/document.ts';

// The package is CommonJS with a default export of its own.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/** A description, and what it says of values. */
export interface Described {
  readonly document: OpenApiDocument;
  /** `GET /v1/agents/{id}` and so on. */
  readonly routes: readonly string[];
  readonly operation: (route: string) => Operation;
  /** What is wrong with an answer; empty when the description allows it, and a field it does not name is wrong too. */
  readonly answerFaults: (
    route: string,
    status: number,
    mediaType: string,
    body: unknown,
  ) => readonly string[];
  /** Compiles a component's schema; throws when it is none. */
  readonly compile: (component: string) => void;
  /** What is wrong with a JSON body. */
  readonly bodyFaults: (route: string, body: unknown) => readonly string[];
}

/** Each schema checks a few values in a test, which does not gain what improving its code costs. */
const ONCE = { code: { optimize: false }, inlineRefs: false };

export function described(document: OpenApiDocument): Described {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, ...ONCE });
  addFormats(ajv);
  ajv.addSchema(closed(document) as object, 'document');

  const operation = (route: string): Operation => {
    const [method = '', place = ''] = route.split(' ');
    const found = document.paths[place]?.[method.toLowerCase() as 'get'];
    if (found === undefined) throw new Error(`${route} is not described`);
    return found;
  };
  const faults = (pointer: string, value: unknown): readonly string[] => {
    const validate = ajv.getSchema(`document#${pointer}`);
    if (validate === undefined) throw new Error(`there is no schema at ${pointer}`);
    return validate(value) === true ? [] : (validate.errors ?? []).map(worded);
  };
  const pointerTo = (route: string): string => {
    const [method = '', place = ''] = route.split(' ');
    return `/paths/${escaped(place)}/${method.toLowerCase()}`;
  };

  return {
    document,
    routes: Object.entries(document.paths).flatMap(([place, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${place}`),
    ),
    operation,
    answerFaults(route, status, mediaType, body) {
      const response = operation(route).responses[status];
      if (response === undefined) return [`${route} is not said to answer ${status}`];
      const name = '$ref' in response ? response.$ref.split('/').at(-1) : undefined;
      const resolved = name === undefined ? response : document.components.responses?.[name];
      const content = (resolved as ResponseObject | undefined)?.content ?? {};
      if (content[mediaType] === undefined) return [`${route} ${status} is not said to be ${mediaType}`];
      if (content[mediaType].schema === undefined || mediaType !== 'application/json') return [];
      const place =
        name === undefined ? `${pointerTo(route)}/responses/${status}` : `/components/responses/${name}`;
      return faults(`${place}/content/${escaped(mediaType)}/schema`, body);
    },
    compile: (component) => void ajv.compile({ $ref: `document#/components/schemas/${component}` }),
    bodyFaults: (route, body) =>
      faults(`${pointerTo(route)}/requestBody/content/${escaped('application/json')}/schema`, body),
  };
}

function escaped(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
}

/** The same with every object closed that does not say that it is open. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value as Schema).map(([key, inner]) => [key, closed(inner)]),
  );
  if (copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy)) {
    copy['additionalProperties'] = false;
  }
  return copy;
}

function worded({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '(all)'} ${message ?? ''} ${JSON.stringify(params)}`;
}
