import { SandboxError, type SnapshotInfo } from '@steadyhand/contracts';
import type { SnapshotArchives } from '@steadyhand/sandbox/client';
import {
  BytesTooManyError,
  type FileRecord,
  type JsonObject,
  StorageFullError,
  type Store,
} from '@steadyhand/store';

/** The largest archive, in bytes: 16 GiB. */
const LARGEST = 16 * 1024 ** 3;
const PAGE = 1_000;

/** Keeps archives of snapshots with the files of a store, where every process with the store finds them. */
export function storeArchives(files: Store['files']): SnapshotArchives {
  const recordOf = async (id: string): Promise<FileRecord | null> => {
    const record = await files.get(id);
    return record === undefined || record.details === null ? null : record;
  };
  return {
    async add(info, archive) {
      try {
        const staged = await files.stage(archive, LARGEST);
        const { id, sandbox_id: origin } = info;
        await staged.keep({
          id,
          filename: `${id}.tar.gz`,
          mime_type: 'application/gzip',
          origin,
          details: { ...info } as JsonObject,
        });
      } catch (error) {
        if (error instanceof BytesTooManyError)
          throw new SandboxError('too_large', `its archive has more than ${LARGEST} bytes`);
        if (error instanceof StorageFullError)
          throw new SandboxError('storage_full', 'the disk is full; nothing was changed');
        throw error;
      }
    },
    async find(id) {
      const record = await recordOf(id);
      return record === null ? null : infoOf(record);
    },
    async list(sandbox) {
      const found: FileRecord[] = [];
      for (;;) {
        const after = found.at(-1)?.id;
        const page = await files.list({
          limit: PAGE,
          snapshots: sandbox ?? true,
          ...(after !== undefined && { after }),
        });
        found.push(...page);
        if (page.length < PAGE) break;
      }
      return found.map(infoOf).toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
    },
    async open(id) {
      if ((await recordOf(id)) === null) return null;
      return (await files.stream(id)).body;
    },
    async remove(id) {
      return (await recordOf(id)) !== null && files.delete(id);
    },
  };
}

function infoOf({ id, details }: FileRecord): SnapshotInfo {
  if (details === null) throw new Error(`the snapshot ${id} has no description`);
  return details as unknown as SnapshotInfo;
}
