import { opendir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode } from '../error-fields.ts';
import { GuestFileError } from '../guest-protocol/guest.ts';
import { type GlobRequest, type GlobResult, UNSEARCHED } from '../guest-protocol/glob.ts';
import { Glob, type GlobState } from './glob-pattern.ts';

const MOST_ENTRIES = 200_000;
const MOST_DEPTH = 100;
const LONGEST_MS = 30_000;

/**
 * Finds the files that a glob matches, with the rights of this process. Symbolic links are neither followed nor
 * returned, and folders that may not be read are skipped.
 * @throws GlobPatternError, and GuestFileError when `path` is not a folder
 */
export async function findFiles(request: GlobRequest, signal: AbortSignal): Promise<GlobResult> {
  const { pattern, limit } = request;
  const glob = new Glob(pattern);
  const root = pattern.startsWith('/') ? '/' : resolve(request.path ?? '.');
  await checkFolder(root);
  const search = new Search(glob, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
  await search.into(root, glob.start, 0);
  const newest = search.found.toSorted((one, other) => other.changed - one.changed);
  const paths = newest.slice(0, limit).map(({ path }) => path);
  const stopped = search.stopped ? (signal.aborted ? 'interrupted' : 'time') : null;
  return { paths, found: newest.length, cut: stopped ?? (search.tooMany ? 'entries' : null) };
}

async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw new GuestFileError(errorCode(error) ?? 'EIO', path, `${path} cannot be read`);
  });
  if (!found.isDirectory()) throw new GuestFileError('ENOTDIR', path, `${path} is not a folder`);
}

class Search {
  readonly found: { readonly path: string; readonly changed: number }[] = [];
  stopped = false;
  tooMany = false;
  readonly #glob: Glob;
  readonly #signal: AbortSignal;
  #left = MOST_ENTRIES;

  constructor(glob: Glob, signal: AbortSignal) {
    this.#glob = glob;
    this.#signal = signal;
  }

  async into(folder: string, state: GlobState, depth: number): Promise<void> {
    if (depth > MOST_DEPTH) return;
    const entries = await opendir(folder).catch(() => null);
    if (entries === null) return;
    const folders: [path: string, state: GlobState][] = [];
    try {
      for await (const entry of entries) {
        this.stopped ||= this.#signal.aborted;
        this.tooMany ||= this.#left-- <= 0;
        if (this.stopped || this.tooMany) return;
        const next = this.#glob.next(state, entry.name);
        if (next.length === 0) continue;
        const path = join(folder, entry.name);
        if (entry.isDirectory() && !UNSEARCHED.some((name) => name === entry.name))
          folders.push([path, next]);
        else if (entry.isFile() && this.#glob.matches(next)) {
          const changed = await stat(path).then(
            ({ mtimeMs }) => mtimeMs,
            () => 0,
          );
          this.found.push({ path, changed });
        }
      }
    } catch {
      // A folder that is removed while it is read has no more entries.
    }
    for (const [path, next] of folders) await this.into(path, next, depth + 1);
  }
}
