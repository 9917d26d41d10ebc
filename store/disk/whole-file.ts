import { randomUUID } from 'node:crypto';
import { link, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from './faults.ts';
import { flushFolder, writeFlushed } from './flushed.ts';

const ATTEMPTS = 3;
/** The names of drafts, and of those of earlier versions, which had an id alone. */
const DRAFT = /\.draft$|^(?:secrets\.key|api-key|token)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Replaces a small file atomically: a reader gets the old content or the new one, even after a crash. */
export async function writeWholeFile(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  await placed(path, content, mode, (draft) => rename(draft, path));
}

/** Makes a small file unless it exists. Of several callers at once the first one succeeds; false for the others. */
export async function createWholeFile(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<boolean> {
  let isMine = true;
  await placed(path, content, mode, async (draft) => {
    try {
      // A link fails where the name exists.
      await link(draft, path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      isMine = false;
    }
  });
  return isMine;
}

/** Removes the drafts of killed processes that are at least `ageMs` old. A folder that is not there has none. */
export async function removeDrafts(dir: string, ageMs: number, now: () => number = Date.now): Promise<void> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.filter((each) => DRAFT.test(each))) {
    const path = join(dir, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && now() - found.mtimeMs >= ageMs) await rm(path, { force: true });
  }
}

async function placed(
  path: string,
  content: string | Uint8Array,
  mode: number,
  place: (draft: string) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const draft = `${path}.${randomUUID()}.draft`;
    try {
      await writeFlushed(draft, content, mode);
      await place(draft);
      await flushFolder(dirname(path));
      return;
    } catch (error) {
      // Another process may have removed the draft at its start.
      if (codeOf(error) !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }
}
