import { createHash, timingSafeEqual } from 'node:crypto';
import type { Metadata } from '@grpc/grpc-js';
import type { AccessToken } from '../../connection/access-token.ts';
import { type RpcError, unauthenticated } from '../protocol/rpc-error.ts';

/** Somebody who is served. */
export interface Caller {
  /** The only namespaces that the caller may use; undefined for all of them. */
  readonly namespaces?: ReadonlySet<string>;
}

/** Decides by a method's path and its metadata who calls; answers the error that refuses the call otherwise. */
export type Admission = (path: string, metadata: Metadata) => Caller | RpcError;

/** A key that opens some namespaces. */
export interface EngineKey {
  readonly name: string;
  /** The SHA-256 of the key, as 64 hexadecimal digits in lower case. */
  readonly sha256: string;
  readonly namespaces: readonly string[];
}

const EVERYTHING: Caller = {};

/** Load balancers and probes call this service without a key; it says nothing but that something serves. */
const HEALTH = '/grpc.health.v1.Health/';

export const admitAll: Admission = () => EVERYTHING;

/**
 * Admits calls that carry the token, or one of the keys, as Temporal's clients send an API key: `authorization: Bearer <key>`.
 */
export function admitBearer({ value, file }: AccessToken, keys: readonly EngineKey[] = []): Admission {
  const known = [
    { digest: digest(value), caller: EVERYTHING },
    ...keys.map(({ sha256, namespaces }) => ({
      digest: Buffer.from(sha256, 'hex'),
      caller: { namespaces: new Set(namespaces) },
    })),
  ];
  return (path, metadata) => {
    if (path.startsWith(HEALTH)) return EVERYTHING;
    const given = metadata.get('authorization').map(String);
    if (given.length === 0) {
      return unauthenticated(`This engine asks for an API key: send the token that stands in ${file}.`);
    }
    const key = given.length === 1 ? /^bearer +(\S+)$/i.exec(given[0] ?? '')?.[1] : undefined;
    const hash = key === undefined ? undefined : digest(key);
    const found = known.find((one) => hash !== undefined && timingSafeEqual(one.digest, hash));
    if (found !== undefined) return found.caller;
    return unauthenticated(`The API key is not this engine's: its token stands in ${file}.`);
  };
}

/** Makes values of equal length, which the comparison requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
