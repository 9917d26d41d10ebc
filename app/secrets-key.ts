import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createWholeFile, FileUnusableError } from '@steadyhand/store';

const KEY_BYTES = 32;

/**
 * The key that sessions' secrets are sealed with. It is made at the first start and kept in `<dataDir>/secrets.key` with mode
 * 0600, outside the store, so that a copy of the store alone does not show the secrets.
 */
export async function secretsKey(dataDir: string): Promise<Uint8Array> {
  const file = path.join(dataDir, 'secrets.key');
  const key = (await found(file)) ?? (await made(file));
  if (key.length !== KEY_BYTES) {
    const remedy = 'put a backup in its place, or delete it, which loses the secrets of all sessions';
    throw new FileUnusableError(file, `is not a key of ${KEY_BYTES} bytes: ${remedy}`);
  }
  return key;
}

async function found(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function made(file: string): Promise<Uint8Array> {
  await createWholeFile(file, randomBytes(KEY_BYTES));
  return readFile(file);
}
