import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { InvalidRequestError } from '@steadyhand/contracts';
import { canonicalJson } from '@steadyhand/store';
import { clientOf } from '../auth/client-key.ts';

const LONGEST = 256;

/** A request that the client names, so that its retry is not a second one. */
export interface Idempotency {
  /** The client's own key; two clients with one text have two keys. */
  readonly key: string;
  /** A digest of what is asked: the same for the same body, defaults filled in. */
  readonly request: string;
}

/** What `Idempotency-Key` says; undefined without it. Throws InvalidRequestError for one that is empty or too long. */
export function idempotencyOf(req: Request, res: Response, body: object): Idempotency | undefined {
  const key = req.get('idempotency-key');
  if (key === undefined) return undefined;
  if (key === '' || key.length > LONGEST)
    throw new InvalidRequestError(`idempotency-key: expected 1 to ${LONGEST} characters`);
  return {
    key: JSON.stringify([clientOf(res)?.name ?? null, key]),
    request: createHash('sha256').update(canonicalJson(body)).digest('hex'),
  };
}
