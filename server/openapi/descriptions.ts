import { protocolError } from '../inference/protocol/shapes.ts';
import { Components } from '../routing/components.ts';
import { type OpenApiDocument, security, SECURITY_SCHEMES } from '../routing/document.ts';
import type { Route } from '../routing/route.ts';
import { inferenceOperation, VALIDATION_SCHEMAS } from './fastapi.ts';
import { agentOperation, errorResponses, pathsOf } from './operations.ts';
import { createHash } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import type { Access } from '../auth/access.ts';
import { notFound, route } from '../routing/router.ts';

/** The descriptions that this server gives of itself. */
export const INFERENCE_API = {
  name: 'inference',
  label: 'Inference',
  title: 'Steadyhand Inference Serving API',
  version: '1.0.0',
  url: '/openapi.json',
} as const;

export const AGENTS_API = {
  name: 'agents',
  label: 'Agents',
  title: 'Steadyhand Agent API',
  version: '1.0.0',
  url: '/v1/openapi.json',
} as const;

const AGENT_TAGS = [
  { name: 'Messages', description: 'The Messages API' },
  { name: 'Models', description: 'The models that requests may name' },
  { name: 'Files', description: 'The Files API: bytes that requests refer to by id' },
  { name: 'Agents', description: 'Managed Agents: versioned configurations' },
  { name: 'Environments', description: 'Managed Agents: what the sandboxes of sessions are made from' },
  { name: 'Sessions', description: 'Managed Agents: agents at work, durable' },
  { name: 'Events', description: 'Managed Agents: a session’s log, and the bytes it refers to' },
  { name: 'Sandboxes', description: 'Computers without a session' },
  {
    name: 'Workflows',
    description: 'The workflows of the Temporal namespace, of sessions and of any other kind',
  },
  {
    name: 'System',
    description: 'The server itself: the calling key and its limits, the state of all parts',
  },
  { name: 'Schemas', description: 'JSON Schemas of what people write in forms and editors' },
];

const INFERENCE_TAGS = [
  { name: 'Analyze', description: 'Images in, results out' },
  {
    name: 'Open Inference Protocol',
    description: 'Tensors in, tensors out; for clients of Triton and KServe',
  },
  { name: 'Operations', description: 'Health and metrics' },
];

/** `/v1/openapi.json`. @param keyed whether requests need the key */
async function agentsDescription(routes: readonly Route[], keyed: boolean): Promise<OpenApiDocument> {
  const components = new Components();
  const paths = await pathsOf(routes, (route) => agentOperation(route, components));
  const responses = errorResponses(components);
  return {
    openapi: '3.1.0',
    info: {
      title: AGENTS_API.title,
      version: AGENTS_API.version,
      description:
        'Messages, and computer-use agents as durable sessions. Where an official API has a route, it is that API’s. ' +
        '`?beta=true` and the `anthropic-beta` header are accepted everywhere.',
    },
    tags: AGENT_TAGS,
    paths,
    components: { schemas: components.schemas, responses, securitySchemes: SECURITY_SCHEMES },
    security: security(keyed),
  };
}

/** `/openapi.json`, as FastAPI would give it. @param keyed whether requests need the key */
async function inferenceDescription(routes: readonly Route[], keyed: boolean): Promise<OpenApiDocument> {
  const components = new Components();
  const paths = await pathsOf(routes, (route) => inferenceOperation(route, components));
  // Named by the errors of `/v2` alone.
  components.of(protocolError);
  const schemas = Object.entries({ ...VALIDATION_SCHEMAS, ...components.schemas });
  return {
    openapi: '3.1.0',
    info: { title: INFERENCE_API.title, version: INFERENCE_API.version },
    tags: INFERENCE_TAGS,
    paths,
    components: {
      schemas: Object.fromEntries(schemas.toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: SECURITY_SCHEMES,
    },
    security: security(keyed),
  };
}

interface DescriptionDeps {
  readonly docs: boolean;
  readonly access: Access;
}

/** The routes that are described, by their API. */
export interface DescribedRoutes {
  readonly inference: readonly Route[];
  readonly agents: readonly Route[];
}

/** The descriptions of both APIs, open without a key; when the documentation is switched off there is nothing there. */
export function descriptionRoutes({ docs, access }: DescriptionDeps, routes: DescribedRoutes): Router {
  const router = Router();
  if (!docs) {
    // Else a request without the key would be asked for it first.
    for (const { url } of [INFERENCE_API, AGENTS_API]) router.all(url, notFound);
    return router;
  }
  const keyed = access.kind === 'keys';
  route(router, INFERENCE_API.url, { get: published(() => inferenceDescription(routes.inference, keyed)) });
  route(router, AGENTS_API.url, { get: published(() => agentsDescription(routes.agents, keyed)) });
  return router;
}

/** Answers with a description, which is made once, when it is first asked for: most servers are never asked. */
function published(describe: () => Promise<OpenApiDocument>): RequestHandler {
  let made: Promise<Published> | undefined;
  return async (_req, res) => {
    made ??= describe().then(publishedOf);
    const { body, etag } = await made;
    res.set({ etag, 'cache-control': 'no-cache' }).type('json').send(body);
  };
}

interface Published {
  readonly body: string;
  readonly etag: string;
}

function publishedOf(document: OpenApiDocument): Published {
  const body = JSON.stringify(document);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
}
