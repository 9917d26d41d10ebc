import { randomUUID } from 'node:crypto';
import { link, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from './faults.ts';
import { flushFolder, writeFlushed } from './flushed.ts';

const ATTEMPTS = 3;
/** Drafts, and those of earlier versions, which bore only an id. */
const DRAFT = /\.draft$|^(?:secrets\.key|api-key)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Puts a small file in the place of whatever is there: whoever reads it, after whatever crash, reads the old or the new. */
export async function writeWholeFile(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  await placed(path, content, mode, (draft) => rename(draft, path));
}

/** Makes a small file unless there is one: of several who do so at once, the first one's is everybody's. False for the others. */
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

/** Removes the drafts of processes that were killed, at least `ageMs` old. */
export async function removeDrafts(dir: string, ageMs: number, now: () => number = Date.now): Promise<void> {
  for (const name of (await readdir(dir)).filter((each) => DRAFT.test(each))) {
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
      // Another process that starts may have swept the draft away.
      if (codeOf(error) !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    } finally {
      await rm(draft, { force: true });
    }
  }
}
