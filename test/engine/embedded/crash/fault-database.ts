import { type SqliteDatabase, openDatabase } from '../../../../engine/embedded/persistence/database.ts';
import { type FileImage, readImage, tornImage } from './file-image.ts';

/**
 * - `before`, `after`: the process is gone right before a commit, or right after it, before anybody was answered
 * - `torn`: the power is gone in the middle of a commit
 * - `full`: there is no room for another page, until a commit has failed
 * - `refused`: a commit fails; `untold`: it is made, and reported as failed
 */
export const FAULTS = ['before', 'after', 'torn', 'full', 'refused', 'untold'] as const;
export type Fault = (typeof FAULTS)[number];

/** Is thrown into the engine when its process is gone. */
export class ProcessGone extends Error {
  override readonly name = 'ProcessGone';
}

/** A real database with a fault ahead, at one of the commits to come. */
export class FaultDatabase {
  readonly db: SqliteDatabase;
  /** What the dead process left; undefined while it lives. */
  left: FileImage | undefined;
  /** How many commits were tried. */
  commits = 0;
  readonly #path: string;
  readonly #random: () => number;
  /** The fault that struck. */
  struck: Fault | undefined;
  #fault: Fault | undefined;
  #at = Infinity;

  /** @param checkpointPages how large the log grows before it is moved into the file */
  constructor(path: string, random: () => number, checkpointPages: number) {
    this.#path = path;
    this.#random = random;
    this.db = openDatabase(path, 'full');
    this.db.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    const prepare = this.db.prepare.bind(this.db);
    this.db.prepare = ((sql: string) => {
      const statement = prepare(sql);
      if (sql !== 'COMMIT' && sql !== 'BEGIN IMMEDIATE') return statement;
      const run = statement.run.bind(statement);
      const step = sql === 'COMMIT' ? () => this.#commit(run) : () => this.#begin(run);
      return { run: step };
    }) as SqliteDatabase['prepare'];
  }

  /** @param at the fault strikes at the commit with this number from now on, from 1 */
  arm(fault: Fault, at: number): void {
    this.#fault = fault;
    this.#at = this.commits + at;
  }

  get isGone(): boolean {
    return this.left !== undefined;
  }

  #strikes(): Fault | undefined {
    if (this.commits !== this.#at) return undefined;
    this.struck = this.#fault;
    return this.#fault;
  }

  #begin(run: () => unknown): void {
    if (this.isGone) throw new ProcessGone();
    this.commits += 1;
    this.#limitPages(this.#strikes() === 'full');
    run();
  }

  #commit(run: () => unknown): void {
    if (this.isGone) throw new ProcessGone();
    switch (this.#strikes()) {
      case undefined:
      case 'full':
        run();
        return;
      case 'before':
        this.left = readImage(this.#path);
        throw new ProcessGone();
      case 'after':
        run();
        this.left = readImage(this.#path);
        throw new ProcessGone();
      case 'torn': {
        const before = readImage(this.#path);
        run();
        this.left = tornImage(before, readImage(this.#path), this.#random);
        throw new ProcessGone();
      }
      case 'refused':
        throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
      case 'untold':
        run();
        throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
    }
  }

  #limitPages(isFull: boolean): void {
    const { page_count } = this.db.prepare('PRAGMA page_count').get() as { page_count: number };
    this.db.exec(`PRAGMA max_page_count = ${isFull ? page_count : 1_000_000}`);
  }
}
