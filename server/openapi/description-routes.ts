import { Router } from 'express';
import type { ServerDeps } from '../deps.ts';
import { notFound, route } from '../routing.ts';
import { agentsDescription } from './agents/description.ts';
import { AGENTS_API, INFERENCE_API } from './apis.ts';
import { inferenceDescription } from './inference/description.ts';
import { once, published } from './published.ts';

const inference = once(inferenceDescription);
const agents = once(agentsDescription);

/** The descriptions of both APIs, open without a key; when the documentation is switched off there is nothing there. */
export function descriptionRoutes({ docs, access }: Pick<ServerDeps, 'docs' | 'access'>): Router {
  const router = Router();
  if (!docs) {
    // Else a request without the key would be asked for it first.
    for (const { url } of [INFERENCE_API, AGENTS_API]) router.all(url, notFound);
    return router;
  }
  const keyed = access.kind === 'keys';
  route(router, INFERENCE_API.url, { get: published(inference(keyed)) });
  route(router, AGENTS_API.url, { get: published(agents(keyed)) });
  return router;
}
