import { setImmediate } from 'node:timers/promises';
import { API_ERRORS } from '@steadyhand/contracts';
import { API_VERSIONS, isVersioned, VERSION_HEADER } from '../http/api-version.ts';
import type { Components } from '../routing/components.ts';
import { errorAnswer, jsonContent } from '../routing/shapes.ts';
import type { Operation, Parameter, Paths, Reference, ResponseObject } from '../routing/document.ts';
import type { Answer, Route, Shape } from '../routing/route.ts';

const REQUEST_ID = {
  'request-id': { description: 'The request’s id, also in the log', schema: { type: 'string' } },
};

/** The headers that the Messages API asks for. */
const VERSION: Parameter = {
  name: VERSION_HEADER,
  in: 'header',
  required: true,
  description: 'The version of the Messages API; what is answered is the same under each',
  schema: { type: 'string', enum: API_VERSIONS, default: API_VERSIONS.at(-1) ?? '' },
};

/** How long the paths of a description hold up other requests at a time, in milliseconds. */
const SLICE_MS = 8;

/** The paths of a description, in the order of the routes; made in slices, because all of them take a third of a second. */
export async function pathsOf(
  routes: readonly Route[],
  operation: (route: Route) => Operation,
): Promise<Paths> {
  const paths: Record<string, Record<string, Operation>> = {};
  let began = performance.now();
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method] = operation(route);
    if (performance.now() - began < SLICE_MS) continue;
    await setImmediate();
    began = performance.now();
  }
  return paths;
}

/** A route of the agent API. */
export function agentOperation(route: Route, components: Components): Operation {
  const { id, path, params, declaration } = route;
  const { headers, query, body, answer, errors = [] } = declaration;
  const parameters = [
    ...parametersOf(params, 'path', components),
    ...parametersOf(headers, 'header', components),
    ...parametersOf(query, 'query', components),
    ...(isVersioned(path) ? [VERSION] : []),
  ];
  const others = Array.isArray(errors) ? (errors as readonly number[]) : Object.keys(errors).map(Number);
  const unknown = path.includes('{') ? [404] : [];
  const tooLarge = body === undefined ? [] : [413];
  // Beside these: a rule is broken; not let in; too many wrong keys.
  const statuses = new Set([400, 401, 403, 429, ...unknown, ...tooLarge, ...others]);
  const responses: Record<string, ResponseObject | Reference> = {
    200: { headers: REQUEST_ID, ...answered(answer, components, 'Success') },
  };
  for (const status of statuses) responses[status] = { $ref: `#/components/responses/Error${status}` };
  return operationOf(route, { operationId: id, parameters, responses }, components);
}

/** What both descriptions tell of a route in the same way. */
export function operationOf(
  { tag, summary, declaration: { description, body } }: Route,
  { operationId, parameters = [], responses }: Pick<Operation, 'operationId' | 'parameters' | 'responses'>,
  components: Components,
): Operation {
  return {
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    operationId,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: body.required, content: body.content(components) } }),
    responses,
  };
}

/** @param titled what else stands in the schema of the parameter of this name */
export function parametersOf(
  shape: Shape | undefined,
  place: Parameter['in'],
  components: Components,
  titled: (name: string) => object = () => ({}),
): readonly Parameter[] {
  return Object.entries(shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = components.of(field);
    return {
      name,
      in: place,
      required: !field.safeParse(undefined).success,
      ...(typeof description === 'string' ? { description } : {}),
      schema: { ...schema, ...titled(name) },
      ...(schema['type'] === 'array' ? { style: 'form', explode: true } : {}),
    };
  });
}

/** @param description of an answer that has none of its own */
export function answered(answer: Answer, components: Components, description: string): ResponseObject {
  if (!('content' in answer)) return { description, content: jsonContent(answer)(components) };
  const { headers, content } = answer;
  return {
    description: answer.description ?? description,
    ...(headers === undefined ? {} : { headers }),
    content: content(components),
  };
}

/** One answer for each status of the table of errors. */
export function errorResponses(components: Components): Readonly<Record<string, ResponseObject>> {
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
        content: jsonContent(errorAnswer)(components),
      },
    ]),
  );
}
