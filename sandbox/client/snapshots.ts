import { randomBytes } from 'node:crypto';
import type { SnapshotInfo } from '@steadyhand/contracts';
import type { Sandboxes } from './sandboxes.ts';

/**
 * Snapshots of a sandbox's workspace. For sandboxes on this machine they lie beside the sandboxes, and any sandbox can
 * be given one; in a container or on a pool machine they belong to the sandbox and go with it.
 */
export class SandboxSnapshots {
  readonly #sandboxes: Pick<Sandboxes, 'reach'>;

  constructor(sandboxes: Pick<Sandboxes, 'reach'>) {
    this.#sandboxes = sandboxes;
  }

  /** Takes a snapshot. Rejects with SandboxError `too_large` or `storage_full`; there is no snapshot then. */
  take(sandbox: string): Promise<SnapshotInfo> {
    // The id is made here, so that a call repeated after a lost connection takes no second snapshot.
    const id = `snap_${randomBytes(12).toString('hex')}`;
    return this.#sandboxes.reach(sandbox, (link) =>
      link.call<SnapshotInfo>('POST', '/snapshots', { body: { id } }),
    );
  }

  /** The snapshots that the sandbox can be given, also those of other sandboxes, newest first. */
  list(sandbox: string): Promise<readonly SnapshotInfo[]> {
    return this.#sandboxes.reach(sandbox, async (link) => {
      const { snapshots } = await link.call<{ readonly snapshots: readonly SnapshotInfo[] }>(
        'GET',
        '/snapshots',
      );
      return snapshots;
    });
  }

  /** Replaces the workspace. Rejects with SandboxError `not_found`, or `conflict` while an action runs. */
  restore(sandbox: string, id: string): Promise<SnapshotInfo> {
    return this.#sandboxes.reach(sandbox, (link) =>
      link.call<SnapshotInfo>('POST', '/restore', { body: { id } }),
    );
  }

  /** Deletes a snapshot; false when there was none. */
  remove(sandbox: string, id: string): Promise<boolean> {
    return this.#sandboxes.reach(sandbox, async (link) => {
      const query = new URLSearchParams({ id });
      return (await link.call<{ readonly deleted: boolean }>('DELETE', `/snapshots?${query.toString()}`))
        .deleted;
    });
  }
}
