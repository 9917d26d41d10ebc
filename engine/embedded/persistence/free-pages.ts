import type { SqliteDatabase } from './database.ts';

/** SQLite's number for a file that gives free pages back piece by piece, when it is asked to. */
const INCREMENTAL = 2;

/** An older file is written anew once for that, unless it is so large that its start would be long. */
const LARGEST_REWRITE_BYTES = 512 * 1024 * 1024;

/** So many pages are given back at a time: a mebibyte, some milliseconds. */
const PIECE_PAGES = 256;

/** Makes the file one that can shrink. For a file without tables that costs nothing. */
export function becomeShrinkable(db: SqliteDatabase): void {
  if (numberOf(db, 'auto_vacuum') === INCREMENTAL) return;
  db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  const pages = numberOf(db, 'page_count');
  if (pages === 0 || pages * numberOf(db, 'page_size') > LARGEST_REWRITE_BYTES) return;
  db.exec('VACUUM');
}

/**
 * Gives a piece of the free pages back to the file system, as long as they are more than a tenth of the file: the others
 * are soon used again. Answers whether there is more to give.
 */
export function giveBackPages(db: SqliteDatabase): boolean {
  const free = numberOf(db, 'freelist_count');
  const kept = Math.max(PIECE_PAGES, numberOf(db, 'page_count') / 10);
  if (free <= kept || numberOf(db, 'auto_vacuum') !== INCREMENTAL) return false;
  db.exec(`PRAGMA incremental_vacuum(${PIECE_PAGES})`);
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
