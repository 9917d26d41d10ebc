import { createHash, timingSafeEqual } from 'node:crypto';
import type { Metadata } from '@grpc/grpc-js';
import type { AccessToken } from '../../access-token.ts';
import { type RpcError, unauthenticated } from './errors.ts';

/** Whether a call may be served, by its method's path and its metadata; the error that refuses it otherwise. */
export type Admission = (path: string, metadata: Metadata) => RpcError | undefined;

/** Load balancers and probes ask this one without a key; it tells nothing but that something serves. */
const HEALTH = '/grpc.health.v1.Health/';

export const admitAll: Admission = () => undefined;

/** Admits calls that carry the token as Temporal's clients send an API key: `authorization: Bearer <token>`. */
export function admitBearer({ value, file }: AccessToken): Admission {
  const wanted = digest(value);
  return (path, metadata) => {
    if (path.startsWith(HEALTH)) return undefined;
    const given = metadata.get('authorization').map(String);
    if (given.length === 0) {
      return unauthenticated(`This engine asks for an API key: send the token that stands in ${file}.`);
    }
    const token = given.length === 1 ? /^bearer +(\S+)$/i.exec(given[0] ?? '')?.[1] : undefined;
    if (token !== undefined && timingSafeEqual(digest(token), wanted)) return undefined;
    return unauthenticated(`The API key is not this engine's: its token stands in ${file}.`);
  };
}

/** Of equal length whatever was given, as the comparison wants it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
