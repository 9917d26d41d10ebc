import { setImmediate } from 'node:timers/promises';
import type { Connection, Row } from './database.ts';

/** SQLite's number for a file that gives free pages back piece by piece, when it is asked to. */
const INCREMENTAL = 2;
/** An older file is written anew once for that, unless it is so large that its start would be long. */
const LARGEST_REWRITE_BYTES = 512 * 1024 * 1024;
/** So many pages are given back at a time: a mebibyte, some milliseconds. */
const PIECE_PAGES = 256;

/** Makes the file one that can shrink; for one without tables that costs nothing. Another process may keep an old file from it. */
export function becomeShrinkable(db: Connection): void {
  if (numberOf(db, 'auto_vacuum') === INCREMENTAL) return;
  db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  const pages = numberOf(db, 'page_count');
  if (pages === 0 || pages * numberOf(db, 'page_size') > LARGEST_REWRITE_BYTES) return;
  try {
    db.exec('VACUUM');
  } catch (error) {
    if (!(error instanceof Error && /locked|busy|full/i.test(error.message))) throw error;
  }
}

/** Gives free pages back to the file system, a piece a turn, until they are less than a tenth of the file. */
export async function giveBackPages(db: Connection): Promise<void> {
  if (numberOf(db, 'auto_vacuum') !== INCREMENTAL) return;
  let isSmaller = false;
  while (db.open && numberOf(db, 'freelist_count') > keptPages(db)) {
    db.exec(`PRAGMA incremental_vacuum(${PIECE_PAGES})`);
    isSmaller = true;
    await setImmediate();
  }
  // What was given back leaves the file only once the log is written into it.
  if (isSmaller && db.open) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Free pages that are soon used again. */
const keptPages = (db: Connection): number => Math.max(PIECE_PAGES, numberOf(db, 'page_count') / 10);

function numberOf(
  db: Connection,
  pragma: 'auto_vacuum' | 'page_count' | 'page_size' | 'freelist_count',
): number {
  return Number((db.prepare(`PRAGMA ${pragma}`).get() as Row)[pragma] ?? 0);
}
