import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from '../common/rows.ts';
import { isBlobHash } from '../contract/blobs.ts';
import { NotStoredError } from '../contract/errors.ts';
import { codeOf } from '../disk/faults.ts';
import { flushFolder } from '../disk/flushed.ts';
import { stageBlob } from '../disk/staged-blob.ts';
import { TransferFailedError } from './errors.ts';
import { COMPUTERS } from './tables.ts';
import { type BytesKind, type NamedBytes, openTransferSource, type TransferSource } from './source.ts';

/** How often rows are copied anew because bytes that they name were deleted meanwhile. */
const MOST_PASSES = 20;

export interface BackUpOptions {
  /** The folder of the store, with which a product may work. */
  readonly dir: string;
  /** The folder of the copy, which has to be empty or missing. */
  readonly into: string;
  /** Whether the bytes are in the folder; where they are elsewhere, rows alone are copied. */
  readonly hasBytes: boolean;
  /** Is told how far it is, by a line. */
  readonly progress: (line: string) => void;
  /** Is called when rows were copied and their bytes are about to be; for tests. */
  readonly rowsCopied?: (() => Promise<void>) | undefined;
}

export interface StoreCopy {
  readonly installation: string;
  readonly sessions: number;
  readonly events: number;
  readonly objects: number;
  /** Bytes that are missing or damaged in the store itself. */
  readonly damaged: readonly string[];
  /** The ids of the computers of sessions. */
  readonly computers: readonly string[];
  /** Whether there are secrets, which only the key opens. */
  readonly hasSecrets: boolean;
}

/**
 * Copies a SQLite store while a product works with it. Rows come first, as they are at one moment; then the bytes that they
 * name. Bytes that were deleted in between belong to something that was deleted: then the rows are copied anew, until the
 * copy has all that its rows name.
 */
export async function backUpStore(options: BackUpOptions): Promise<StoreCopy> {
  const { dir, into, hasBytes, progress, rowsCopied } = options;
  await mkdir(into, { recursive: true, mode: 0o700 });
  const source = openTransferSource(dir);
  try {
    for (let pass = 1; pass <= MOST_PASSES; pass += 1) {
      await copyRows(source, into);
      await rowsCopied?.();
      const copy = openTransferSource(into);
      try {
        const named = hasBytes ? copy.named() : [];
        const damaged = await copyBytes(source, named, into, progress);
        if (damaged === undefined) continue;
        await removeOthers(named, into);
        return { ...factsOf(copy), objects: named.length - damaged.length, damaged };
      } finally {
        copy.close();
      }
    }
    throw new TransferFailedError(
      `${dir} changes so fast that no whole copy was made in ${MOST_PASSES} attempts`,
    );
  } finally {
    source.close();
  }
}

async function copyRows(source: TransferSource, into: string): Promise<void> {
  const draft = join(into, 'store.db.draft');
  await rm(draft, { force: true });
  source.copyInto(draft);
  const file = await open(draft, 'r+');
  await file.sync();
  await file.close();
  await rename(draft, join(into, 'store.db'));
  await flushFolder(into);
}

/** Copies what is not there yet. Answers what the store itself lacks; undefined where something was deleted meanwhile. */
async function copyBytes(
  source: TransferSource,
  named: readonly NamedBytes[],
  into: string,
  progress: BackUpOptions['progress'],
): Promise<readonly string[] | undefined> {
  const lacking: NamedBytes[] = [];
  for (const [n, each] of named.entries()) {
    const path = join(into, `${each.kind}s`, each.hash.slice(0, 2), each.hash);
    if (!(await isThere(path)) && !(await copied(source, each, path))) lacking.push(each);
    progress(`bytes: ${n + 1} of ${named.length}`);
  }
  if (lacking.length === 0) return [];
  const present = new Set(source.named().map(({ kind, hash }) => `${kind} ${hash}`));
  if (lacking.some(({ kind, hash }) => !present.has(`${kind} ${hash}`))) return undefined;
  return lacking.map(({ hash }) => hash).toSorted();
}

/** False where the bytes are gone, or are not those of the hash. */
async function copied(source: TransferSource, named: NamedBytes, path: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.draft`;
  try {
    await rm(draft, { force: true });
    const { hash } = await stageBlob(draft, await source.bytes(named), Infinity);
    if (hash !== named.hash) return false;
    await rename(draft, path);
    await flushFolder(dirname(path));
    return true;
  } catch (error) {
    if (error instanceof NotStoredError) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes bytes that only rows of an earlier pass have named. */
async function removeOthers(named: readonly NamedBytes[], into: string): Promise<void> {
  for (const kind of ['blob', 'file'] satisfies BytesKind[]) {
    const kept = new Set(named.filter((each) => each.kind === kind).map(({ hash }) => hash));
    const folder = join(into, `${kind}s`);
    for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
      const hash = name.slice(3);
      if (isBlobHash(hash) && !kept.has(hash)) await rm(join(folder, name));
    }
  }
}

function factsOf(copy: TransferSource): Omit<StoreCopy, 'objects' | 'damaged'> {
  const numberOf = (table: string): number => {
    for (const row of copy.rows(`SELECT count(*) AS n FROM ${table}`)) return Number(row['n']);
    return 0;
  };
  return {
    installation: copy.installation,
    sessions: numberOf('sessions'),
    events: numberOf('events'),
    computers: [...copy.rows(COMPUTERS)].map((row) => text(row, 'id')),
    hasSecrets: numberOf('session_secrets') > 0,
  };
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
