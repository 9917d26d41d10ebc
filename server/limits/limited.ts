import type { RequestHandler, Response } from 'express';
import type { Access } from '../auth/access.ts';
import { clientOf } from '../auth/client-key.ts';
import { RateLimiter } from './rate-limiter.ts';

/** Gives every request the limiter of its key; on an open server all share one. */
export function limitRequests(access: Access, organization: string, now?: () => number): RequestHandler {
  const open = access.kind === 'local' ? new RateLimiter(access.limits ?? {}, organization, now) : undefined;
  const limiters = new Map(
    (access.kind === 'keys' ? access.keys : []).map((key) => [
      key.name,
      new RateLimiter(key.limits, organization, now),
    ]),
  );
  return (_req, res, next) => {
    res.setHeader('anthropic-organization-id', organization);
    res.locals['limiter'] = open ?? limiters.get(clientOf(res)?.name ?? '');
    next();
  };
}

export function limiterOf(res: Response): RateLimiter {
  return res.locals['limiter'] as RateLimiter;
}
