import type { BytePath } from '../byte-path.ts';

/**
 * The agent's files as callers from outside see them: whole trees, and contents of any size in pieces. Everything happens
 * inside the isolation with the agent's rights, so a symbolic link leads nowhere that the agent could not go itself.
 */

export type TreeEntryKind = 'file' | 'directory' | 'symlink' | 'other';

export interface TreeEntry {
  readonly path: BytePath;
  readonly kind: TreeEntryKind;
  /** Bytes; 0 for what is no file. */
  readonly size: number;
  /** Permission bits, at most 0o7777. */
  readonly mode: number;
  /** Milliseconds since 1970. */
  readonly mtimeMs: number;
  /** Differs whenever the content may: made of inode, size and times, of which the agent can't set all. */
  readonly stamp: string;
  /** What a symbolic link says; null for anything else. */
  readonly target: BytePath | null;
}

/** The calls, by name: their parameters and results. Failures carry the system's code (`ENOENT`, ...). */
export interface TreeMethods {
  /** Of the entry itself: a symbolic link is not followed. */
  treeDescribe: { params: { path: BytePath }; result: TreeEntry };
  /**
   * What lies below a folder, each folder before what is in it, names in the order of their bytes. Symbolic links are not
   * followed, but for `path` itself. `depth` 1 is the folder's own entries, null all levels. `after` is the path of the
   * last entry of the page before: a place that stays one whatever changes meanwhile.
   */
  treeList: {
    params: { path: BytePath; depth: number | null; after: BytePath | null; limit: number };
    result: { entries: readonly TreeEntry[]; more: boolean };
  };
  /** Opens a regular file; anything else is refused without waiting for it. */
  treeOpen: { params: { path: BytePath }; result: { handle: number; entry: TreeEntry } };
  /** Fewer bytes than asked for, or none, at the end. */
  treeRead: { params: { handle: number; offset: number; bytes: number }; result: { data: string } };
  /**
   * Begins a file beside the one that it is to replace; folders on the way are made. `mode` null keeps that of the file that
   * is there, else 0644.
   */
  treeCreate: { params: { path: BytePath; mode: number | null }; result: { handle: number } };
  treeWrite: { params: { handle: number; data: string }; result: null };
  /** Flushes what was written and puts it in place in one step. */
  treeCommit: { params: { handle: number }; result: TreeEntry };
  /** Closes a file; one that was begun and not committed leaves nothing. */
  treeClose: { params: { handle: number }; result: null };
  treeRemove: { params: { path: BytePath; recursive: boolean }; result: null };
  /** Makes a folder and those on the way; one that is there is left as it is. */
  treeMakeFolder: { params: { path: BytePath; mode: number | null }; result: TreeEntry };
  /** Renames; what is there under the new name is replaced as rename(2) does. */
  treeMove: { params: { from: BytePath; to: BytePath }; result: TreeEntry };
}

/** The most bytes that one read or write carries. */
export const TREE_CHUNK_BYTES = 1024 * 1024;

export type TreeService = {
  readonly [M in keyof TreeMethods]: (params: TreeMethods[M]['params']) => Promise<TreeMethods[M]['result']>;
};
