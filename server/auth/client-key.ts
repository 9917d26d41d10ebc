import { createHash, timingSafeEqual } from 'node:crypto';
import type { Response } from 'express';
import { noteForLog } from '../http/log-fields.ts';
import type { WorkflowAccess } from './workflow-access.ts';

/** A key that clients may send. The key itself is not kept: its digest tells whether one that is sent is it. */
export interface ClientKey {
  /** For the log; unique among the keys. */
  readonly name: string;
  /** SHA-256 of the key in hexadecimal. */
  readonly sha256: string;
  readonly limits: KeyLimits;
  /** What it may do with the workflows of the namespace; default: nothing, but for the key of a server that knows one alone. */
  readonly workflows?: WorkflowAccess;
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

/** What a key may use. An absent limit is none. */
export interface KeyLimits {
  /** Requests a minute. */
  readonly requests?: number;
  /** Tokens a minute that models read, those from a cache not counted. */
  readonly inputTokens?: number;
  /** Tokens a minute that models write. */
  readonly outputTokens?: number;
  /** Streamed replies under way at a time. */
  readonly streams?: number;
}

/** What has a limit a minute. */
export type LimitedKind = Exclude<keyof KeyLimits, 'streams'>;

/** Notes whose key a request was sent with. */
export function setClient(res: Response, key: ClientKey): void {
  res.locals['client'] = key;
  noteForLog(res, { key: key.name });
}

/** The key that a request was sent with; undefined on a server that asks for none. */
export function clientOf(res: Response): ClientKey | undefined {
  return res.locals['client'] as ClientKey | undefined;
}
