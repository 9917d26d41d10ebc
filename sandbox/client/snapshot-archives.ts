import type { Readable } from 'node:stream';
import type { SnapshotInfo } from '@steadyhand/contracts';

/**
 * Where snapshots of sandboxes that are not on this machine are kept, so that they outlive their sandboxes and any other one
 * can be given them. An archive is there whole or not at all.
 */
export interface SnapshotArchives {
  /** Keeps an archive as its bytes arrive. Rejects with SandboxError `too_large` or `storage_full`. */
  add(info: SnapshotInfo, archive: Readable): Promise<void>;
  find(id: string): Promise<SnapshotInfo | null>;
  /** All of them, or those of one sandbox, newest first. */
  list(sandbox?: string): Promise<readonly SnapshotInfo[]>;
  /** The bytes; null when there is no such snapshot. */
  open(id: string): Promise<Readable | null>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
}
