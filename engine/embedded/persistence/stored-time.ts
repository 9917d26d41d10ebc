import { type SqliteDatabase, readMeta } from './database.ts';

const KEY = 'last_time';

/** How often the engine's time is written, in ms. A restart repeats at most so much of a wait. */
const INTERVAL_MS = 1000;

/** The engine's time as of the last write, so that the time after the next start does not begin before it. */
export class StoredTime {
  readonly #write;
  #written: number;

  constructor(db: SqliteDatabase) {
    this.#write = db.prepare('INSERT OR REPLACE INTO engine_meta (key, value) VALUES (?, ?)');
    this.#written = Number(readMeta(db, KEY) ?? 0);
  }

  /** Undefined for a new database. */
  get last(): number | undefined {
    return this.#written === 0 ? undefined : this.#written;
  }

  /** Whether it is time to write again. */
  isOld(now: number): boolean {
    return now - this.#written >= INTERVAL_MS;
  }

  /** Has to be called within a transaction. */
  write(now: number): void {
    this.#write.run(KEY, String(now));
    this.#written = now;
  }
}
