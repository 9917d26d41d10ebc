/** A copy of a sandbox's whole workspace. */
export interface SnapshotInfo {
  /** `snap_...` */
  readonly id: string;
  /** The sandbox that was copied, which may be gone; empty where that cannot be read. */
  readonly sandbox_id: string;
  /** `failed`: its record is damaged, so only its id is known; it can be deleted. */
  readonly status: 'ready' | 'failed';
  /** Why it is `failed`; null otherwise. */
  readonly reason: string | null;
  /** RFC 3339. */
  readonly created_at: string;
  readonly entries: number;
  /** The size of the regular files, with their holes. */
  readonly size_bytes: number;
  /**
   * How many entries were left out: FIFOs, sockets, unreadable files, and entries that changed their kind meanwhile.
   */
  readonly skipped: number;
  /** The first hundred entries that were left out, relative to the workspace. */
  readonly skipped_paths: readonly string[];
}
