import { createHash } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import type { Access } from '../auth/access.ts';
import { notFound, route } from '../http/routing.ts';
import { AGENTS_API, agentsDescription, INFERENCE_API, inferenceDescription } from './descriptions.ts';
import type { OpenApiDocument } from './document.ts';

const inference = once(inferenceDescription);
const agents = once(agentsDescription);

interface DescriptionDeps {
  readonly docs: boolean;
  readonly access: Access;
}

/** The descriptions of both APIs, open without a key; when the documentation is switched off there is nothing there. */
export function descriptionRoutes({ docs, access }: DescriptionDeps): Router {
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

/** Answers with a description, which takes tens of milliseconds to make and is made once, before any request. */
function published(document: OpenApiDocument): RequestHandler {
  const body = JSON.stringify(document);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return (_req, res) => {
    res.set({ etag, 'cache-control': 'no-cache' }).type('json').send(body);
  };
}

/** Keeps what was made for each value. */
function once<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
