import { randomBytes } from 'node:crypto';
import type { SnapshotInfo } from '@steadyhand/contracts';
import type { Sandboxes } from './sandboxes.ts';

/**
 * Snapshots of a sandbox's workspace. On this machine they lie beside the sandboxes, and any sandbox can be given one; in a
 * container or on another machine they are the sandbox's own and go with it.
 */
export class SandboxSnapshots {
  readonly #sandboxes: Pick<Sandboxes, 'reach'>;

  constructor(sandboxes: Pick<Sandboxes, 'reach'>) {
    this.#sandboxes = sandboxes;
  }

  /** Rejects with SandboxError `too_large`, or SandboxError `storage_full`; then there is none. */
  take(sandbox: string): Promise<SnapshotInfo> {
    // Named here, so that asking again after a lost connection takes no second one.
    const id = `snap_${randomBytes(12).toString('hex')}`;
    return this.#sandboxes.reach(sandbox, (link) =>
      link.call<SnapshotInfo>('POST', '/snapshots', { body: { id } }),
    );
  }

  /** Those that the sandbox can be given, newest first; of other sandboxes too. */
  list(sandbox: string): Promise<readonly SnapshotInfo[]> {
    return this.#sandboxes.reach(sandbox, async (link) => {
      const { snapshots } = await link.call<{ readonly snapshots: readonly SnapshotInfo[] }>(
        'GET',
        '/snapshots',
      );
      return snapshots;
    });
  }

  /** Rejects with SandboxError `not_found`, or SandboxError `conflict` while an action runs. */
  restore(sandbox: string, id: string): Promise<SnapshotInfo> {
    return this.#sandboxes.reach(sandbox, (link) =>
      link.call<SnapshotInfo>('POST', '/restore', { body: { id } }),
    );
  }

  /** False when there was none. */
  remove(sandbox: string, id: string): Promise<boolean> {
    return this.#sandboxes.reach(sandbox, async (link) => {
      const query = new URLSearchParams({ id });
      return (await link.call<{ readonly deleted: boolean }>('DELETE', `/snapshots?${query.toString()}`))
        .deleted;
    });
  }
}
