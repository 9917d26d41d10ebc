import { randomBytes } from 'node:crypto';
import { isSandboxError, type SnapshotInfo } from '@steadyhand/contracts';
import type { SandboxLink } from './connection/link.ts';
import type { Sandboxes } from './sandboxes.ts';
import type { SnapshotArchives } from './snapshot-archives.ts';

/**
 * Snapshots of sandboxes' workspaces, which any sandbox can be given. For sandboxes on this machine they lie beside the
 * sandboxes. Those of containers and pool machines are kept in the archives; without archives they belong to their
 * sandbox and go with it.
 */
export class SandboxSnapshots {
  readonly #sandboxes: Pick<Sandboxes, 'reach' | 'get' | 'snapshots' | 'archives'>;

  constructor(sandboxes: Pick<Sandboxes, 'reach' | 'get' | 'snapshots' | 'archives'>) {
    this.#sandboxes = sandboxes;
  }

  /** Takes a snapshot. Rejects with SandboxError `too_large` or `storage_full`; there is no snapshot then. */
  async take(sandbox: string): Promise<SnapshotInfo> {
    // The id is made here, so that a call repeated after a lost connection takes no second snapshot.
    const id = `snap_${randomBytes(12).toString('hex')}`;
    const archives = await this.#archivesOf(sandbox);
    return this.#sandboxes.reach(sandbox, async (link) => {
      // A try before this one lost its connection after it had archived the snapshot.
      const kept = (await archives?.find(id)) ?? null;
      const info = kept ?? (await link.call<SnapshotInfo>('POST', '/snapshots', { body: { id } }));
      if (archives !== null && kept === null) {
        const { body } = await link.stream('GET', `/snapshots/archive?id=${id}`);
        await archives.add(info, body);
      }
      if (archives !== null) await removeFrom(link, id);
      return info;
    });
  }

  /** The snapshots of the sandbox, newest first. */
  async list(sandbox: string): Promise<readonly SnapshotInfo[]> {
    const kept = await (await this.#archivesOf(sandbox))?.list(sandbox);
    const there = await this.#sandboxes.reach(sandbox, async (link) => {
      const { snapshots } = await link.call<{ readonly snapshots: readonly SnapshotInfo[] }>(
        'GET',
        '/snapshots',
      );
      return snapshots.filter(({ sandbox_id }) => sandbox_id === sandbox);
    });
    return kept === undefined ? there : merged(kept, there);
  }

  /** Replaces the workspace. Rejects with SandboxError `not_found`, or `conflict` while an action runs. */
  async restore(sandbox: string, id: string): Promise<SnapshotInfo> {
    const archives = await this.#archivesOf(sandbox);
    return this.#sandboxes.reach(sandbox, (link) => restoreThrough(link, id, { archives, first: false }));
  }

  /** Deletes a snapshot of the sandbox; false when it has no such one. */
  async remove(sandbox: string, id: string): Promise<boolean> {
    if (!(await this.list(sandbox)).some((info) => info.id === id)) return false;
    const isKept = (await (await this.#archivesOf(sandbox))?.remove(id)) ?? false;
    const wasThere = await this.#sandboxes.reach(sandbox, (link) => removeFrom(link, id));
    return isKept || wasThere;
  }

  /** The snapshots that do not belong to one sandbox, newest first. */
  async listAll(): Promise<readonly SnapshotInfo[]> {
    const { snapshots, archives } = this.#sandboxes;
    return merged((await archives?.list()) ?? [], await snapshots.list());
  }

  async find(id: string): Promise<SnapshotInfo | null> {
    const { snapshots, archives } = this.#sandboxes;
    return (await snapshots.find(id)) ?? (await archives?.find(id)) ?? null;
  }

  /** Deletes one that does not belong to one sandbox; false when there was none. */
  async removeAny(id: string): Promise<boolean> {
    const { snapshots, archives } = this.#sandboxes;
    return (await snapshots.remove(id)) || ((await archives?.remove(id)) ?? false);
  }

  /** The archives for a sandbox that is elsewhere; null for others. */
  async #archivesOf(sandbox: string): Promise<SnapshotArchives | null> {
    const { archives } = this.#sandboxes;
    if (archives === null) return null;
    const { isolation } = await this.#sandboxes.get(sandbox);
    return isolation === 'container' || isolation === 'remote' ? archives : null;
  }
}

/**
 * Restores a snapshot, which is given to the sandbox's machine when that does not have it. With `first` the sandbox begins
 * with it: one that has begun stays as it is.
 */
export async function restoreThrough(
  link: SandboxLink,
  id: string,
  { archives, first }: { readonly archives: SnapshotArchives | null; readonly first: boolean },
): Promise<SnapshotInfo> {
  const restore = (): Promise<SnapshotInfo> =>
    link.call<SnapshotInfo>('POST', '/restore', { body: { id, first } });
  const info = await restore().catch(async (error: unknown) => {
    if (!isSandboxError(error, 'not_found')) throw error;
    const archive = await archives?.open(id);
    if (!archive) throw error;
    const { body } = await link.stream('PUT', `/snapshots/archive?id=${id}`, { body: archive });
    body.resume();
    return await restore();
  });
  // It may have been given in a try that lost its connection, and then this one found it there.
  if (archives !== null && (await archives.find(id)) !== null) await removeFrom(link, id);
  return info;
}

async function removeFrom(link: SandboxLink, id: string): Promise<boolean> {
  const { deleted } = await link.call<{ readonly deleted: boolean }>('DELETE', `/snapshots?id=${id}`);
  return deleted;
}

function merged(one: readonly SnapshotInfo[], other: readonly SnapshotInfo[]): readonly SnapshotInfo[] {
  const all = new Map([...other, ...one].map((info) => [info.id, info]));
  return [...all.values()].toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
}
