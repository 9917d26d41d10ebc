/**
 * The database's rows of objects: which bytes are under which name. A row is `writing` while its object is uploaded,
 * `present` once its hash is known, and `leaving` from the moment that nothing may refer to it any more until it is
 * deleted. A row is there before its object and goes after it.
 */
export interface ObjectRows {
  /** The name of the object that is present with these bytes. */
  nameOf(hash: string): Promise<string | undefined>;
  /** The same, and begins the time of grace anew. */
  touch(hash: string): Promise<string | undefined>;
  /** Makes the row of an object that is about to be uploaded. */
  begin(name: string): Promise<void>;
  /**
   * Says that an object is uploaded. Where the same bytes are present under another name, they stay and this one leaves,
   * unless that other one is `damaged`. False when this one's row is gone, because it took too long.
   */
  finish(name: string, hash: string, damaged?: string): Promise<boolean>;
  /** Has an upload leave that was not finished; false when there is none. */
  leave(name: string): Promise<boolean>;
  /** Some names of objects that have to be deleted, those of uploads that never ended among them. */
  leaving(): Promise<readonly string[]>;
  /** Removes the rows of objects that are deleted. */
  forget(names: readonly string[]): Promise<void>;
  /** Those of the names that have no row. */
  unknown(names: readonly string[]): Promise<readonly string[]>;
}

/** An upload that has not ended by then does not end any more. */
export const UPLOAD_MS = 24 * 60 * 60 * 1000;
