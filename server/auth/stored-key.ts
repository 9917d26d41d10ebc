import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Access } from './access.ts';
import { isLoopback } from './access.ts';

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
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${key}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // A link fails where the name exists: of two servers that start at once, both end with the first one's key.
    await link(draft, file);
    return { key, created: true };
  } catch (error) {
    const winner = await readKey(file);
    if (winner === undefined) throw error;
    return { key: winner, created: false };
  } finally {
    await rm(draft, { force: true });
  }
}

/** The access rules for a server: a given key, else open on loopback, else a stored key. */
export async function accessFor(options: {
  readonly host: string;
  readonly apiKey: string | undefined;
  readonly dataDir: string;
}): Promise<{ readonly access: Access; readonly newKey: string | undefined }> {
  if (options.apiKey !== undefined)
    return { access: { kind: 'key', key: options.apiKey }, newKey: undefined };
  if (isLoopback(options.host)) return { access: { kind: 'local' }, newKey: undefined };
  const { key, created } = await loadOrCreateKey(options.dataDir);
  return { access: { kind: 'key', key }, newKey: created ? key : undefined };
}

async function readKey(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (text === '') throw new Error(`${file} is empty; delete it to have a new key made`);
  await chmod(file, 0o600);
  return text;
}
