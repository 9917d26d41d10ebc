import type { BytePath } from '../byte-path.ts';

/**
 * The agent's files as callers from outside see them: whole trees, and contents of any size in pieces. Everything
 * happens inside the isolation with the agent's rights, so a symbolic link leads nowhere that the agent could not go
 * itself.
 */

export type TreeEntryKind = 'file' | 'directory' | 'symlink' | 'other';

export interface TreeEntry {
  readonly path: BytePath;
  readonly kind: TreeEntryKind;
  /** The size in bytes; 0 for anything but a file. */
  readonly size: number;
  /** Permission bits, at most 0o7777. */
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly mtimeMs: number;
  /** It differs whenever the content may: it is made of inode, size and times, of which the agent cannot set all. */
  readonly stamp: string;
  /** The target of a symbolic link; null for anything else. */
  readonly target: BytePath | null;
}

/** The calls by name, with their parameters and results. Failures carry the system's code (`ENOENT`, ...). */
export interface TreeMethods {
  /** Describes the entry itself: a symbolic link is not followed. */
  treeDescribe: { params: { path: BytePath }; result: TreeEntry };
  /**
   * Lists what is below a folder: each folder comes before its entries, and names are in the order of their bytes.
   * Symbolic links are not followed, except for `path` itself. `depth` 1 lists the folder's own entries, null all
   * levels. `after` is the path of the last entry of the previous page, which stays a valid position whatever changes
   * meanwhile.
   */
  treeList: {
    params: { path: BytePath; depth: number | null; after: BytePath | null; limit: number };
    result: { entries: readonly TreeEntry[]; more: boolean };
  };
  /** Opens a regular file. Anything else is refused without waiting for it. */
  treeOpen: { params: { path: BytePath }; result: { handle: number; entry: TreeEntry } };
  /** Returns fewer bytes than asked for, or none, at the end of the file. */
  treeRead: { params: { handle: number; offset: number; bytes: number }; result: { data: string } };
  /**
   * Begins a file beside the one that it will replace, and makes the folders on the way. A `mode` of null keeps the
   * mode of the file that is there, else it is 0644.
   */
  treeCreate: { params: { path: BytePath; mode: number | null }; result: { handle: number } };
  treeWrite: { params: { handle: number; data: string }; result: null };
  /** Flushes what was written and puts it in place in one step. */
  treeCommit: { params: { handle: number }; result: TreeEntry };
  /** Closes a file. One that was begun and not committed leaves nothing behind. */
  treeClose: { params: { handle: number }; result: null };
  treeRemove: { params: { path: BytePath; recursive: boolean }; result: null };
  /** Makes a folder and its parents. One that is already there is left as it is. */
  treeMakeFolder: { params: { path: BytePath; mode: number | null }; result: TreeEntry };
  /** Renames an entry. What has the new name is replaced as rename(2) does. */
  treeMove: { params: { from: BytePath; to: BytePath }; result: TreeEntry };
}

/** One read or write carries at most this many bytes. */
export const TREE_CHUNK_BYTES = 1024 * 1024;

export type TreeService = {
  readonly [M in keyof TreeMethods]: (params: TreeMethods[M]['params']) => Promise<TreeMethods[M]['result']>;
};
