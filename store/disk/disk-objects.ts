import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { CorruptError, NotStoredError, ObjectExistsError } from '../contract/errors.ts';
import {
  type FoundObject,
  isObjectName,
  type ListedObject,
  type ObjectStore,
  type StagedObject,
} from '../contract/objects.ts';
import { checked } from '../objects/checked.ts';
import { codeOf } from './faults.ts';
import { flushFolder, writeFlushed } from './flushed.ts';
import { stageBlob } from './staged-blob.ts';
import type { StorageGuard } from './storage-guard.ts';

/** How many names one page of a list has at most. */
const PAGE = 1000;
/** The folder of what is being written. No object's name begins with a dot. */
const DRAFTS = '.drafts';

interface DiskObjectsOptions {
  /** Made when missing, readable by its owner only. */
  readonly dir: string;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: () => number;
  readonly guard?: StorageGuard | undefined;
}

/**
 * Objects as files, each flushed to the disk under another name before it gets its own, so that a file that exists is
 * complete, even after a crash.
 */
export async function openDiskObjects({
  dir,
  now = Date.now,
  guard,
}: DiskObjectsOptions): Promise<ObjectStore> {
  const drafts = join(dir, DRAFTS);
  await mkdir(drafts, { recursive: true, mode: 0o700 });

  const pathOf = (name: string): string => {
    if (!isObjectName(name)) throw new NotStoredError('object', name);
    return join(dir, name);
  };
  /** The owner of a draft stands in its name by its object. */
  const draftOf = (name: string): string => join(drafts, `${name.replaceAll('/', ',')}.${randomUUID()}`);

  const publish = async (draft: string, path: string, name: string): Promise<void> => {
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A link fails where the name exists.
    await link(draft, path).catch((error: unknown) => {
      throw codeOf(error) === 'EEXIST' ? new ObjectExistsError(name) : error;
    });
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      await flushFolder(folder);
      if (made === undefined || folder === dirname(made)) return;
    }
  };

  /** Writes a draft and gives it its name; nothing stays of it when that fails. */
  const written = async <T>(name: string, write: (draft: string) => Promise<T>): Promise<T> => {
    const path = pathOf(name);
    guard?.requireRoom();
    const draft = draftOf(name);
    try {
      const result = await write(draft);
      await publish(draft, path, name);
      return result;
    } catch (error) {
      throw guard?.failed(error) ?? error;
    } finally {
      await rm(draft, { force: true });
    }
  };

  const find = async (name: string): Promise<FoundObject | undefined> => {
    const found = await stat(pathOf(name)).catch(unlessMissing);
    return found?.isFile() === true ? { size: found.size, writtenAt: found.mtimeMs } : undefined;
  };

  async function* names(folder: string, under: string): AsyncGenerator<string> {
    const entries = await readdir(join(dir, folder), { withFileTypes: true }).catch(unlessMissing);
    // In the order of whole names: a folder's names continue with a slash.
    const sorted = (entries ?? [])
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .toSorted((a, b) => (a < b ? -1 : 1));
    for (const name of sorted) {
      if (name === `${DRAFTS}/` || !(name.startsWith(under) || under.startsWith(name))) continue;
      if (name.endsWith('/')) yield* names(name, under);
      else yield name;
    }
  }

  return {
    place: dir,
    find,
    put: (name, bytes) => written(name, (draft) => writeFlushed(draft, bytes, 0o600)),
    stage: (name, source, maxBytes) =>
      written(name, async (draft): Promise<StagedObject> => {
        const { size, hash, head } = await stageBlob(draft, source, maxBytes);
        return { name, size, hash, head };
      }),
    async get(name, sha256) {
      const bytes = await readFile(pathOf(name)).catch(unlessMissing);
      if (bytes === undefined) throw new NotStoredError('object', name);
      if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
      throw new CorruptError(`the bytes of object ${name} are not ${sha256}`);
    },
    async stream(name, { range, sha256 } = {}) {
      const file = await open(pathOf(name)).catch(unlessMissing);
      if (file === undefined) throw new NotStoredError('object', name);
      const { size } = await file.stat();
      if (range !== undefined && range.start < Math.min(range.end, size))
        return { size, body: file.createReadStream({ start: range.start, end: range.end - 1 }) };
      const body = file.createReadStream();
      return { size, body: sha256 === undefined ? body : Readable.from(checked(body, sha256, name)) };
    },
    async delete(given) {
      for (const name of given) await rm(pathOf(name), { force: true });
    },
    async *list(under, after) {
      let page: ListedObject[] = [];
      for await (const name of names('', under)) {
        if (after !== undefined && name <= after) continue;
        const found = await find(name);
        if (found !== undefined) page.push({ name, ...found });
        if (page.length < PAGE) continue;
        yield page;
        page = [];
      }
      yield page;
    },
    async removeUnfinished(under, olderThanMs) {
      for (const entry of await readdir(drafts)) {
        if (!entry.startsWith(under.replaceAll('/', ','))) continue;
        const found = await stat(join(drafts, entry)).catch(unlessMissing);
        if (found !== undefined && now() - found.mtimeMs > olderThanMs)
          await rm(join(drafts, entry), { force: true });
      }
    },
    async check() {
      await readdir(drafts);
      guard?.requireRoom();
    },
    close: () => undefined,
  };
}

function unlessMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
