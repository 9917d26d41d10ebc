import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const KEY_BYTES = 32;

/**
 * The key that sessions' secrets are sealed with: made at the first start, kept in `<dataDir>/secrets.key` with mode 0600,
 * beside the store and not in it, so that a copy of the store alone tells nothing.
 */
export async function secretsKey(dataDir: string): Promise<Uint8Array> {
  const file = path.join(dataDir, 'secrets.key');
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx', flush: true });
  try {
    // A link fails where the name exists: whoever starts first makes the key of all.
    await link(draft, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readFile(file);
  if (key.length !== KEY_BYTES) throw new Error(`${file} is not a key of ${KEY_BYTES} bytes`);
  return key;
}
