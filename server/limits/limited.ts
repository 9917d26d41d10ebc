import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Rates } from '@steadyhand/store';
import type { Access } from '../auth/access.ts';
import { clientOf, type KeyLimits } from '../auth/client-key.ts';
import { RateLimiter } from './rate-limiter.ts';

interface LimitOptions {
  readonly access: Access;
  readonly organization: string;
  readonly now?: (() => number) | undefined;
  /** What all servers with the store share; null where a server is alone. */
  readonly rates: Rates | null;
  readonly log: Logger;
}

/** Gives every request the limiter of its key; on an open server all share one. */
export function limitRequests({ access, organization, now, rates, log }: LimitOptions): RequestHandler {
  const limiter = (limits: KeyLimits, key: string): RateLimiter =>
    new RateLimiter(limits, {
      organization,
      now,
      shared: rates === null ? undefined : { rates, key },
      onFault: (error) => log.warn({ err: error, key }, 'limits are counted by this process alone for now'),
    });
  const open = access.kind === 'local' ? limiter(access.limits ?? {}, 'open') : undefined;
  const limiters = new Map(
    (access.kind === 'keys' ? access.keys : []).map((key) => [
      key.name,
      limiter(key.limits, `key/${key.name}`),
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
