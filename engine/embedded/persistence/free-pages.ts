import type { SqliteDatabase } from './database.ts';

/** SQLite's number for a file that releases free pages in batches, when it is asked to. */
const INCREMENTAL = 2;

/** An older file is rewritten once for that, unless it is so large that the start would take long. */
const LARGEST_REWRITE_BYTES = 512 * 1024 * 1024;

/** How many pages are released at a time: a mebibyte, which takes some milliseconds. */
const BATCH_PAGES = 256;

/** Makes the file one that can shrink. That costs nothing for a file without tables. */
export function enableIncrementalVacuum(db: SqliteDatabase): void {
  if (numberOf(db, 'auto_vacuum') === INCREMENTAL) return;
  db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  const pages = numberOf(db, 'page_count');
  if (pages === 0 || pages * numberOf(db, 'page_size') > LARGEST_REWRITE_BYTES) return;
  db.exec('VACUUM');
}

/**
 * Returns a batch of the free pages to the file system, as long as they are more than a tenth of the file: fewer will
 * be used again. Answers whether there may be more to release.
 */
export function releaseFreePages(db: SqliteDatabase): boolean {
  const free = numberOf(db, 'freelist_count');
  const kept = Math.max(BATCH_PAGES, numberOf(db, 'page_count') / 10);
  if (free <= kept || numberOf(db, 'auto_vacuum') !== INCREMENTAL) return false;
  db.exec(`PRAGMA incremental_vacuum(${BATCH_PAGES})`);
  return true;
}

/** Moves what the log holds into the file and cuts the log to nothing. */
export function truncateLog(db: SqliteDatabase): void {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function numberOf(
  db: SqliteDatabase,
  pragma: 'auto_vacuum' | 'page_count' | 'page_size' | 'freelist_count',
): number {
  const row = db.prepare(`PRAGMA ${pragma}`).get() as Partial<Record<typeof pragma, number>> | undefined;
  return row?.[pragma] ?? 0;
}
