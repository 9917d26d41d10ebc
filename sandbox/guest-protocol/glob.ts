/** Folders that are never searched: they hold much that nobody means. */
export const UNSEARCHED = ['.git', 'node_modules'] as const;

export interface GlobRequest {
  /** Relative to `path`, or absolute: then `path` does not count. */
  readonly pattern: string;
  /** Where to search. Default: the working folder. */
  readonly path?: string;
  /** Paths to answer at most. */
  readonly limit: number;
}

export interface GlobResult {
  /** Absolute paths of regular files, the last changed first. */
  readonly paths: readonly string[];
  /** Files that matched, those not answered counted. */
  readonly found: number;
  /** Why the search ended before it was over; null when it was over. */
  readonly cut: 'entries' | 'time' | 'interrupted' | null;
}
