import type { Request, RequestHandler } from 'express';
import { InvalidRequestError } from '@steadyhand/contracts';

export const VERSION_HEADER = 'anthropic-version';

/**
 * The versions of the Messages API. What is answered is the same under each: clients of the older ones ignore what was
 * added since. One that is not known may mean another shape, so it is refused, as the API does.
 */
export const API_VERSIONS = ['2023-01-01', '2023-06-01', '2026-10-21'] as const;

/** The routes of the Messages API, and not those of agents and sessions, which our own clients use. */
const VERSIONED = /^\/v1\/(?:messages|models|files)(?:\/|$)/i;

/** Whether a path is one of the Messages API. */
export function isVersioned(path: string): boolean {
  return VERSIONED.test(path);
}

/** Refuses requests to the Messages API that do not say which version of it they mean. */
export const requireVersion: RequestHandler = (req, _res, next) => {
  if (isVersioned(req.path)) checkVersion(req.get(VERSION_HEADER));
  next();
};

function checkVersion(version: string | undefined): void {
  if (version === undefined || version === '')
    throw new InvalidRequestError(`${VERSION_HEADER}: header is required`);
  if (!API_VERSIONS.some((known) => known === version)) {
    throw new InvalidRequestError(`${VERSION_HEADER}: "${version}" is not a valid version`);
  }
}

/** The values of `anthropic-beta`, which may come as several headers or as one with commas. */
export function betasOf(req: Request): readonly string[] {
  return (req.get('anthropic-beta') ?? '')
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '');
}
