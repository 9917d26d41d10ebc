/** These folders are never searched: they hold many files that nobody means. */
export const UNSEARCHED = ['.git', 'node_modules'] as const;

export interface GlobRequest {
  /** The pattern is relative to `path`, or absolute; then `path` does not count. */
  readonly pattern: string;
  /** The folder to search. The default is the working folder. */
  readonly path?: string;
  /** The most paths to return. */
  readonly limit: number;
}

export interface GlobResult {
  /** Absolute paths of regular files, the last changed first. */
  readonly paths: readonly string[];
  /** The number of files that matched, including those that are not returned. */
  readonly found: number;
  /** Why the search was cut short; null when it was complete. */
  readonly cut: 'entries' | 'time' | 'interrupted' | null;
}
