import { createHash, timingSafeEqual } from 'node:crypto';
import type { Metadata } from '@grpc/grpc-js';
import type { AccessToken } from '../../connection/access-token.ts';
import { type RpcError, unauthenticated } from '../protocol/rpc-error.ts';

/**
 * Decides by a method's path and its metadata whether a call is served; answers the error that refuses it otherwise.
 */
export type Admission = (path: string, metadata: Metadata) => RpcError | undefined;

/** Load balancers and probes call this service without a key; it says nothing but that something serves. */
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

/** Makes values of equal length, which the comparison requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
