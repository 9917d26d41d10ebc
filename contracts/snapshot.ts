/** A workspace as it was, whole. */
export interface SnapshotInfo {
  /** `snap_...` */
  readonly id: string;
  /** The sandbox that it was taken of, which may be gone; empty where that cannot be read. */
  readonly sandbox_id: string;
  /** `failed`: its record is damaged, so nothing is known of it but its id; it can be deleted. */
  readonly status: 'ready' | 'failed';
  /** Why it is `failed`; null otherwise. */
  readonly reason: string | null;
  /** RFC 3339. */
  readonly created_at: string;
  readonly entries: number;
  /** Of regular files, holes counted. */
  readonly size_bytes: number;
  /** How many entries were left out: FIFOs, sockets, what may not be read, what changed its kind meanwhile. */
  readonly skipped: number;
  /** The first hundred of them, relative to the workspace. */
  readonly skipped_paths: readonly string[];
}
