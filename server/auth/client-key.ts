import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeyLimits } from './key-limits.ts';

/** A key that clients may send. The key itself is not kept: its digest tells whether one that is sent is it. */
export interface ClientKey {
  /** For the log; unique among the keys. */
  readonly name: string;
  /** SHA-256 of the key in hexadecimal. */
  readonly sha256: string;
  readonly limits: KeyLimits;
}

/** The key of a server that knows one alone. */
export const DEFAULT_KEY_NAME = 'default';

export function clientKey(text: string, name = DEFAULT_KEY_NAME, limits: KeyLimits = {}): ClientKey {
  return { name, sha256: digest(text).toString('hex'), limits };
}

/** Finds the key that is one of the texts. Digests have one length and all are compared, so the time tells nothing of a key. */
export function keyFinder(
  keys: readonly ClientKey[],
): (texts: readonly (string | undefined)[]) => ClientKey | undefined {
  const known = keys.map((key) => ({ key, digest: Buffer.from(key.sha256, 'hex') }));
  return (texts) => {
    let found: ClientKey | undefined;
    for (const text of texts) {
      if (text === undefined) continue;
      const sent = digest(text);
      for (const { key, digest: expected } of known) {
        if (timingSafeEqual(sent, expected)) found ??= key;
      }
    }
    return found;
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
