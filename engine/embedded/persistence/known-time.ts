import { type SqliteDatabase, readMeta } from './database.ts';

const KEY = 'last_time';

/** How far apart the engine's time is written down, in ms; at most so much of a wait is waited twice. */
const EVERY_MS = 1000;

/** The engine's time as it was when something was last written, so that the next start does not go back behind it. */
export class KnownTime {
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
    return now - this.#written >= EVERY_MS;
  }

  /** Within a transaction. */
  write(now: number): void {
    this.#write.run(KEY, String(now));
    this.#written = now;
  }
}
