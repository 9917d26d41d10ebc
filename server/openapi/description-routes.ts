import { createHash } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import type { Access } from '../auth/access.ts';
import type { OpenApiDocument } from '../routing/document.ts';
import type { Route } from '../routing/route.ts';
import { notFound, route } from '../routing/router.ts';
import { AGENTS_API, agentsDescription, INFERENCE_API, inferenceDescription } from './descriptions.ts';

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
  route(router, INFERENCE_API.url, { get: published(inferenceDescription(routes.inference, keyed)) });
  route(router, AGENTS_API.url, { get: published(agentsDescription(routes.agents, keyed)) });
  return router;
}

/** Answers with a description, which takes tens of milliseconds to make and is made once, before any request. */
function published(document: OpenApiDocument): RequestHandler {
  const body = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return (_req, res) => {
    res.set({ etag, 'cache-control': 'no-cache' }).type('json').send(body);
  };
}
