import { mkdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import type { BytePath } from '../../byte-path.ts';
import { errorCode, errorText } from '../../error-fields.ts';
import { GuestFileError } from '../../guest-protocol/guest.ts';
import { entryAt, listTree, toBytes } from './entries.ts';
import { OpenFiles } from './open-files.ts';
import type { TreeService } from '../../guest-protocol/tree.ts';

/** Access to trees and contents with the rights and the mounts of this process. */
export function createTreeService(): TreeService {
  const files = new OpenFiles();
  return {
    treeDescribe: ({ path }) => withFileErrors(path, () => entryAt(path)),
    treeList: ({ path, depth, after, limit }) =>
      withFileErrors(path, () => listTree(path, depth, after, limit)),
    treeOpen: ({ path }) => withFileErrors(path, () => files.read(path)),
    treeRead: async ({ handle, offset, bytes }) => ({
      data: (await withFileErrors('', () => files.chunk(handle, offset, bytes))).toString('base64'),
    }),
    treeCreate: async ({ path, mode }) => ({
      handle: await withFileErrors(path, () => files.create(path, mode)),
    }),
    treeWrite: ({ handle, data }) =>
      withoutResult('', () => files.append(handle, Buffer.from(data, 'base64'))),
    treeCommit: ({ handle }) => withFileErrors('', () => files.commit(handle)),
    treeClose: ({ handle }) => withoutResult('', () => files.close(handle)),
    treeRemove: ({ path, recursive }) => withoutResult(path, () => remove(path, recursive)),
    treeMakeFolder: ({ path, mode }) =>
      withFileErrors(path, async () => {
        await mkdir(toBytes(path), { recursive: true, ...(mode === null ? {} : { mode }) });
        if (!(await stat(toBytes(path))).isDirectory())
          throw new GuestFileError('EEXIST', path, 'a file is there');
        return entryAt(path);
      }),
    treeMove: ({ from, to }) =>
      withFileErrors(from, async () => {
        await rename(toBytes(from), toBytes(to));
        return entryAt(to);
      }),
  };
}

async function remove(path: BytePath, recursive: boolean): Promise<void> {
  const { kind } = await entryAt(path);
  if (kind !== 'directory') await unlink(toBytes(path));
  else if (recursive) await rm(toBytes(path), { recursive: true });
  else await rmdir(toBytes(path));
}

async function withoutResult(path: BytePath, work: () => Promise<unknown>): Promise<null> {
  await withFileErrors(path, work);
  return null;
}

/** Runs the work and turns what it throws into an error with the path and the system's code. */
async function withFileErrors<T>(path: BytePath, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GuestFileError) throw error;
    throw new GuestFileError(errorCode(error) ?? 'EIO', path, errorText(error));
  }
}
