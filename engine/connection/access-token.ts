import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../whole-file.ts';
import { EngineUnavailableError } from './engine-unavailable-error.ts';

/** The token that callers of the embedded engine have to present, and the file that holds it. */
export interface AccessToken {
  readonly value: string;
  readonly file: string;
}

/**
 * Reads the token of an engine's folder. It is made at the first start and kept in `<dir>/token` with mode 0600, so
 * that those may call the engine who may read its files.
 *
 * @throws EngineUnavailableError when the file holds no token
 */
export async function accessToken(dir: string): Promise<AccessToken> {
  const file = join(dir, 'token');
  const known = await readToken(file);
  if (known !== undefined) return { value: known, file };
  const draft = `${file}.${randomUUID()}.draft`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`steadyhand-engine-${randomBytes(32).toString('base64url')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    // A link fails where the name exists, so the process that starts first makes the token of all.
    await link(draft, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(file));
  const made = await readToken(file);
  if (made === undefined) throw new EngineUnavailableError('embedded', `${file} has gone while it was made`);
  return { value: made, file };
}

async function readToken(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (!/^[\x21-\x7e]{16,}$/.test(text)) {
    throw new EngineUnavailableError('embedded', `${file} holds no token; delete it to have a new one made`);
  }
  await chmod(file, 0o600);
  return text;
}
