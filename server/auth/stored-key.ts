import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createWholeFile, FileUnusableError } from '@steadyhand/store';
import { type Access, isLoopback } from './access.ts';
import { type ClientKey, clientKey, DEFAULT_KEY_NAME, type KeyLimits } from './client-key.ts';

export interface StoredKey {
  readonly key: string;
  /** True once: the caller prints the key then, and never again. */
  readonly created: boolean;
}

/** The key of a server that was given none: made at the first start, kept in `<dataDir>/api-key` with mode 0600. */
export async function loadOrCreateKey(dataDir: string): Promise<StoredKey> {
  const file = path.join(dataDir, 'api-key');
  await mkdir(dataDir, { recursive: true });
  const existing = await readKey(file);
  if (existing !== undefined) return { key: existing, created: false };

  const key = `sk-steadyhand-${randomBytes(24).toString('base64url')}`;
  if (await createWholeFile(file, `${key}\n`)) return { key, created: true };
  // Of two servers that start at once, both end with the first one's key.
  const winner = await readKey(file);
  if (winner === undefined) throw new Error(`${file} was deleted while it was made`);
  return { key: winner, created: false };
}

/** Who may use a server, and the secrets to be kept out of its logs and answers. */
export interface AccessChoice {
  readonly access: Access;
  /** To be printed once. */
  readonly newKey: string | undefined;
  readonly secrets: readonly string[];
}

/** The access rules for a server: the given keys, else open on loopback, else a stored key where one may be kept. */
export async function accessFor(options: {
  readonly host: string;
  readonly apiKey: string | undefined;
  /** Those of the keys file. */
  readonly keys?: readonly ClientKey[];
  /** Of the one key, and of an open server. */
  readonly limits?: KeyLimits;
  /** Where a key is kept that is made; undefined: none is made, and nobody has access. */
  readonly dataDir: string | undefined;
}): Promise<AccessChoice> {
  const { host, apiKey, keys = [], limits = {}, dataDir } = options;
  const own = apiKey === undefined ? [] : [clientKey(apiKey, DEFAULT_KEY_NAME, limits)];
  const given = [...own, ...keys];
  const secrets = apiKey === undefined ? [] : [apiKey];
  if (given.length > 0) return { access: { kind: 'keys', keys: given }, newKey: undefined, secrets };
  if (isLoopback(host)) return { access: { kind: 'local', limits }, newKey: undefined, secrets };
  if (dataDir === undefined) return { access: { kind: 'keys', keys: [] }, newKey: undefined, secrets };
  const { key, created } = await loadOrCreateKey(dataDir);
  return {
    access: { kind: 'keys', keys: [clientKey(key, DEFAULT_KEY_NAME, limits)] },
    newKey: created ? key : undefined,
    secrets: [key],
  };
}

async function readKey(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (text === '') throw new FileUnusableError(file, 'is empty: delete it to have a new key made');
  await chmod(file, 0o600);
  return text;
}
